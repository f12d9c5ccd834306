package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestACardShowsAPictureOfTheBookAndASnapBesideItsCover(t *testing.T) {
	site := demoSite(t)
	const profile = "/models/101/benedita-nascimento"
	for _, prefix := range []string{"", "/pt", "/es"} {
		answer := get(site, prefix+profile+"/frames")
		require.Equal(t, http.StatusOK, answer.Code, prefix)
		frames := strings.Split(answer.Body.String(), "data-frame")[1:]
		require.Len(t, frames, 3, prefix)
		assert.NotContains(t, frames[0], "<img", "the cover is not repeated in the frames")
		for _, frame := range frames[1:] {
			assert.Equal(t, 1, strings.Count(frame, "<img"))
			assert.Contains(t, frame, `loading="lazy"`, "pictures load only when shown")
		}
		assert.Contains(t, answer.Header().Values("X-Robots-Tag"), "noindex")
	}
	assert.Equal(t, http.StatusPermanentRedirect, get(site, "/models/101/somebody/frames").Code)
	assert.Equal(t, http.StatusNotFound, get(site, "/models/999/somebody/frames").Code)
}
