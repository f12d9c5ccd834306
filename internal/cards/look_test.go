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

	"zedcard/internal/testkit/picturetest"
)

// agencysOwn is a look with a red logo on cream, and a typeface for names.
func agencysOwn(t *testing.T) Look {
	t.Helper()
	logo := image.NewRGBA(image.Rect(0, 0, 200, 100))
	for i := 0; i < len(logo.Pix); i += 4 {
		logo.Pix[i], logo.Pix[i+3] = 0xff, 0xff
	}
	face, err := os.ReadFile("instrument-sans-regular.ttf")
	require.NoError(t, err)
	own := Look{Paper: color.RGBA{0xff, 0xfa, 0xf2, 0xff}, Logo: picturetest.PNG(t, logo), Display: face}
	own.Tones[ink] = color.RGBA{0x10, 0x2a, 0x43, 0xff}
	return own
}

func TestCardsHaveTheAgencysLook(t *testing.T) {
	card := Card{Name: "Ana Silva", Agency: "Studio Lumen", Look: agencysOwn(t)}
	card.Pictures = []Picture{plain(t, green, 90, 120)}
	front, back := layFront(card.Look.open(), card, nil), layBack(card.Look.open(), card, nil)
	assert.NotContains(t, texts(back), "STUDIO LUMEN", "the logo stands there")
	require.Len(t, back.marks, 1)
	for _, word := range front.words {
		if string(word.letters) == "ANA" {
			assert.Equal(t, card.Look.Display, word.face.data)
		}
	}
	files, _, err := card.make()
	require.NoError(t, err)
	assert.Equal(t, 3, strings.Count(string(files[0]), "/Subtype /Image"), "the picture twice, and the logo")
	drawn, err := jpeg.Decode(bytes.NewReader(files[2]))
	require.NoError(t, err)
	assertColour(t, card.Look.Paper, drawn, 2, 2)
	assertColour(t, color.RGBA{0xff, 0, 0, 0xff}, drawn, margin+2, footBaseline-2)
}
