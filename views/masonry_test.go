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

func TestALandscapeTakesBothColumnsWhereTheyEndEven(t *testing.T) {
	assert.Equal(t, []place{{1, 48, false}, {2, 48, false}, {0, 43, true}, {1, 48, false}},
		masonry([]agency.Picture{portrait, portrait, landscape, portrait}))
	assert.Equal(t, []place{{0, 43, true}, {1, 48, false}}, masonry([]agency.Picture{landscape, portrait}))
}

func TestALandscapeBesideAPortraitStandsInItsColumn(t *testing.T) {
	assert.Equal(t, []place{{1, 48, false}, {2, 21, true}, {2, 48, false}},
		masonry([]agency.Picture{portrait, landscape, portrait}))
}

func TestTheColumnThatEndsFirstIsFilledNext(t *testing.T) {
	assert.Equal(t, []place{{1, 48, false}, {2, 32, false}, {2, 48, false}, {1, 48, false}},
		masonry([]agency.Picture{portrait, square, portrait, portrait}))
}

func TestAPictureOfUnknownOrOddSizeHasAFrame(t *testing.T) {
	assert.Equal(t, []place{{1, 48, false}}, masonry([]agency.Picture{{}}))
	assert.Equal(t, []place{{1, 80, false}}, masonry([]agency.Picture{{Width: 1, Height: 100}}))
	assert.Equal(t, []place{{0, 16, true}}, masonry([]agency.Picture{{Width: 100, Height: 1}}))
}
