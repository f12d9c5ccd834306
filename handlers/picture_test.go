package handlers_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/views/ui"
)

// sets is a storage that has two sizes of each picture.
type sets struct {
	storage
	avif bool
}

func (s sets) Sources(agency.Picture, ui.Shape, bool) ui.Sources {
	sources := ui.Sources{Src: "/1.jpg", Srcset: "/1.jpg 360w, /2.jpg?a=1&b=2 720w", Width: 720, Height: 960}
	if s.avif {
		sources.Better = []ui.Set{{Type: "image/avif", Srcset: "/1.avif 360w, /2.avif 720w"}}
	}
	return sources
}

func TestAPageNamesItsFirstPictureForWhoFetchesItEarly(t *testing.T) {
	for avif, want := range map[bool]string{
		true:  "image/avif | /1.avif 360w, /2.avif 720w | (min-width:",
		false: "image/jpeg | /1.jpg 360w, /2.jpg?a=1&b=2 720w | (min-width:",
	} {
		site := demoSite(t, func(s *handlers.Services) { s.Site.Pictures = sets{avif: avif} })
		for _, path := range []string{"/models/women", "/models/101/benedita-nascimento"} {
			assert.Contains(t, get(site, path).Header().Get("First-Picture"), want, path)
		}
		kid := regexp.MustCompile(`/models/\d+/[\w-]+`).FindString(get(site, "/models/kids").Body.String())
		assert.NotContains(t, get(site, kid).Header(), "First-Picture", "a minor's picture waits for the visit")
		assert.NotContains(t, get(site, "/privacy").Header(), "First-Picture")
	}
}
