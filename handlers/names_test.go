package handlers_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/agency"
	"zedcard/internal/backend/backendtest"
)

var indexedName = regexp.MustCompile(`<b [^>]*>([^<]*)</b>|<section[^>]* id="(letter-[^"]*)"`)

// namesOn are the names of an index in their order, each letter before its own.
func namesOn(site http.Handler, path string) []string {
	var names []string
	for _, match := range indexedName.FindAllStringSubmatch(get(site, path).Body.String(), -1) {
		names = append(names, match[1]+match[2])
	}
	return names
}

func TestNamesAreAnIndexOfABoardInTheOrderOfTheLanguage(t *testing.T) {
	var talents []agency.Talent
	for i, name := range []string{
		"Zoë", "Ágata B", "Łucja", "agata A", "Жанна", "Luz", "Ñandú", "Nadia", "Clara",
	} {
		talents = append(talents, agency.Talent{
			ID: fmt.Sprint(i + 1), Name: name, Gender: agency.Woman, Categories: models,
			Measures: agency.Measures{Height: "131", Waist: "57"},
		})
	}
	talents[8].Categories = kids
	site := rosterSite(t, talents)
	assert.Equal(t, []string{
		"letter-A", "agata A", "Ágata B", "letter-L", "Łucja", "Luz", "letter-N", "Nadia", "Ñandú",
		"letter-Z", "Zoë", "letter-other", "Жанна",
	}, namesOn(site, "/es/mujeres?view=names"), "kids are listed on the kids board only")
	assert.Equal(t, []string{"letter-N", "Nadia", "Ñandú"}, namesOn(site, "/models?view=names&letter=N"))

	children := get(site, "/models/kids?view=names").Body.String()
	assert.Contains(t, children, "Clara")
	assert.NotContains(t, children, ">57<", "a minor's waist is not shown")

	page := get(site, "/models/women?view=names").Body.String()
	assert.Contains(t, page, `<link rel="canonical" href="https://best.example/models/women">`)
	assert.Contains(t, page, `href="#letter-A"`, "each letter links to its section")
	assert.Contains(t, page, `href="/models/women?subcategory=curve&amp;view=names"`, "filter links keep the view")
	assert.NotContains(t, get(site, "/creative?view=names").Body.String(), `view=names`, "creatives have no names view")
}

func TestALongIndexOfNamesHasAPageForEachLetter(t *testing.T) {
	site := rosterSite(t, backendtest.Talents(1000))
	page := get(site, "/models?view=names").Body.String()
	assert.Equal(t, 1, strings.Count(page, "<section"))
	assert.Regexp(t, `href="[^"#]*letter=[A-Z]&amp;view=names" data-letter=`, page)
	assert.Less(t, len(namesOn(site, "/models?view=names")), 202)
}

func TestAContactSheetHas24FramesMoreAtATime(t *testing.T) {
	site := rosterSite(t, backendtest.Talents(100))
	page := get(site, "/models?view=sheet").Body.String()
	assert.Equal(t, 24, strings.Count(page, "data-talent="))
	has(t, page, ">24A</span>", `href="/models?show=40&amp;view=sheet#n25"`,
		`<link rel="canonical" href="https://best.example/models">`)
	assert.Equal(t, 48, strings.Count(get(site, "/models?show=40&view=sheet").Body.String(), "data-talent="))
}
