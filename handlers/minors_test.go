package handlers_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/internal/testkit"
)

// What must not be shown of a minor: a measure, and a picture outside the pages.
const (
	secretWaist   = "61.5"
	secretPicture = "secret-cover.jpg"
)

// shapedAgency is a back end with the JSON of a test as its list and profiles.
type shapedAgency struct {
	list, profiles map[string]string // talents as JSON, by id
	order          []string

	mu       sync.Mutex
	composed []string // bodies of the download calls
}

func (a *shapedAgency) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := `{"data": []}`
	switch r.URL.Path {
	case "/api/signin", "/api/login":
		answer = `{"access_token": "a", "token": "t"}`
	case "/api/talents":
		items := make([]string, len(a.order))
		for i, id := range a.order {
			items[i] = a.list[id]
		}
		answer = `{"data": {"data": [` + strings.Join(items, ",") + `]}}`
	case "/api/talent/profile":
		answer = a.profiles[r.URL.Query().Get("id")]
	case "/api/download/gallery", "/api/download/zip":
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		a.mu.Lock()
		a.composed = append(a.composed, r.URL.Path+" "+string(body))
		a.mu.Unlock()
		var archive bytes.Buffer
		zipped := zip.NewWriter(&archive)
		if _, err := zipped.Create("card.pdf"); err != nil {
			return nil, err
		}
		if err := zipped.Close(); err != nil {
			return nil, err
		}
		answer = archive.String()
	}
	return &http.Response{
		StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(answer)), ContentLength: -1, Request: r,
	}, nil
}

// marked gives pictures addresses that tell whether they are kept out of image search.
type marked struct{ storage }

func (marked) Sources(picture agency.Picture, _ agency.Crop, minor bool) agency.Sources {
	return agency.Sources{Src: fmt.Sprintf("/pictures/minor=%t/%s", minor, picture.File)}
}

// shapedTalent is a talent whose gallery and measures would leak.
func shapedTalent(id int, birthdate, categories string) string {
	return fmt.Sprintf(`{"id": %d, "name": "Ana %d", "gender": "woman",
		"height": "170", "waist": %q, "cover": %q, "birthdate": %s,
		"categories": %s, "book": [{"id": 1, "file": %q, "width": 720, "height": 1080}]}`,
		id, id, secretWaist, secretPicture, birthdate, categories, secretPicture)
}

// Whatever makes a talent a minor, and wherever it is said, in the list or in the profile alone: no
// measure but the four, no picture that a search engine may index, no share picture, nothing in
// structured data and sitemaps, and no card with all that the back end knows.
func TestAMinorsDataIsHiddenEverywhere(t *testing.T) {
	const adultDate, adultCategories = `"1990-05-01"`, `[{"id": 1, "name": "models"}]`
	back := &shapedAgency{list: map[string]string{}, profiles: map[string]string{}}
	add := func(date, categories string) {
		for _, source := range []string{"both", "list", "profile"} {
			number := len(back.order) + 1
			id := fmt.Sprint(number)
			adult, minor := shapedTalent(number, adultDate, adultCategories), shapedTalent(number, date, categories)
			back.order = append(back.order, id)
			back.list[id], back.profiles[id] = minor, minor
			switch source {
			case "list":
				back.profiles[id] = adult
			case "profile":
				back.list[id] = adult
			}
		}
	}
	for _, date := range testkit.MinorDates {
		add(date, adultCategories)
	}
	for _, categories := range testkit.MinorCategories {
		add(adultDate, categories)
		if strings.HasPrefix(categories, "[{") {
			add(adultDate, `[{"id": 1, "name": "models"}, `+categories[1:])
		}
	}
	site := siteOver(t, back, func(s *handlers.Services) { s.Site.Pictures = marked{} })

	check := func(where, body string) {
		require.False(t, strings.Contains(body, secretWaist), "a minor's hidden measures are not shown: %s", where)
		require.False(t, strings.Contains(body, "minor=false/"+secretPicture),
			"a minor's pictures are marked: %s", where)
	}
	for _, id := range back.order { // before that the site knows the list only
		get(site, "/models/"+id+"/ana-"+id)
	}
	for _, id := range back.order {
		what := "list " + back.list[id] + " profile " + back.profiles[id]
		page := get(site, "/models/"+id+"/ana-"+id)
		require.Equal(t, http.StatusOK, page.Code, what)
		check(what, page.Body.String())
		require.Contains(t, page.Body.String(), `content="noimageindex"`, what)
		require.NotContains(t, sharePicture(t, page.Body.String()), "/storage/", what)
		person := structuredData(t, site, "/models/"+id+"/ana-"+id)["ProfilePage"]["mainEntity"].(map[string]any)
		require.ElementsMatch(t, []string{"@type", "name", "memberOf"}, slices.Collect(maps.Keys(person)), what)
		frames := get(site, "/models/"+id+"/ana-"+id+"/frames")
		check("frames, "+what, frames.Body.String())
		require.Equal(t, "no-store", frames.Header().Get("Cache-Control"), what)
		require.Equal(t, http.StatusOK, get(site, "/models/"+id+"/ana-"+id+"/composite", client, id).Code, what)
	}
	for _, path := range []string{
		"/models?show=2000", "/models/women?show=2000", "/models/kids?show=2000", "/pt/anything?show=2000",
		"/favorites?ids=" + strings.Join(back.order, ","), "/favorites/compare?ids=1,2,3,4", "/sitemap-talents-1.xml",
	} {
		page := get(site, path)
		require.Equal(t, http.StatusOK, page.Code, path)
		check(path, page.Body.String())
	}
	for from := 0; from < len(back.order); from += 50 {
		ids := strings.Join(back.order[from:min(from+50, len(back.order))], ",")
		require.Equal(t, http.StatusOK, get(site, "/favorites/composites?ids="+ids).Code)
	}
	for _, asked := range back.composed {
		require.NotContains(t, asked, "/api/download/zip", "the back end's zip would include a minor's measures")
		check("a card", asked)
	}
	assert.GreaterOrEqual(t, len(back.composed), 2*len(back.order),
		"one card for each profile, and one for each in a shortlist's zip")
}

// agesInProfiles is a back end whose list has no birth dates; those in the profiles are JSON.
func agesInProfiles(born ...string) *shapedAgency {
	back := &shapedAgency{list: map[string]string{}, profiles: map[string]string{}}
	for i, date := range born {
		id := fmt.Sprint(i + 1)
		back.order = append(back.order, id)
		back.list[id], back.profiles[id] = shapedTalent(i+1, `null`, `[]`), shapedTalent(i+1, date, `[]`)
	}
	return back
}

// A shortlist's zip asks each profile first: a list alone may not know the minor.
func TestAShortlistWithAMinorKnownOnlyFromTheProfile(t *testing.T) {
	back := agesInProfiles(`"31.12.2012"`, `"1990-05-01"`)
	answer := get(siteOver(t, back), "/favorites/composites?ids=1,2")
	require.Equal(t, http.StatusOK, answer.Code)
	archive, err := zip.NewReader(bytes.NewReader(answer.Body.Bytes()), int64(answer.Body.Len()))
	require.NoError(t, err)
	assert.Len(t, archive.File, 2)
	asked := strings.Join(back.composed, "\n")
	assert.Contains(t, asked, `/api/download/zip {"gallery":"compo","talents":[2]}`)
	assert.Equal(t, 1, strings.Count(asked, "/api/download/gallery"))
	assert.NotContains(t, asked, secretWaist)
	assert.Contains(t, asked, secretPicture, "the card has the pictures of the profile")
}

func TestAPartialProfileSaysSoAndRecovers(t *testing.T) {
	site, fake := fakeSite(t, func(c *testkit.Content) { c.Talents = testkit.Talents(3) })
	require.Equal(t, http.StatusOK, get(site, "/models").Code)
	fake.Break("/api/talent/profile", testkit.Status(http.StatusInternalServerError))
	address := get(site, "/models/1/x").Header().Get("Location")
	page := get(site, address)
	assert.Equal(t, http.StatusOK, page.Code)
	assert.Contains(t, page.Body.String(), "The pictures could not be loaded just now.")
	assert.NotContains(t, page.Body.String(), "Book coming soon.")
	assert.Equal(t, "no-store", page.Header().Get("Cache-Control"))
	assert.Equal(t, http.StatusServiceUnavailable, get(site, address+"/composite").Code)
	assert.Equal(t, http.StatusServiceUnavailable, get(site, "/favorites/composites?ids=1,2").Code)
	fake.Heal()
	assert.Eventually(t, func() bool {
		return strings.Contains(get(site, address).Body.String(), "book-1.jpg")
	}, time.Minute, 50*time.Millisecond)
	assert.Equal(t, http.StatusOK, get(site, address+"/composite").Code)
}

// A list without birth dates shows adults in full from its first page on, and minors never.
func TestAgesThatOnlyProfilesSayHoldOnTheFirstPage(t *testing.T) {
	back := agesInProfiles(`"31.12.2016"`, `null`)
	site := siteOver(t, back, func(s *handlers.Services) { s.Site.Pictures = marked{} })
	page := get(site, "/pt/anything").Body.String()
	assert.Equal(t, 1, strings.Count(page, `data-measure="waist"`))
	sitemap := get(site, "/sitemap-talents-1.xml").Body.String()
	assert.NotContains(t, sitemap, "minor=true")
	assert.Contains(t, sitemap, "minor=false/"+secretPicture, "the adult's picture")
}
