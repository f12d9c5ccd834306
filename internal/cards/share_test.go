package cards

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/picture"
)

func drawn(t *testing.T, c Share) image.Image {
	t.Helper()
	workers := picture.NewWorkers(os.Args[0])
	defer workers.Close()
	data, err := c.JPEG(t.Context(), workers.Pictures)
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

func dark(t *testing.T, w, h int) []byte {
	t.Helper()
	p := image.NewGray(image.Rect(0, 0, w, h))
	for i := range p.Pix {
		p.Pix[i] = 0x40
	}
	var data bytes.Buffer
	require.NoError(t, jpeg.Encode(&data, p, nil))
	return data.Bytes()
}

var words = image.Rect(64, 330, 660, 590)

func TestTheNameIsBesideThePicture(t *testing.T) {
	for _, name := range []string{
		"Noa", "Ágata Inês Łucja", "Maria Fernanda Cavalcanti de Albuquerque Montenegro",
		"Wolfeschlegelsteinhausenbergerdorff",
	} {
		card := drawn(t, Share{
			Name: name, Line: "Models", Agency: "Best Management", Pictures: [][]byte{dark(t, 600, 800)},
		})
		assert.Positive(t, inked(card, words), name)
		assert.Zero(t, inked(card, image.Rect(664, 0, 727, 630)), "%s keeps clear of the picture", name)
		assert.Equal(t, 100, inked(card, image.Rect(740, 10, 1190, 620)), "%s: the picture is complete", name)
	}
}

func TestSeveralPicturesStandInARowOverTheName(t *testing.T) {
	card := drawn(t, Share{Name: "Mulheres", Agency: "Best Management", Pictures: [][]byte{
		dark(t, 600, 800), dark(t, 800, 600), dark(t, 600, 800), dark(t, 600, 800), dark(t, 1, 1),
	}})
	assert.Equal(t, 100, inked(card, image.Rect(10, 10, 1190, 380)))
	assert.Positive(t, inked(card, image.Rect(64, 400, 700, 600)))
}

func TestAnUnwritableNameIsReplacedByTheAgency(t *testing.T) {
	plain := drawn(t, Share{Name: "Best Management", Agency: "Best Management"})
	foreign := drawn(t, Share{Name: "李小龙", Agency: "Best Management"})
	assert.Equal(t, plain, foreign)
}
