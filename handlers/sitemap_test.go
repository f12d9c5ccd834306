package handlers_test

import (
	"encoding/json"
	"encoding/xml"
	"image/jpeg"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/internal/backend/backendtest"
)

type sitemap struct {
	Sitemaps []string `xml:"sitemap>loc"`
	Pages    []struct {
		Loc        string `xml:"loc"`
		Alternates []struct {
			Lang string `xml:"hreflang,attr"`
			Href string `xml:"href,attr"`
		} `xml:"http://www.w3.org/1999/xhtml link"`
		Pictures []string `xml:"http://www.google.com/schemas/sitemap-image/1.1 image>loc"`
	} `xml:"url"`
}

func readSitemap(t *testing.T, site http.Handler, address string) sitemap {
	t.Helper()
	answer := get(site, strings.TrimPrefix(address, "https://best.example"))
	require.Equal(t, http.StatusOK, answer.Code, address)
	assert.Contains(t, answer.Header().Get("Content-Type"), "xml")
	var read sitemap
	require.NoError(t, xml.Unmarshal(answer.Body.Bytes(), &read))
	return read
}

func TestRobotsLeadToSitemapsOfPagesPostsAndTalents(t *testing.T) {
	site := demoSite(t)
	robots := get(site, "/robots.txt").Body.String()
	has(t, robots, "Sitemap: https://best.example/sitemap.xml\n", "User-agent: *\nAllow: /\n\n")

	require.Equal(t, []string{
		origin + "/sitemap-pages.xml", origin + "/sitemap-posts.xml", origin + "/sitemap-talents-1.xml",
	}, readSitemap(t, site, "/sitemap.xml").Sitemaps)
	for _, wrong := range []string{
		"/sitemap-talents-2.xml", "/sitemap-talents-0.xml",
		"/sitemap-talents-01.xml", "/sitemap-pages", "/sitemap-other.xml",
	} {
		assert.Equal(t, http.StatusNotFound, get(site, wrong).Code, wrong)
	}
}

func TestALargeRosterIsSplitIntoSitemaps(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	site := rosterSite(t, backendtest.Talents(6000))
	index := readSitemap(t, site, "/sitemap.xml")
	require.Len(t, index.Sitemaps, 4)
	assert.Len(t, readSitemap(t, site, index.Sitemaps[2]).Pages, 3*5000)
	assert.NotEmpty(t, readSitemap(t, site, index.Sitemaps[3]).Pages)
}

func TestFeedIsInThePagesLanguageWithPortuguesePosts(t *testing.T) {
	site := demoSite(t)
	for path, lang := range map[string]string{"/feed.xml": "en", "/pt/feed.xml": "pt", "/es/feed.xml": "es"} {
		var feed struct {
			XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
			Lang    string   `xml:"lang,attr"`
			ID      string   `xml:"id"`
			Updated string   `xml:"updated"`
			Entries []struct {
				Lang    string `xml:"lang,attr"`
				ID      string `xml:"id"`
				Updated string `xml:"updated"`
			} `xml:"entry"`
		}
		answer := get(site, path)
		require.NoError(t, xml.Unmarshal(answer.Body.Bytes(), &feed))
		assert.Equal(t, lang, feed.Lang)
		assert.Equal(t, "https://best.example"+path, feed.ID)
		require.Len(t, feed.Entries, 20, "ten entries of each type")
		assert.Equal(t, feed.Entries[0].Updated, feed.Updated)
		for i, entry := range feed.Entries {
			assert.Equal(t, "pt", entry.Lang)
			assert.Equal(t, http.StatusOK,
				get(site, strings.TrimPrefix(entry.ID, "https://best.example")).Code, entry.ID)
			if i > 0 {
				assert.GreaterOrEqual(t, feed.Entries[i-1].Updated, entry.Updated, "entries are sorted newest first")
			}
		}
	}
}

var dataBlock = regexp.MustCompile(`(?s)<script[^>]*type="application/ld\+json"[^>]*>(.*?)</script>`)

// structuredData are the nodes of a page's structured data by their type.
func structuredData(t *testing.T, site http.Handler, path string) map[string]map[string]any {
	t.Helper()
	found := dataBlock.FindStringSubmatch(get(site, path).Body.String())
	require.NotNil(t, found, path)
	var data struct {
		Context string           `json:"@context"`
		Graph   []map[string]any `json:"@graph"`
	}
	require.NoError(t, json.Unmarshal([]byte(found[1]), &data), path)
	assert.Equal(t, "https://schema.org", data.Context)
	byType := map[string]map[string]any{}
	for _, thing := range data.Graph {
		byType[thing["@type"].(string)] = thing
	}
	return byType
}

func TestStructuredDataSaysWhatAPageIsAbout(t *testing.T) {
	site := demoSite(t)
	for path, kind := range map[string]string{
		"/": "WebSite", "/pt/sobre-nos": "AboutPage", "/contact": "ContactPage", "/models/women": "CollectionPage",
		"/es/models/101/benedita-nascimento": "ProfilePage", "/pt/blog/news/casa-em-sao-paulo": "BlogPosting",
	} {
		all := structuredData(t, site, path)
		assert.Contains(t, all, kind, path)
		assert.Contains(t, all, "Organization", path)
	}
	assert.Contains(t, readSitemap(t, site, "/sitemap-talents-1.xml").Pages[0].Pictures[0], origin+"/")
	person := structuredData(t, site, "/models/101/benedita-nascimento")["ProfilePage"]["mainEntity"].(map[string]any)
	assert.Equal(t, "Benedita Nascimento", person["name"])
	assert.Contains(t, person, "image")
	assert.Equal(t, "pt", structuredData(t, site, "/blog/news/casa-em-sao-paulo")["BlogPosting"]["inLanguage"])
}

func TestHostileNamesAreEscapedInStructuredData(t *testing.T) {
	const name = `</script><script>alert(1)</script>`
	talents := backendtest.Talents(1)
	talents[0].Name = name
	site := rosterSite(t, talents)
	path := get(site, "/models/"+talents[0].ID).Header().Get("Location")
	assert.NotContains(t, get(site, path).Body.String(), "<script>alert")
	assert.Equal(t, name, structuredData(t, site, path)["ProfilePage"]["mainEntity"].(map[string]any)["name"])
}

func TestTrainingCrawlersAreDisallowedWhenConfigured(t *testing.T) {
	robots := get(demoSite(t, func(s *handlers.Services) { s.NoAICrawlers = true }), "/robots.txt").Body.String()
	assert.Contains(t, robots, "User-agent: *\nAllow: /\n\n")
	assert.Regexp(t, `(?m)^User-agent: GPTBot\n(User-agent: .+\n)*Disallow: /\n\nSitemap: `, robots)
}

func TestAPageMissingInThePanelIsNotLinked(t *testing.T) {
	site, _ := fakeSite(t, func(c *backendtest.Content) { c.Entities = nil })
	require.Equal(t, http.StatusNotFound, get(site, "/pt/seguranca").Code)
	for _, path := range []string{"/contact", "/pt/contato", "/be-a-model", "/sitemap-pages.xml"} {
		page := get(site, path).Body.String()
		assert.NotContains(t, page, "/safety", path)
		assert.NotContains(t, page, "/pt/seguranca", path)
	}
	assert.Contains(t, get(demoSite(t), "/contact").Body.String(), "/safety")
}

func TestAFormerTalentIsGone(t *testing.T) {
	site, fake := fakeSite(t, func(c *backendtest.Content) { c.Talents = backendtest.Talents(2) })
	require.Equal(t, http.StatusOK, get(site, "/models").Code)
	fake.Change(func(c *backendtest.Content) { c.Talents = c.Talents[:1] })
	gone := get(site, "/pt/models/"+backendtest.Talents(2)[1].ID+"/x")
	assert.Equal(t, http.StatusGone, gone.Code)
	assert.Contains(t, gone.Body.String(), "data-back", "the page has a link back")
	assert.Contains(t, gone.Body.String(), "410")
	assert.Equal(t, http.StatusNotFound, get(site, "/pt/models/nobody/x").Code)
}

var shown = regexp.MustCompile(`property="og:image" content="https://best\.example([^"]+)"`)

func TestEveryPageHasASharePicture(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	site := demoSite(t)
	for path, want := range map[string]string{
		"/": "/share/home.jpg", "/pt/contato": "/pt/share/home.jpg",
		"/es/mujeres": "/es/share/women.jpg", "/creative": "/share/creative.jpg",
		"/models/kids": "/share/kids.jpg", "/pt/models/101/benedita-nascimento": "/pt/share/talent/101.jpg",
	} {
		found := shown.FindStringSubmatch(get(site, path).Body.String())
		require.NotNil(t, found, path)
		assert.Equal(t, want, found[1], path)
		answer := get(site, want)
		require.Equal(t, http.StatusOK, answer.Code, want)
		size, err := jpeg.DecodeConfig(answer.Body)
		require.NoError(t, err)
		assert.Equal(t, []int{1200, 630}, []int{size.Width, size.Height}, want)
	}
	assert.Equal(t, http.StatusNotFound, get(site, "/share/contact.jpg").Code)
}
