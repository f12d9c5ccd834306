package cards

import (
	"bytes"
	"fmt"
	"image/color"
	"image/jpeg"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/brand"
	"zedcard/internal/picture"
)

func TestPicturesHaveTheirPlaces(t *testing.T) {
	type at struct {
		colour color.Color
		x, y   float64
	}
	for pictures, back := range map[int][]at{
		1: {{green, 30, 40}, {green, 120, 130}},
		2: {{green, 30, 40}, {green, 30, 120}, {blue, 120, 40}, {blue, 120, 120}},
		3: {{green, 30, 40}, {green, 90, 130}, {blue, 120, 40}, {yellow, 120, 130}},
		4: {{green, 30, 40}, {blue, 120, 40}, {yellow, 30, 130}, {violet, 120, 130}},
	} {
		t.Run(fmt.Sprint(pictures), func(t *testing.T) {
			colours := []color.Color{red, green, blue, yellow, violet}[:pictures+1]
			front, sheet := laidOut(t, sample(t, colours...))
			assertPrint(t, red, front, 1, 1)
			assertPrint(t, red, front, 147, 170)
			for _, p := range back {
				assertPrint(t, p.colour, sheet, p.x, p.y)
			}
		})
	}
}

func TestTheFilesShowWhatIsLaidOut(t *testing.T) {
	card := makeCard(t, sample(t, red, green, blue, yellow, violet))
	assertColour(t, red, card.front, 1, 1)
	assertColour(t, red, card.front, 147, 170)
	assertColour(t, paper, card.front, 74, 180)
	assertColour(t, green, card.back, 30, 40)
	assertColour(t, blue, card.back, 120, 40)
	assertColour(t, yellow, card.back, 30, 130)
	assertColour(t, violet, card.back, 120, 130)
	assertColour(t, paper, card.back, 4, 100)
	assert.Equal(t, 5, strings.Count(string(card.pdf), "/Subtype /Image"))
	lettered := false
	for x := int(margin * pixelsPerMM); x < int(60*pixelsPerMM); x++ { // through the name's capitals
		grey := color.GrayModel.Convert(card.front.At(x, int(188*pixelsPerMM))).(color.Gray)
		lettered = lettered || grey.Y < 0x40
	}
	assert.True(t, lettered, "the name is drawn")
}

func TestAFifthPictureStaysInTheBook(t *testing.T) {
	card := sample(t, red, green, blue, yellow, violet)
	card.Pictures = append(card.Pictures, plain(t, red, 80, 120))
	_, back := laidOut(t, card)
	assert.Len(t, back.frames, 4)
}

func TestWithoutPicturesTheFrontShowsTheAgency(t *testing.T) {
	card := sample(t)
	files, _, err := card.make()
	require.NoError(t, err)
	require.Len(t, files, 2, "a back without a picture is left out")
	assert.Equal(t, 1, bytes.Count(files[0], []byte("<</Type /Page\n")))
	assert.NotContains(t, string(files[0]), "/Subtype /Image")
	front, err := jpeg.Decode(bytes.NewReader(files[1]))
	require.NoError(t, err)
	assertColour(t, brand.Colour("mist"), front, 5, 5)
	assert.Contains(t, texts(layFront(card.Look.open(), card, nil)), "BEST MANAGEMENT")
}

func TestASinglePictureIsOnBothSides(t *testing.T) {
	front, back := laidOut(t, sample(t, red))
	assertPrint(t, red, front, 74, 90)
	assertPrint(t, red, back, 74, 90)
	assert.Contains(t, texts(back), "178 cm / 5′10½″")
}

// Whatever the texts are, they stay on the card, don't touch each other and none is lost.
func TestTextsNeverCollide(t *testing.T) {
	long := strings.Repeat("Hohenlohe ", 6) + "von Schillingsfürst"
	names := []string{
		"", "Lu", "Inês Muñoz-Galvão", "Wolfgangmaximilian Großenstraße", strings.Repeat("W", 40),
		"Maria-Antonieta Conceição de Albuquerque e Vasconcelos Figueirôa", long, "Al " + strings.Repeat("Mw", 30),
	}
	boards := []string{"", "Women · Main · São Paulo", strings.Repeat("Photographers · ", 5)}
	row := Row{"Height", "178 cm", "5′10½″"}
	wide := Row{"Haarfarbe nach der Färbung im Sommer", "Castanho avermelhado com reflexos acobreados", ""}
	portrait := &source{Original: &picture.Original{Width: 2, Height: 3}}
	landscape := &source{Original: &picture.Original{Width: 3, Height: 2}}
	books := [][]*source{
		nil, {portrait}, {portrait, landscape}, {landscape, landscape}, {portrait, portrait, portrait},
		{portrait, landscape, portrait, portrait},
	}
	contacts := []Card{
		{Agency: "QX"},
		{Agency: "Best Management", Phone: "+55 11 3062 0000", Email: "bookings@best.example", Website: "best.example"},
		{
			Agency: "The Very Best Talent Management of São Paulo", Phone: "+55 (11) 93062-0000 / +55 (11) 93062-0001",
			Email:   "international.bookings.department@bestmanagement.example",
			Website: "www.bestmanagement.example/talents",
		},
	}
	look := Look{}.open()
	for _, name := range names {
		for rows := range 10 {
			card := contacts[rows%len(contacts)]
			card.Name, card.Board = name, boards[rows/len(contacts)%len(boards)]
			for i := range rows {
				card.Rows = append(card.Rows, []Row{row, wide}[i%2])
				card.Measured = []string{"Medidas de novembro de 2026", ""}[rows%2]
			}
			what := fmt.Sprintf("%q, %q, %d rows", name, card.Board, rows)
			for _, cover := range []*source{nil, portrait} {
				assertTidy(t, layFront(look, card, cover), what+", front")
			}
			for _, book := range books {
				back := layBack(look, card, book)
				assertTidy(t, back, fmt.Sprintf("%s, back of %d", what, len(book)))
				assert.Len(t, back.frames, len(book))
				assert.Equal(t, strings.ReplaceAll(name, " ", ""), nameOn(back, name), what)
			}
		}
	}
}

// assertTidy says that the words lie within the margins, and neither on each other nor on a
// picture, and that no picture is squeezed. A word is taken from its baseline to the height of
// its capitals.
func assertTidy(t *testing.T, s side, what string) {
	t.Helper()
	const capitals, slack = .67, .02
	for _, f := range s.frames {
		assert.Greater(t, f.w, 40.0, what)
		assert.Greater(t, f.h, 50.0, what)
	}
	for i, w := range s.words {
		high := w.size * pointMM * capitals
		text := string(w.letters)
		assert.GreaterOrEqual(t, w.x, margin-slack, "%s: %s", what, text)
		assert.LessOrEqual(t, w.x+w.width, margin+inner+slack, "%s: %s", what, text)
		assert.GreaterOrEqual(t, w.y-high, margin-1, "%s: %s", what, text)
		assert.LessOrEqual(t, w.y, footBaseline+slack, "%s: %s", what, text)
		box := rect{w.x, w.y - high, w.width, high}
		for _, other := range s.words[:i] {
			h := other.size * pointMM * capitals
			assert.False(t, box.meets(rect{other.x, other.y - h, other.width, h}),
				"%s: %s must not overlap %s", what, text, string(other.letters))
		}
		for _, f := range s.frames {
			assert.False(t, box.meets(f.rect), "%s: %s must not overlap a picture", what, text)
		}
	}
}

func (r rect) meets(o rect) bool {
	return r.x < o.x+o.w && o.x < r.x+r.w && r.y < o.y+o.h && o.y < r.y+r.h
}

// nameOn is the name as the side has it, on one line or on two, without spaces.
func nameOn(s side, name string) string {
	got := ""
	for _, text := range texts(s) {
		if text != "" && strings.Contains(name, text) {
			got += strings.ReplaceAll(text, " ", "")
		}
	}
	return got
}

func texts(s side) []string {
	var all []string
	for _, w := range s.words {
		all = append(all, string(w.letters))
	}
	return all
}

func TestOnlyAMeasureFarTooLongIsCut(t *testing.T) {
	fits := valueStyle.fit("Castanho acinzentado", 29, 7)
	assert.Equal(t, "Castanho acinzentado", string(fits.letters))
	cut := valueStyle.fit(strings.Repeat("Castanho ", 9), 29, 7)
	assert.True(t, strings.HasPrefix(string(cut.letters), "Castanho C"))
	assert.True(t, strings.HasSuffix(string(cut.letters), "…"))
	assert.LessOrEqual(t, cut.width, 29.01)
}

func TestAnAccentStaysBelowThePicture(t *testing.T) {
	for _, name := range []string{"Élodie", "Ágata", "João", "Ấn", "Noa"} {
		word := layFront(Look{}.open(), Card{Name: name}, nil).words[0]
		require.Equal(t, upper(name), string(word.letters))
		assert.Greater(t, word.y-word.ascent(string(word.letters)), coverBottom+.9, name)
		assert.Equal(t, name == "Noa", word.size == nameSize, name)
	}
}

func TestAWordIsSetInOneFace(t *testing.T) {
	assert.Same(t, sans, labelStyle.typeset("Quadril").face)
	assert.Same(t, serif, labelStyle.typeset("Nguyễn 5′").face)
}
