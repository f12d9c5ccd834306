package views

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/agency"
)

var (
	portrait  = agency.Picture{Width: 800, Height: 1200}
	square    = agency.Picture{Width: 900, Height: 900}
	landscape = agency.Picture{Width: 1200, Height: 800}
	narrow    = agency.Picture{Width: 1, Height: 100}
	wide      = agency.Picture{Width: 100, Height: 1}
)

func TestPicturesStandInRows(t *testing.T) {
	for name, c := range map[string]struct {
		pictures []agency.Picture
		places   []place
	}{
		"two portraits share a row, a landscape fills one": {
			[]agency.Picture{portrait, square, landscape, portrait, portrait},
			[]place{
				{65, 165, 2, false}, {100, 165, 2, false}, {150, 150, 1, true},
				{65, 130, 2, false}, {65, 130, 2, false},
			},
		},
		"a landscape shares the row of a single portrait": {
			[]agency.Picture{portrait, landscape}, []place{{65, 215, 2, false}, {150, 215, 2, true}},
		},
		"a last portrait joins the row before it": {
			[]agency.Picture{portrait, portrait, portrait},
			[]place{{65, 195, 3, false}, {65, 195, 3, false}, {65, 195, 3, false}},
		},
		"or that of a landscape": {
			[]agency.Picture{landscape, portrait}, []place{{150, 215, 2, true}, {65, 215, 2, false}},
		},
		"a last landscape fills its row": {
			[]agency.Picture{portrait, portrait, landscape},
			[]place{{65, 130, 2, false}, {65, 130, 2, false}, {150, 150, 1, true}},
		},
		"a single portrait has half the width": {[]agency.Picture{portrait}, []place{{65, 130, 2, false}}},
		"a single landscape has all of it":     {[]agency.Picture{landscape}, []place{{150, 150, 1, true}}},
		"a picture of unknown size":            {[]agency.Picture{{}}, []place{{65, 130, 2, false}}},
		"a narrow one":                         {[]agency.Picture{narrow}, []place{{40, 80, 2, false}}},
		"a wide one":                           {[]agency.Picture{wide}, []place{{200, 200, 1, true}}},
	} {
		assert.Equal(t, c.places, masonry(c.pictures), name)
	}
	assert.Equal(t, []place{{80, 240, 3, false}, {80, 240, 3, true}, {80, 240, 3, false}},
		snapRows([]agency.Picture{portrait, landscape, portrait}), "snaps have equal frames in one row")
	assert.Equal(t, place{80, 320, 4, false}, snapRows(make([]agency.Picture, 4))[3])
}
