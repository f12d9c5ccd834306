package handlers_test

import (
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/backend/backendtest"
	"zedcard/internal/routes"
)

var update = flag.Bool("update", false, "write testdata/golden anew; look at the difference before you commit it")

// goldenInEveryLanguage are the screens that stand for the others in the languages that are not English: a list and a
// profile have every part of a page that depends on the language (addresses, numbers, units, texts).
var goldenInEveryLanguage = []string{"women", "profile"}

// TestGoldenPages compares a page of each screen with the one in testdata, so that nothing changes on a page without
// being reviewed: go test ./handlers -run Golden -update
func TestGoldenPages(t *testing.T) {
	site, fake := fakeSite(t, smallAgency)
	ana := fake.Content().Talents[0]
	for _, lang := range texts.Langs() {
		for name, path := range map[string]string{
			"home":        routes.Path(lang, routes.Home),
			"women":       table.Path(lang, "women"),
			"empty":       table.Path(lang, "men") + "?letter=Z",
			"profile":     table.Talent(lang, &ana),
			"video":       table.Talent(lang, &ana) + "?gallery=video",
			"about":       routes.Path(lang, routes.About),
			"privacy":     routes.Path(lang, routes.Privacy),
			"future-face": routes.Path(lang, routes.FutureFace),
			"blog":        routes.Path(lang, routes.Blog),
			"post":        routes.PostPath(lang, "news", "post-1"),
			"favorites":   routes.Path(lang, routes.Favorites),
			"not-found":   table.Path(lang, routes.Models) + "/nothing/at/all",
		} {
			if lang.Lang != i18n.EN && !slices.Contains(goldenInEveryLanguage, name) {
				continue
			}
			t.Run(name+"."+string(lang.Lang), func(t *testing.T) {
				first, answer := get(site, path), get(site, path)
				assert.Equal(t, first.Body.String(), answer.Body.String(), "the cached page equals the rendered one")
				want := http.StatusOK
				if name == "not-found" {
					want = http.StatusNotFound
				}
				require.Equal(t, want, answer.Code)
				page := readable(answer.Body.String())
				file := filepath.Join("testdata", "golden", name+"."+string(lang.Lang)+".html")
				if *update {
					require.NoError(t, os.WriteFile(file, []byte(page), 0o644))
					return
				}
				golden, err := os.ReadFile(file)
				require.NoError(t, err, "golden file missing: create it with -update")
				assert.Equal(t, string(golden), page)
			})
		}
	}
}

var hashes = regexp.MustCompile(`(/static/[a-z0-9-]+?|/static/chunk)-[A-Z0-9]{8}\.`)

// readable puts every element on a line of its own and leaves out the hashes of built files.
func readable(page string) string {
	return strings.ReplaceAll(hashes.ReplaceAllString(page, "$1."), "><", ">\n<") + "\n"
}

// smallAgency has one talent of each kind that pages tell apart.
func smallAgency(c *backendtest.Content) {
	c.Talents = []agency.Talent{
		{
			ID: "1", Name: "Ágata O’Neill <i>", Gender: agency.Woman, Cover: agency.Picture{File: "agata/cover.jpg"},
			Categories: []agency.Category{models[0], {ID: 1911, Name: "curve"}, {ID: 2000, Name: "new faces"}},
			Measures: agency.Measures{
				Height: "177.5", Bust: "90", Waist: "70", Suit: "40",
				Hips: "100", Shoes: "39.5", Hair: "Black", Eyes: "Blue",
			},
			Book: []agency.Picture{
				{ID: "1", File: "agata/1.jpg", Width: 720, Height: 1080},
				{ID: "2", File: "agata/2.jpg", Width: 1080, Height: 720},
			},
			Snap: []agency.Picture{{ID: "3", File: "agata/3.jpg"}},
			Video: []agency.Video{
				{Provider: "youtube", File: "abc"},
				{Provider: "vimeo", File: "123/def", Preview: "agata/4.jpg"},
			},
		},
		{ID: "2", Name: "Bento", Gender: agency.Man, Categories: models, Measures: agency.Measures{
			Height: "1,86 m", Suit: "48",
		}},
		{
			ID: "3", Name: "Clara", Gender: agency.Woman, Cover: agency.Picture{File: "clara/cover.jpg"},
			Birthdate:  time.Date(2017, 5, 1, 0, 0, 0, 0, time.UTC),
			Categories: kids,
			Measures:   agency.Measures{Height: "130", Waist: "55", Shoes: "33"},
		},
		{ID: "4", Name: "Davi", Categories: []agency.Category{
			{ID: agency.CreativeID, Name: "creative"}, {ID: 1925, Name: "stylist"},
		}},
	}
	c.Posts["news"] = c.Posts["news"][:2]
	for _, name := range []string{"privacy", "future-face"} {
		c.Entities = append(c.Entities, agency.Entity{
			Name: name, Title: name,
			Body: "<p>In short.</p><h2>Who</h2><p>We.</p><script>alert(1)</script><h2>How</h2><p>So.</p>",
		})
	}
}
