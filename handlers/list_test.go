package handlers_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/agency"
	"zedcard/internal/testkit"
	"zedcard/internal/testkit/htmltest"
)

// bornIn is a model who was born in March of a year: one of 2000 is an adult, one of 2012 a minor.
func bornIn(year int, id string) agency.Talent {
	return agency.Talent{
		ID: id, Name: "Ana " + id, Gender: agency.Woman, Cover: agency.Picture{File: "a.jpg"}, Categories: models,
		Birthdate: time.Date(year, time.March, 1, 0, 0, 0, 0, time.UTC),
	}
}

// namesOn are the names of an index in their order, each letter before its own.
func namesOn(t *testing.T, site http.Handler, path string) (names []string) {
	t.Helper()
	page := get(site, path).Body.String()
	for _, letter := range htmltest.Read(t, page).Attrs("section[id^=letter-]", "id") {
		names = append(names, letter)
		names = append(names, htmltest.Read(t, page).Words("#"+letter+" b")...)
	}
	return names
}

func TestALongIndexOfNamesHasAPageForEachLetter(t *testing.T) {
	site := rosterSite(t, testkit.Talents(1000))
	page := htmltest.Read(t, get(site, "/models?view=names").Body.String())
	assert.Len(t, page.Find("section"), 1)
	assert.NotEmpty(t, page.Find("a[data-letter][href*='letter='][href$='&view=names']"))
	assert.Less(t, len(namesOn(t, site, "/models?view=names")), 202)
}

func TestAContactSheetHas24FramesMoreAtATime(t *testing.T) {
	site := rosterSite(t, testkit.Talents(100))
	page := get(site, "/models?view=sheet")
	assert.Len(t, talentsOf(t, page), 24)
	has(t, page.Body.String(), ">24A</span>", `href="/models?show=40&amp;view=sheet#n25"`,
		`<link rel="canonical" href="https://best.example/models">`)
	assert.Len(t, talentsOf(t, get(site, "/models?show=40&view=sheet")), 48)
}

func TestAListEndsAtMaxShow(t *testing.T) {
	site := rosterSite(t, testkit.Talents(3*agency.MaxShow))
	assert.Contains(t, get(site, "/models").Body.String(), "/models?show=40")
	for _, path := range []string{"/models?show=2000", "/models?show=2020"} {
		page := get(site, path)
		assert.Len(t, talentsOf(t, page), agency.MaxShow, path)
		lacks(t, page.Body.String(), "show=2020", "show=40")
	}
}

func TestASlideNamesItsTalentUnlessTheyAreAMinor(t *testing.T) {
	for born, named := range map[int]bool{2000: true, 2015: false} {
		site, _ := fakeSite(t, func(c *testkit.Content) {
			c.Talents = []agency.Talent{bornIn(born, "7")}
			c.Slides = []agency.Slide{
				{Mobile: "m.jpg", Desktop: "d.jpg", Group: 1, Talent: "7"},
				{Mobile: "m.jpg", Desktop: "d.jpg", Group: 2, Talent: "8"},
			}
		})
		home := get(site, "/pt").Body.String()
		assert.Equal(t, named, strings.Contains(home, `<a href="/pt/models/7/ana-7">Ana 7</a>`), born)
		assert.Equal(t, named, strings.Contains(home, "Ana 7"), born)
	}
}
