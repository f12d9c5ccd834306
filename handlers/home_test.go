package handlers_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/agency"
	"zedcard/internal/backend/backendtest"
)

func TestASlideNamesItsTalentUnlessTheyAreAMinor(t *testing.T) {
	for born, named := range map[int]bool{2000: true, 2015: false} {
		site, _ := fakeSite(t, func(c *backendtest.Content) {
			c.Talents = []agency.Talent{{
				ID: "7", Name: "Ana Lima", Gender: agency.Woman, Cover: agency.Picture{File: "a.jpg"},
				Birthdate: time.Date(born, time.March, 1, 0, 0, 0, 0, time.UTC), Categories: models,
			}}
			c.Slides = []agency.Slide{
				{Mobile: "m.jpg", Desktop: "d.jpg", Group: 1, Talent: "7"},
				{Mobile: "m.jpg", Desktop: "d.jpg", Group: 2, Talent: "8"},
			}
		})
		const link = `<a href="/pt/models/7/ana-lima">Ana Lima</a>`
		assert.Equal(t, named, strings.Contains(get(site, "/pt").Body.String(), link), born)
		assert.Equal(t, named, strings.Contains(get(site, "/pt").Body.String(), "Ana Lima"), born)
	}
}
