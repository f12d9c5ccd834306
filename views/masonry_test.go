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
)

func TestTwoPortraitsShareARowAndALandscapeFillsOne(t *testing.T) {
	assert.Equal(t, []place{
		{65, 165, 2, false}, {100, 165, 2, false}, {150, 150, 1, true}, {65, 130, 2, false}, {65, 130, 2, false},
	}, masonry([]agency.Picture{portrait, square, landscape, portrait, portrait}))
}

func TestALandscapeSharesTheRowOfASinglePortrait(t *testing.T) {
	assert.Equal(t, []place{{65, 215, 2, false}, {150, 215, 2, true}},
		masonry([]agency.Picture{portrait, landscape}))
}

func TestALastPortraitJoinsThePreviousRow(t *testing.T) {
	assert.Equal(t, []place{{65, 195, 3, false}, {65, 195, 3, false}, {65, 195, 3, false}},
		masonry([]agency.Picture{portrait, portrait, portrait}))
	assert.Equal(t, []place{{150, 215, 2, true}, {65, 215, 2, false}}, masonry([]agency.Picture{landscape, portrait}))
	assert.Equal(t, []place{{65, 130, 2, false}, {65, 130, 2, false}, {150, 150, 1, true}},
		masonry([]agency.Picture{portrait, portrait, landscape}), "a landscape fills the row")
}

func TestASinglePortraitHasHalfTheWidth(t *testing.T) {
	assert.Equal(t, []place{{65, 130, 2, false}}, masonry([]agency.Picture{portrait}))
	assert.Equal(t, []place{{150, 150, 1, true}}, masonry([]agency.Picture{landscape}))
}

func TestRatiosAreLimitedAndHaveADefault(t *testing.T) {
	assert.Equal(t, 65, masonry([]agency.Picture{{}})[0].ratio)
	assert.Equal(t, 40, masonry([]agency.Picture{{Width: 1, Height: 100}})[0].ratio)
	assert.Equal(t, 200, masonry([]agency.Picture{{Width: 100, Height: 1}})[0].ratio)
}

func TestSnapsHaveEqualFramesInOneRow(t *testing.T) {
	assert.Equal(t, []place{{80, 240, 3, false}, {80, 240, 3, true}, {80, 240, 3, false}},
		snapRows([]agency.Picture{portrait, landscape, portrait}))
	assert.Equal(t, place{80, 320, 4, false}, snapRows(make([]agency.Picture, 4))[3])
}
