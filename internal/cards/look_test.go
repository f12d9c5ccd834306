package cards

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
)

func drawn(t *testing.T, c Share) image.Image {
	t.Helper()
	worker := picture.NewWorker(os.Args[0])
	defer worker.Close()
	data, err := c.JPEG(t.Context(), worker)
	require.NoError(t, err)
	if to := os.Getenv("SHARE_OUT"); to != "" { // to look at
		require.NoError(t, os.WriteFile(to, data, 0o600))
	}
	card, err := jpeg.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	assert.Equal(t, image.Rect(0, 0, 1200, 630), card.Bounds())
	return card
}

// inked is the part of an area that is darker than paper, in percent.
func inked(card image.Image, area image.Rectangle) int {
	dark := 0
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if color.GrayModel.Convert(card.At(x, y)).(color.Gray).Y < 128 {
				dark++
			}
		}
	}
	return 100 * dark / (area.Dx() * area.Dy())
}

func dark(t *testing.T, w, h int) Picture {
	t.Helper()
	p := image.NewGray(image.Rect(0, 0, w, h))
	for i := range p.Pix {
		p.Pix[i] = 0x40
	}
	var data bytes.Buffer
	require.NoError(t, jpeg.Encode(&data, p, nil))
	return Picture{Data: data.Bytes()}
}

var words = image.Rect(64, 330, 660, 590)

func TestTheNameIsBesideThePicture(t *testing.T) {
	for _, name := range []string{
		"Noa", "Ágata Inês Łucja", "Maria Fernanda Cavalcanti de Albuquerque Montenegro",
		"Wolfeschlegelsteinhausenbergerdorff",
	} {
		card := drawn(t, Share{
			Name: name, Line: "Models", Agency: "Best Management", Pictures: []Picture{dark(t, 600, 800)},
		})
		assert.Positive(t, inked(card, words), name)
		assert.Zero(t, inked(card, image.Rect(664, 0, 727, 630)), "%s keeps clear of the picture", name)
		assert.Equal(t, 100, inked(card, image.Rect(740, 10, 1190, 620)), "%s: the picture is complete", name)
	}
}

func TestTwoPicturesStandBesideTheNameAndThreeAboveIt(t *testing.T) {
	two := drawn(t, Share{Name: "2 profiles for you", Agency: "Best Management", Pictures: []Picture{
		dark(t, 600, 800), dark(t, 600, 800),
	}})
	assert.Equal(t, 100, inked(two, image.Rect(580, 10, 1190, 620)))
	assert.Positive(t, inked(two, image.Rect(64, 100, 560, 600)))
	three := drawn(t, Share{Name: "3 profiles for you", Agency: "Best Management", Pictures: []Picture{
		dark(t, 600, 800), dark(t, 600, 800), dark(t, 600, 800),
	}})
	assert.Equal(t, 100, inked(three, image.Rect(10, 10, 1190, 455)))
	assert.Positive(t, inked(three, image.Rect(64, 480, 700, 600)))
}

func TestAPictureInARowKeepsItsFocus(t *testing.T) {
	p := image.NewGray(image.Rect(0, 0, 600, 1200)) // dark
	for i := range p.Pix[:600*800] {
		p.Pix[i] = 0xff
	}
	var data bytes.Buffer
	require.NoError(t, jpeg.Encode(&data, p, nil))
	low := Picture{Data: data.Bytes(), Focus: agency.Focus{X: 50, Y: 95}}
	card := drawn(t, Share{Name: "3 profiles for you", Agency: "Best Management", Pictures: []Picture{low, low, low}})
	assert.Equal(t, 100, inked(card, image.Rect(10, 300, 1190, 450)))
}

func TestAnUnwritableNameIsReplacedByTheAgency(t *testing.T) {
	plain := drawn(t, Share{Name: "Best Management", Agency: "Best Management"})
	foreign := drawn(t, Share{Name: "李小龙", Agency: "Best Management"})
	assert.Equal(t, plain, foreign)
}

// agencysOwn is a look with a red logo on cream, and a typeface for names.
func agencysOwn(t *testing.T) Look {
	t.Helper()
	logo := image.NewRGBA(image.Rect(0, 0, 200, 100))
	for i := 0; i < len(logo.Pix); i += 4 {
		logo.Pix[i], logo.Pix[i+3] = 0xff, 0xff
	}
	var data bytes.Buffer
	require.NoError(t, png.Encode(&data, logo))
	face, err := os.ReadFile("instrument-sans-regular.ttf")
	require.NoError(t, err)
	own := Look{Paper: color.RGBA{0xff, 0xfa, 0xf2, 0xff}, Logo: data.Bytes(), Display: face}
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

func TestSharePicturesHaveTheAgencysLook(t *testing.T) {
	card := drawn(t, Share{Name: "Studio Lumen", Agency: "Studio Lumen", Look: agencysOwn(t)})
	assertColour(t, color.RGBA{0xff, 0, 0, 0xff}, card, 10, 52)
	card = drawn(t, Share{
		Name: "Ana", Agency: "Studio Lumen", Look: agencysOwn(t), Pictures: []Picture{dark(t, 600, 800)},
	})
	assertColour(t, color.RGBA{0xff, 0, 0, 0xff}, card, 10, 9)
	assertColour(t, color.RGBA{0xff, 0xfa, 0xf2, 0xff}, card, 60, 3)
}
