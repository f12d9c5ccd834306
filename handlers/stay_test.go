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

// The fake's talents are in Lisbon from 20 to 25 November.
func TestAStayIsShownAndFoundUntilItsLastDay(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, time.November, n, 0, 0, 0, 0, time.UTC) }
	talent := func(id string, born int) agency.Talent {
		return agency.Talent{
			ID: id, Name: "Ana " + id, Gender: agency.Woman, Cover: agency.Picture{File: "a.jpg"},
			Birthdate:  time.Date(born, time.March, 1, 0, 0, 0, 0, time.UTC),
			Categories: []agency.Category{{ID: agency.ModelsID, Name: "models"}},
			Stay:       agency.Stay{City: "Lisbon", From: day(20), Until: day(25)},
		}
	}
	fake := backendtest.NewFake(t)
	fake.Change(func(c *backendtest.Content) {
		elsewhere := talent("9", 2000)
		elsewhere.Stay = agency.Stay{}
		c.Talents = []agency.Talent{talent("7", 2000), talent("8", 2012), elsewhere}
	})
	for _, c := range []struct {
		today         int
		words         string
		found, listed bool
	}{
		{19, "In Lisbon from 20 November to 25 November", true, true},
		{25, "In Lisbon until 25 November", true, true},
		{26, "Lisbon", false, false},
	} {
		site := newSite(t, fake.Panel(), fake.Integration(), func(s *handlers.Services) {
			s.Now = func() time.Time { return day(c.today).Add(23 * time.Hour) }
		})
		board := get(site, "/models").Body.String()
		assert.Equal(t, c.listed, strings.Contains(board, c.words), c.today)
		assert.Equal(t, c.listed, strings.Contains(board, `<option value="Lisbon"`), c.today)
		assert.Equal(t, c.listed, strings.Contains(get(site, "/models/7/ana-7").Body.String(), c.words), c.today)
		assert.NotContains(t, get(site, "/models/8/ana-8").Body.String(), "Lisbon", "a minor's is nobody's business")

		found := get(site, "/models?city=Lisbon").Body.String()
		assert.Contains(t, found, `data-talent="7"`)
		assert.NotEqual(t, c.found, strings.Contains(found, `data-talent="8"`), "a minor is not found by their city")
		assert.NotEqual(t, c.found, strings.Contains(found, `data-talent="9"`), "over: as if no city were asked for")
	}
}
