package media

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/agency"
)

func TestCropFollowsTheFocalPoint(t *testing.T) {
	from := &storage{}
	from.put("a.jpg", asJPEG(t, corners(600, 200), 95)) // wider than a card: left red, right blue
	s := open(t, from)
	left := pictureOf(s, "a.jpg", Options{Crop: Card, Focus: agency.Focus{X: 1, Y: 50}}, 160)
	right := pictureOf(s, "a.jpg", Options{Crop: Card, Focus: agency.Focus{X: 100, Y: 50}}, 160)
	assert.NotEqual(t, left.Src, right.Src,
		"a moved focal point needs a new address, because addresses are cached for ever")
	near(t, red, decoded(t, get(s, left.Src).Body.Bytes()), 140, 10)
	near(t, blue, decoded(t, get(s, right.Src).Body.Bytes()), 10, 10)
	again := pictureOf(s, "a.jpg", Options{Crop: Card, Focus: agency.Focus{X: 1, Y: 50}}, 160)
	assert.Equal(t, http.StatusOK, get(s, again.Src).Code)
	assert.Equal(t, cacheImmutable, get(s, again.Src).Header().Get("Cache-Control"))

	whole := pictureOf(s, "a.jpg", Options{Focus: agency.Focus{X: 1, Y: 50}})
	assert.Equal(t, sourceOf(s, "a.jpg").JPEG, whole.JPEG, "without a crop the focal point doesn't change the address")
	for _, none := range []agency.Focus{
		{X: 0, Y: 50}, {X: 101, Y: 50}, {X: 50, Y: 0}, {X: 999, Y: 999}, {X: -1, Y: 3},
	} {
		assert.Equal(t, pictureOf(s, "a.jpg", Options{Crop: Card}),
			pictureOf(s, "a.jpg", Options{Crop: Card, Focus: none}), none)
	}
}
