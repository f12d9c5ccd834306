package handlers_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/internal/backend/backendtest"
)

func TestACardNamesItsLivingCoverUnlessItIsAMinors(t *testing.T) {
	for storage, want := range map[string]string{
		"": "/living/7.mp4", "https://storage.example/s/": "https://storage.example/s/loops/a.mp4",
	} {
		for born, shown := range map[int]bool{2000: true, 2012: false} {
			fake := backendtest.NewFake(t)
			fake.Change(func(c *backendtest.Content) {
				c.Talents = []agency.Talent{{
					ID: "7", Name: "Ana", Gender: agency.Woman, Living: "loops/a.mp4",
					Birthdate:  time.Date(born, time.March, 1, 0, 0, 0, 0, time.UTC),
					Categories: []agency.Category{{ID: agency.ModelsID, Name: "models"}},
				}}
			})
			site := newSite(t, fake.Panel(), fake.Integration(), func(s *handlers.Services) {
				s.Site.Storage = storage
			})
			board := get(site, "/models").Body.String()
			assert.Equal(t, shown, strings.Contains(board, `data-living="`+want+`"`), "%s %d", want, born)
			assert.Equal(t, shown, strings.Contains(board, "data-living"))
		}
	}
}
