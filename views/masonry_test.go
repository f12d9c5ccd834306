package views

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/agency"
)

func classes(pictures ...agency.Picture) []string {
	var classes []string
	for _, place := range masonry(pictures) {
		classes = append(classes, place.class)
	}
	return classes
}

var (
	portrait  = agency.Picture{Width: 800, Height: 1200}
	square    = agency.Picture{Width: 900, Height: 900}
	landscape = agency.Picture{Width: 1200, Height: 800}
)

func TestALandscapeTakesBothColumnsWhereTheyEndEven(t *testing.T) {
	assert.Equal(t, []string{"span-48", "gallery__item--right span-48", "land wide-43", "span-48"},
		classes(portrait, portrait, landscape, portrait))
	assert.Equal(t, []string{"land wide-43", "span-48"}, classes(landscape, portrait))
}

func TestALandscapeBesideAPortraitStandsInItsColumn(t *testing.T) {
	assert.Equal(t,
		[]string{"span-48", "land gallery__item--right span-21", "gallery__item--right span-48"}, classes(portrait, landscape, portrait))
}

func TestTheColumnThatEndsFirstIsFilledNext(t *testing.T) {
	assert.Equal(t, []string{"span-48", "gallery__item--right span-32", "gallery__item--right span-48", "span-48"},
		classes(portrait, square, portrait, portrait))
}

func TestAPictureOfUnknownOrOddSizeHasAFrame(t *testing.T) {
	assert.Equal(t, []string{"span-48"}, classes(agency.Picture{}))
	assert.Equal(t, []string{"span-80"}, classes(agency.Picture{Width: 1, Height: 100}))
	assert.Equal(t, []string{"land wide-16"}, classes(agency.Picture{Width: 100, Height: 1}))
}
