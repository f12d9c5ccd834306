package handlers_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/internal/testkit"
	"zedcard/internal/web"
)

// cachedSite is the demo site behind the page cache, as in the program. hits counts what was served from the cache.
type cachedSite struct {
	http.Handler
	hits int
}

func newCachedSite(t *testing.T, options ...func(*handlers.Services)) *cachedSite {
	t.Helper()
	now := time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)
	var services *handlers.Services
	pages := web.NewPageCache(web.PageCacheOptions{
		MaxBytes: 8 << 20, MaxAge: time.Hour,
		Version: func(time.Time) web.PageVersion { return web.PageVersion{Content: services.Catalog.Version()} },
		Now:     func() time.Time { return now },
	})
	site := &cachedSite{}
	kept := func(s *handlers.Services) { s.Pages, services = pages, s }
	all := demoSite(t, append(options, withPreview, kept)...)
	cached := pages.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site.hits-- // as it is none
		all.ServeHTTP(w, r)
	}))
	site.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site.hits++
		cached.ServeHTTP(w, r)
	})
	return site
}

// servedFromCache requests an address until it is served from the cache, at most three times: the first requests fill
// the catalogue.
func (s *cachedSite) servedFromCache(path string, headers ...string) bool {
	for range 3 {
		before := s.hits
		if get(s, path, headers...); s.hits > before {
			return true
		}
	}
	return false
}

func TestATrainingCrawlerGetsNoChildrenFromTheCacheEither(t *testing.T) {
	site := newCachedSite(t)
	for range 3 {
		assert.Equal(t, http.StatusOK, get(site, "/models/kids").Code)
		assert.Equal(t, http.StatusNotFound, get(site, "/models/kids", "User-Agent", "GPTBot/1.3").Code)
	}
}

func TestSharedPagesAreCached(t *testing.T) {
	site := newCachedSite(t)
	for _, path := range []string{
		"/", "/pt", "/es", "/models", "/pt/mulheres", "/models?letter=A",
		"/models/women?subcategory=curve", "/creative", "/about",
		"/pt/privacy", "/future-face", "/blog", "/feed.xml", "/pt/feed.xml",
		"/models/101/benedita-nascimento", "/robots.txt",
		"/sitemap.xml", "/sitemap-pages.xml", "/sitemap-talents-1.xml", "/site.webmanifest",
	} {
		assert.True(t, site.servedFromCache(path), "%s is cached", path)
	}
}

func TestCachedPagesHoldNothingPersonal(t *testing.T) {
	site := newCachedSite(t)
	for _, path := range []string{"/contact", "/be-a-model", "/favorites", "/favorites?ids=1,2", "/_copy"} {
		assert.False(t, site.servedFromCache(path), "%s is personal or has a form token, so it is not cached", path)
	}
	require.True(t, site.servedFromCache("/models"))
	board := get(site, "/models").Body.String()

	saved := post(site, "/favorites", map[string]string{"save": talentsOf(t, get(site, "/models"))[0]})
	assert.False(t, site.servedFromCache("/models", cookies(saved)...))
	assert.Contains(t, get(site, "/models", cookies(saved)...).Body.String(), `aria-pressed="true"`)
	assert.Equal(t, board, get(site, "/models").Body.String(), "other visitors don't see the saved talent")

	editor := get(site, "/_copy?token="+url.QueryEscape(previewToken))
	assert.False(t, site.servedFromCache("/models?copy=keys", cookies(editor)...))
	assert.Contains(t, get(site, "/models?copy=keys", cookies(editor)...).Body.String(), "[nav.apply]")
	assert.NotContains(t, get(site, "/models?copy=keys").Body.String(), "[nav.apply]")
	assert.Equal(t, board, get(site, "/models").Body.String(), "other visitors don't see the text keys")
}

// sizedPictures have two sizes in each format.
type sizedPictures struct{ storage }

func (s sizedPictures) Sources(picture agency.Picture, crop agency.Crop, minor bool) agency.Sources {
	sources := s.storage.Sources(picture, crop, minor)
	sources.Srcset, sources.AVIF = "/m/360.jpg 360w, /m/1080.jpg 1080w", "/m/360.avif 360w, /m/720.avif 720w"
	return sources
}

func TestWhoSavesDataGetsSmallPicturesAndNobodyElse(t *testing.T) {
	site := newCachedSite(t, func(s *handlers.Services) {
		s.Site.Pictures, s.Site.Slides = sizedPictures{}, sizedPictures{}
	})
	for _, path := range []string{"/", "/models/women", "/models/101/benedita-nascimento", "/blog"} {
		for _, saves := range []string{"on", "", "on", ""} { // made, then from the cache
			answer := get(site, path, "Save-Data", saves)
			body := answer.Body.String()
			assert.Contains(t, answer.Header().Values("Vary"), "Save-Data", path)
			has(t, body, "/m/360.avif 360w", "/m/360.jpg 360w")
			for _, others := range []string{"720w", "1080w", `as="font"`} {
				assert.Equal(t, saves == "", strings.Contains(body, others), "%s, %q: %s", path, saves, others)
			}
		}
	}
	assert.Positive(t, site.hits)
	tag := get(site, "/models/women").Header().Get("ETag")
	assert.Equal(t, http.StatusNotModified, get(site, "/models/women", "If-None-Match", tag).Code)
	saving := get(site, "/models/women", "If-None-Match", tag, "Save-Data", "on")
	assert.Equal(t, http.StatusOK, saving.Code, "it is another page")
}

func TestOnlyCanonicalAddressesAreCached(t *testing.T) {
	site := newCachedSite(t)
	require.True(t, site.servedFromCache("/models/women?view=sheet"))
	opened := links(t, site, "/models/women?view=sheet", cardLink)[0]
	assert.True(t, site.servedFromCache(opened))
	for _, path := range []string{
		opened + "&show=40", opened + "&x=1", opened + "&gender=woman", opened + "&q=",
		withoutQuery(opened) + "?list=women&q=made-up",
		"/models?utm_source=x", "/models?letter=ZZ", "/about?x=1", "/nowhere", "/models/999999/nobody",
		"/sitemap.xml?x=1", "/sitemap-other.xml",
	} {
		assert.False(t, site.servedFromCache(path), path)
	}
}

func TestAPageShowsChangedContent(t *testing.T) {
	now := time.Date(2026, time.December, 31, 12, 0, 0, 0, time.UTC)
	fake := testkit.NewFake(t)
	fake.Change(smallAgency)
	content := cached(t, fake.Panel(), fake.Integration(), time.Nanosecond)
	site := siteOf(t, content, nil, func(s *handlers.Services) { s.Now = func() time.Time { return now } })
	for _, path := range []string{"/models/women", "/models/women?height_from=170"} {
		require.Contains(t, get(site, path).Body.String(), "177.5", path)
	}
	fake.Change(func(c *testkit.Content) {
		c.Talents = slices.Clone(c.Talents)
		c.Talents[0].Name, c.Talents[0].Measures.Height = "Ada", "171"
		newcomer := agency.SocialMedia{Name: "Newcomer", URL: "https://social.example/best"}
		c.SocialMedias = append(slices.Clip(c.SocialMedias), newcomer)
	})
	for _, path := range []string{"/models/women", "/models/women?height_from=170"} {
		assert.Eventually(t, func() bool { // refreshed behind
			page := get(site, path).Body.String()
			return !strings.Contains(page, "177.5") && strings.Contains(page, "<dd>171") &&
				!strings.Contains(page, "Ágata") && strings.Contains(page, "Newcomer")
		}, time.Minute, time.Millisecond, path)
	}
	now = now.AddDate(0, 0, 1)
	assert.Contains(t, get(site, "/models/women").Body.String(), "© 2027",
		"the cached page is rendered again after midnight")
}

func TestAFormHoldsNothingOfOtherVisitors(t *testing.T) {
	o := open(t)
	blank := get(o, "/be-a-model").Body.String()
	other := get(o, "/be-a-model").Body.String()
	mine, theirs := valueOf(t, blank, "form_token"), valueOf(t, other, "form_token")
	assert.NotEqual(t, mine, theirs, "each page has its own form token")
	assert.Equal(t, strings.ReplaceAll(blank, mine, ""), strings.ReplaceAll(other, theirs, ""))

	wrong := o.upload("/be-a-model", with(applicant, "form_token", o.token("/be-a-model"), "email", "ana@"), nil)
	require.Contains(t, wrong.Body.String(), "Ana Souza")
	after := get(o, "/be-a-model").Body.String()
	assert.Equal(t, strings.ReplaceAll(blank, mine, ""),
		strings.ReplaceAll(after, valueOf(t, after, "form_token"), ""), "other visitors don't see what was typed")
}

func TestACDNMayCacheSharedPagesOnly(t *testing.T) {
	site := demoSite(t, func(s *handlers.Services) { s.CDNMaxAge = time.Minute })
	for path, want := range map[string]string{
		"/about":                  "public, max-age=0, s-maxage=60, stale-while-revalidate=60, stale-if-error=86400",
		"/be-a-model":             "private, no-cache",
		"/models/128/lia-sampaio": "no-store",
		"/models/1/nobody":        "no-store",
	} {
		assert.Equal(t, want, get(site, path).Header().Get("Cache-Control"), path)
	}
	assert.NotContains(t, get(site, "/about", "Cookie", "shortlist=x").Header().Get("Cache-Control"), "s-maxage")
}

// smallAgency has a woman, a man and two posts.
func smallAgency(c *testkit.Content) {
	c.Talents = []agency.Talent{
		{
			ID: "1", Name: "Ágata O’Neill <i>", Gender: agency.Woman, Cover: agency.Picture{File: "agata/cover.jpg"},
			Categories: models, Measures: agency.Measures{Height: "177.5"},
			Book: []agency.Picture{{ID: "1", File: "agata/1.jpg", Width: 720, Height: 1080}},
		},
		{ID: "2", Name: "Bento", Gender: agency.Man, Categories: models, Measures: agency.Measures{Height: "186"}},
	}
	c.Posts["news"] = c.Posts["news"][:2]
}
