package cards

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/picture"
	"zedcard/internal/testkit/pdftest"
	"zedcard/internal/testkit/picturetest"
)

var (
	red    = color.RGBA{0xc0, 0x10, 0x10, 0xff}
	green  = color.RGBA{0x10, 0xa0, 0x10, 0xff}
	blue   = color.RGBA{0x10, 0x10, 0xc0, 0xff}
	yellow = color.RGBA{0xd0, 0xc0, 0x10, 0xff}
	violet = color.RGBA{0x80, 0x10, 0xa0, 0xff}
	paper  = color.RGBA{0xff, 0xff, 0xff, 0xff}
)

// TestMain lets the test's program be the process that makes cards, too.
func TestMain(m *testing.M) {
	picture.RunWorker()
	os.Exit(m.Run())
}

// plain is a JPEG of one colour.
func plain(t testing.TB, c color.Color, w, h int) Picture {
	return Picture{Data: picturetest.JPEG(t, picturetest.Plain(w, h, c))}
}

func encode(t testing.TB, w, h int, at func(x, y int) color.Color) Picture {
	return Picture{Data: picturetest.JPEG(t, picturetest.Draw(w, h, at))}
}

func sample(t testing.TB, pictures ...color.Color) Card {
	card := Card{
		Name: "Inês Muñoz-Galvão", Board: "Women",
		Rows: []Row{
			{"Height", "178 cm", "5′10½″"}, {"Bust", "82 cm", "32½″"}, {"Waist", "60 cm", "23½″"}, {"Dress", "36", ""},
			{"Hips", "89 cm", "35″"}, {"Shoes", "39 EU", ""}, {"Hair", "Red", ""}, {"Eyes", "Blue", ""},
		},
		Agency: "Best Management", Phone: "+55 11 3062 0000", Email: "bookings@best.example", Website: "best.example",
	}
	for _, c := range pictures {
		card.Pictures = append(card.Pictures, plain(t, c, 90, 120))
	}
	return card
}

// made is a finished card, with its JPEGs as one sees them.
type made struct {
	pdf         []byte
	front, back image.Image
}

func makeCard(t testing.TB, card Card) made {
	t.Helper()
	files, _, err := card.make()
	require.NoError(t, err)
	require.Len(t, files, len(fileEndings))
	front, err := jpeg.Decode(bytes.NewReader(files[1]))
	require.NoError(t, err)
	back, err := jpeg.Decode(bytes.NewReader(files[2]))
	require.NoError(t, err)
	return made{files[0], front, back}
}

// assertPrint looks at a place of a side, in mm, before it is drawn: the drawing is most of a
// card's work, and few tests are about it.
func assertPrint(t *testing.T, want color.Color, s side, x, y float64) {
	t.Helper()
	for _, f := range s.frames {
		if x >= f.x && x < f.x+f.w && y >= f.y && y < f.y+f.h {
			size := f.image.Bounds().Size()
			picturetest.Near(t, want, f.image, int((x-f.x)/f.w*float64(size.X)), int((y-f.y)/f.h*float64(size.Y)))
			return
		}
	}
	assert.Fail(t, "no picture found", "at %v, %v mm", x, y)
}

// laidOut are both sides with their pictures.
func laidOut(t *testing.T, card Card) (front, back side) {
	t.Helper()
	front, back, _ = card.layOut(card.Look.open())
	return front, back
}

// assertColour looks at a place of a finished JPEG, in mm.
func assertColour(t *testing.T, want color.Color, side image.Image, x, y float64) {
	t.Helper()
	picturetest.Near(t, want, side, int(x*pixelsPerMM), int(y*pixelsPerMM))
}

func TestPDFIsReadyForPrint(t *testing.T) {
	pdf := string(makeCard(t, sample(t, red, green)).pdf)
	assert.Equal(t, 2, strings.Count(pdf, "<</Type /Page\n"))

	// A5 in the middle of 170 × 232 mm, 3 mm bleed around it, in points.
	assert.Contains(t, pdf, "/MediaBox [0 0 481.89 657.64]")
	assert.Equal(t, 2, strings.Count(pdf, "/TrimBox [31.18 31.18 450.71 626.46]"))
	assert.Equal(t, 2, strings.Count(pdf, "/BleedBox [22.68 22.68 459.21 634.96]"))

	fonts := strings.Count(pdf, "/Type /FontDescriptor")
	assert.Positive(t, fonts)
	assert.Equal(t, fonts, strings.Count(pdf, "/FontFile2"), "every font is embedded")

	// The cover fills its bleed; crop marks end outside of it.
	front := pdftest.Contents(t, []byte(pdf))[0]
	assert.Contains(t, front, "q 436.53543 0 0 507.40157 22.67717 127.55906 cm",
		"the cover fills the page and its bleed")
	assert.Contains(t, front, "31.18 654.80 m 31.18 637.80 l S", "the crop mark ends outside the bleed")
}

// What a person reads on the card: every letter is in the PDF's text. That each has a shape in its font is what
// printable and typeset see to: fpdf drops letters without one silently.
func TestEveryLetterIsOnTheCard(t *testing.T) {
	card := sample(t, red, green)
	card.Name = "Żaneta Đurđević Ångström Ţūţea Nguyễn Ñandú Œuvré Łuğ Þórðr Groß"
	card.Board = "Criança · Niñas ¿¡"
	card.Rows = []Row{
		{"Sapatos ĩũ", "38½ ¼ ¾", "5′10″"}, {"Olhos", "“Azuis” – ‘verdes’ — …", ""},
		{"Ojos", "ãõçáéíóúâêôàüñ", ""}, {"Höhe", "1,78 m × 2", "−‐‑‒"},
	}
	written := makeCard(t, card)
	all := strings.Join(pdftest.Words(t, written.pdf), "")
	for _, want := range []string{
		"ŻANETA", "CRIANÇA · NIÑAS ¿¡", "ãõçáéíóúâêôàüñ", "SAPATOS ĨŨ", "38½ ¼ ¾ / 5′10″", "“Azuis” – ‘verdes’ — …",
		"1,78 m × 2 / −‐‑‒", "BEST MANAGEMENT", "+55 11 3062 0000", "bookings@best.example", "best.example",
	} {
		assert.Contains(t, all, want)
	}
	for _, word := range strings.Fields(card.Name) {
		assert.Contains(t, all, word, "the name is on the back")
		assert.Contains(t, all, upper(word), "the name in capitals is on the front")
	}
}

func TestFilesAreNamedAfterTheTalent(t *testing.T) {
	assert.Equal(t, "Zoë-Z-O-Neill-2", fileName(`../Zoë "Z" O'Neill: 2`))
}

func TestACardIsNotMadeWithoutALetter(t *testing.T) {
	for _, change := range []func(*Card){
		func(c *Card) { c.Name = "Yuki 山田" },
		func(c *Card) { c.Rows[2].Metric = "山" },
		func(c *Card) { c.Phone = "山" },
	} {
		card := sample(t, red)
		change(&card)
		_, ok := card.printable()
		assert.False(t, ok)
	}
}

func TestTextsAreWrittenInLettersThatTheFontsHave(t *testing.T) {
	for given, want := range map[string]string{
		"Ine\u0302s":            "Inês",   // as macOS writes file names
		"178\u00a0cm":           "178 cm", // no-break space
		"5\u202f′":              "5 ′",    // narrow no-break space
		"Ana\u200b\ufeffbel":    "Anabel", // invisible
		"\tIJsbrand\n  de Vrĳ ": "IJsbrand de Vrij",
		"ﬁn":                    "fin",
	} {
		got, ok := printable(given)
		assert.True(t, ok)
		assert.Equal(t, want, got)
	}
}

func TestAMinorsFilesAreClosedToMining(t *testing.T) {
	card := sample(t, red)
	card.Minor = true
	files, _, err := card.make()
	require.NoError(t, err)
	for _, f := range files[1:] {
		assert.Contains(t, string(f), "DMI-PROHIBITED")
	}
	_, err = jpeg.Decode(bytes.NewReader(files[1]))
	assert.NoError(t, err)
}
