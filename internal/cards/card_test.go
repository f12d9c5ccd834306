package cards

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/picture"
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
	t.Helper()
	return encode(t, w, h, func(int, int) color.Color { return c })
}

func encode(t testing.TB, w, h int, at func(x, y int) color.Color) Picture {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, at(x, y))
		}
	}
	var out bytes.Buffer
	require.NoError(t, jpeg.Encode(&out, img, &jpeg.Options{Quality: 95}))
	return Picture{Data: out.Bytes()}
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
			assertNear(t, want, f.image.At(int((x-f.x)/f.w*float64(size.X)), int((y-f.y)/f.h*float64(size.Y))), x, y)
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
	assertNear(t, want, side.At(int(x*pixelsPerMM), int(y*pixelsPerMM)), x, y)
}

func assertNear(t *testing.T, want, got color.Color, x, y float64) {
	t.Helper()
	wr, wg, wb, _ := want.RGBA()
	r, g, b, _ := got.RGBA()
	const near = 0x1800
	assert.InDelta(t, wr, r, near, "red at %v, %v mm", x, y)
	assert.InDelta(t, wg, g, near, "green at %v, %v mm", x, y)
	assert.InDelta(t, wb, b, near, "blue at %v, %v mm", x, y)
}

func TestPDFIsReadyForPrint(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	pdf := string(makeCard(t, sample(t, red, green)).pdf)
	assert.Equal(t, 2, strings.Count(pdf, "<</Type /Page\n"))

	// A5 in the middle of 170 × 232 mm, 3 mm bleed around it, in points.
	assert.Contains(t, pdf, "/MediaBox [0 0 481.89 657.64]")
	assert.Equal(t, 2, strings.Count(pdf, "/TrimBox [31.18 31.18 450.71 626.46]"))
	assert.Equal(t, 2, strings.Count(pdf, "/BleedBox [22.68 22.68 459.21 634.96]"))

	fonts := regexp.MustCompile(`/Type /FontDescriptor`).FindAllString(pdf, -1)
	assert.NotEmpty(t, fonts)
	assert.Equal(t, len(fonts), strings.Count(pdf, "/FontFile2"), "every font is embedded")

	// The cover fills its bleed; crop marks end outside of it.
	front := contents(t, []byte(pdf))[0]
	assert.Contains(t, front, "q 436.53543 0 0 507.40157 22.67717 127.55906 cm",
		"the cover fills the page and its bleed")
	assert.Contains(t, front, "31.18 654.80 m 31.18 637.80 l S", "the crop mark ends outside the bleed")
}

// What a person reads on the card: every letter is in the PDF's text, and has a shape in the
// embedded font (fpdf drops letters without one silently).
func TestEveryLetterIsOnTheCard(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	card := sample(t, red, green)
	card.Name = "Żaneta Đurđević Ångström Ţūţea Nguyễn Ñandú Œuvré Łuğ Þórðr Groß"
	card.Board = "Criança · Niñas ¿¡"
	card.Rows = []Row{
		{"Sapatos ĩũ", "38½ ¼ ¾", "5′10″"}, {"Olhos", "“Azuis” – ‘verdes’ — …", ""},
		{"Ojos", "ãõçáéíóúâêôàüñ", ""}, {"Höhe", "1,78 m × 2", "−‐‑‒"},
	}
	written := makeCard(t, card)
	texts := map[string]bool{}
	for _, page := range contents(t, written.pdf) {
		for _, hex := range regexp.MustCompile(`/ActualText <FEFF([0-9A-F]*)>`).FindAllStringSubmatch(page, -1) {
			texts[fromHex(t, hex[1])] = true
		}
	}
	all := ""
	for text := range texts {
		all += text + "\n"
	}
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
	shown := 0
	for font, letters := range lettersByFont(t, written.pdf) {
		glyphs := glyphMap(t, written.pdf, font)
		for _, r := range letters {
			shown++
			assert.NotZero(t, int(glyphs[2*r])<<8|int(glyphs[2*r+1]), "the font has no glyph for %c (%U)", r, r)
		}
	}
	assert.Greater(t, shown, 200)
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
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	for _, minor := range []bool{true, false} {
		card := sample(t, red, green)
		card.Minor = minor
		files, _, err := card.make()
		require.NoError(t, err)
		for i, f := range files {
			assert.Equal(t, minor, bytes.Contains(f, []byte("DMI-PROHIBITED")), fileEndings[i])
		}
		_, err = jpeg.Decode(bytes.NewReader(files[1]))
		assert.NoError(t, err)
	}
}

// contents are the drawing instructions of each page of a PDF.
func contents(t *testing.T, pdf []byte) []string {
	t.Helper()
	var pages []string
	for _, m := range regexp.MustCompile(`/Contents (\d+) 0 R`).FindAllSubmatch(pdf, -1) {
		pages = append(pages, string(stream(t, pdf, string(m[1]))))
	}
	require.NotEmpty(t, pages)
	return pages
}

// object is the text of a PDF object, from its number to its end.
func object(t *testing.T, pdf []byte, number string) []byte {
	t.Helper()
	_, rest, found := bytes.Cut(pdf, []byte("\n"+number+" 0 obj\n"))
	require.True(t, found, "object %s exists", number)
	body, _, _ := bytes.Cut(rest, []byte("\nendobj"))
	return body
}

func stream(t *testing.T, pdf []byte, number string) []byte {
	t.Helper()
	_, data, found := bytes.Cut(object(t, pdf, number), []byte("stream\n"))
	require.True(t, found)
	r, err := zlib.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	plain, err := io.ReadAll(r)
	require.NoError(t, err)
	return plain
}

// lettersByFont are the letters that the pages show in each of their fonts.
func lettersByFont(t *testing.T, pdf []byte) map[string][]rune {
	t.Helper()
	letters := map[string][]rune{}
	unescape := strings.NewReplacer(`\\`, `\`, `\(`, `(`, `\)`, `)`, `\r`, "\r")
	for _, page := range contents(t, pdf) {
		font := ""
		for _, m := range regexp.MustCompile(`(?s)BT /(F\w+) [\d.]+ Tf ET|Td \((.*?)\) Tj ET`).FindAllStringSubmatch(
			page, -1) {
			if m[1] != "" {
				font = m[1]
				continue
			}
			text := unescape.Replace(m[2])
			for i := 0; i+1 < len(text); i += 2 {
				letters[font] = append(letters[font], rune(text[i])<<8|rune(text[i+1]))
			}
		}
	}
	return letters
}

// glyphMap is the table from letters to glyphs of a font, two bytes a letter.
func glyphMap(t *testing.T, pdf []byte, font string) []byte {
	t.Helper()
	follow := func(in []byte, pattern string) string {
		m := regexp.MustCompile(pattern).FindSubmatch(in)
		require.NotNil(t, m, pattern)
		return string(m[1])
	}
	number := follow(pdf, fmt.Sprintf(`/%s (\d+) 0 R`, font))
	number = follow(object(t, pdf, number), `/DescendantFonts \[(\d+) 0 R\]`)
	number = follow(object(t, pdf, number), `/CIDToGIDMap (\d+) 0 R`)
	return stream(t, pdf, number)
}

func fromHex(t *testing.T, hex string) string {
	t.Helper()
	var units []uint16
	for ; len(hex) >= 4; hex = hex[4:] {
		unit, err := strconv.ParseUint(hex[:4], 16, 16)
		require.NoError(t, err)
		units = append(units, uint16(unit))
	}
	return string(utf16.Decode(units))
}
