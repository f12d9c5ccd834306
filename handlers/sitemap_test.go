package handlers_test

import (
	"encoding/json"
	"encoding/xml"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/internal/folder"
	"zedcard/internal/routes"
	"zedcard/internal/testkit"
	"zedcard/internal/testkit/htmltest"
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

func TestALargeRosterIsSplitIntoSitemaps(t *testing.T) {
	site := rosterSite(t, testkit.Talents(6000))
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

// structuredData are the nodes of a page's structured data by their type.
func structuredData(t *testing.T, site http.Handler, path string) map[string]map[string]any {
	t.Helper()
	found := htmltest.Read(t, get(site, path).Body.String()).Find("script[type='application/ld+json']")
	require.NotEmpty(t, found, path)
	var data struct {
		Context string           `json:"@context"`
		Graph   []map[string]any `json:"@graph"`
	}
	require.NoError(t, json.Unmarshal([]byte(found[0].FirstChild.Data), &data), path)
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
	talents := testkit.Talents(1)
	talents[0].Name = name
	site := rosterSite(t, talents)
	path := get(site, "/models/"+talents[0].ID).Header().Get("Location")
	assert.NotContains(t, get(site, path).Body.String(), "<script>alert")
	assert.Equal(t, name, structuredData(t, site, path)["ProfilePage"]["mainEntity"].(map[string]any)["name"])
}

func TestAFormerTalentIsGone(t *testing.T) {
	site, fake := fakeSite(t, func(c *testkit.Content) { c.Talents = testkit.Talents(2) })
	require.Equal(t, http.StatusOK, get(site, "/models").Code)
	fake.Change(func(c *testkit.Content) { c.Talents = c.Talents[:1] })
	gone := get(site, "/pt/models/"+testkit.Talents(2)[1].ID+"/x")
	assert.Equal(t, http.StatusGone, gone.Code)
	assert.Contains(t, gone.Body.String(), "data-back", "the page has a link back")
	assert.Contains(t, gone.Body.String(), "410")
	assert.Equal(t, http.StatusNotFound, get(site, "/pt/models/nobody/x").Code)
}

// sharePicture is the path of the picture that a chat shows beside a link to a page.
func sharePicture(t *testing.T, page string) string {
	t.Helper()
	return strings.TrimPrefix(htmltest.Read(t, page).Attr("meta[property='og:image']", "content"), origin)
}

// crawled is what a crawler reads of a page.
type crawled struct {
	status       int
	lang         string
	title, about string
	canonical    string
	robots       string
	alternates   map[string]string
	headings     int
	ids          map[string]int
	links        []string // addresses of this site, as written on the page
	things       []string // structured data
	text         string   // the page as sent
}

// indexable reports whether search engines should index the page under this address.
func (p crawled) indexable(address string) bool {
	return p.status == http.StatusOK && p.canonical == origin+address && !strings.Contains(p.robots, "noindex")
}

const origin = "https://best.example"

// crawl follows every link from the home pages. A list has more filter states than a test
// can read: those that a plain page links to are read, and of them only links to plain pages are
// followed.
func crawl(t *testing.T, site http.Handler) map[string]crawled {
	t.Helper()
	pages := map[string]crawled{}
	var waiting []string
	for _, lang := range texts.Langs() {
		waiting = append(waiting, routes.Path(lang, routes.Home))
	}
	for len(waiting) > 0 {
		address := waiting[0]
		waiting = waiting[1:]
		if _, seen := pages[address]; seen {
			continue
		}
		page := fetch(t, site, address)
		pages[address] = page
		state := strings.Contains(address, "?")
		for _, link := range page.links {
			link, _, _ = strings.Cut(link, "#")
			if link == "" || expensivePaths.MatchString(link) || state && strings.Contains(link, "?") {
				continue
			}
			if _, seen := pages[link]; !seen {
				waiting = append(waiting, link)
			}
		}
	}
	return pages
}

// expensivePaths are pictures and archives that are generated on demand; other tests request them.
var expensivePaths = regexp.MustCompile(`/composite$|/composites\?|/pack$`)

func fetch(t *testing.T, site http.Handler, address string) crawled {
	t.Helper()
	answer := get(site, address)
	page := crawled{status: answer.Code, alternates: map[string]string{}, ids: map[string]int{}}
	switch kind, _, _ := strings.Cut(answer.Header().Get("Content-Type"), ";"); kind {
	case "text/html":
		page.text = answer.Body.String()
	case "image/svg+xml": // the sprite of icons, which pages link into
	default:
		return page
	}
	read := htmltest.Read(t, answer.Body.String())
	only := func(selector, name string) string { return strings.Join(read.Attrs(selector, name), ", ") }
	page.lang, page.title = only("html", "lang"), strings.Join(read.Words("head > title"), ", ")
	page.about, page.robots = only("meta[name=description]", "content"), only("meta[name=robots]", "content")
	page.canonical, page.headings = only("link[rel=canonical]", "href"), len(read.Find("h1"))
	for i, lang := range read.Attrs("link[hreflang]", "hreflang") {
		page.alternates[lang] = read.Attrs("link[hreflang]", "href")[i]
	}
	for _, id := range read.Attrs("[id]", "id") {
		page.ids[id]++
	}
	for _, script := range read.Find("script[type='application/ld+json']") {
		page.things = append(page.things, script.FirstChild.Data)
	}
	for _, name := range []string{"href", "src", "action", "data-hx-get", "formaction"} {
		for _, link := range read.Attrs("["+name+"]", name) {
			page.link(t, address, link)
		}
	}
	for _, set := range append(read.Attrs("[srcset]", "srcset"), read.Attrs("[imagesrcset]", "imagesrcset")...) {
		for candidate := range strings.SplitSeq(set, ",") {
			if fields := strings.Fields(candidate); len(fields) > 0 {
				page.link(t, address, fields[0])
			}
		}
	}
	return page
}

// link records an address of this site, as an absolute path.
func (p *crawled) link(t *testing.T, page, address string) {
	base, err := url.Parse(origin + page)
	require.NoError(t, err)
	to, err := base.Parse(address)
	if !assert.NoError(t, err, page) || address == "" || to.Scheme+"://"+to.Host != origin {
		return
	}
	link := to.EscapedPath()
	if to.RawQuery != "" {
		link += "?" + to.RawQuery
	}
	if to.Fragment != "" {
		link += "#" + to.Fragment
	}
	p.links = append(p.links, link)
}

func TestACrawlerFindsEveryPageInOrder(t *testing.T) {
	own, err := folder.Open(folder.Demo(), withCards)
	require.NoError(t, err)
	site := siteOf(t, own.Content(t.Context()), own, func(services *handlers.Services) {
		services.OtherHandlers = map[string]http.Handler{
			"/storage/": http.StripPrefix("/storage/", http.FileServerFS(own.Pictures())),
		}
	})
	pages := crawl(t, site)
	require.Greater(t, len(pages), 300)

	t.Run("no link is broken or redirected", func(t *testing.T) {
		for address, page := range pages {
			// Without a build, scripts and styles are not found.
			if page.status != http.StatusOK && !strings.HasPrefix(address, "/static/") {
				assert.Fail(t,
					"broken link", "%s answers %d, linked from %s", address, page.status, from(pages, address))
			}
			for _, link := range page.links {
				to, fragment, found := strings.Cut(link, "#")
				if target, seen := pages[to]; found && seen {
					assert.Contains(t, target.ids, fragment, "the fragment exists: %s links to %s", address, link)
				}
			}
		}
	})
	t.Run("every page has one heading, unique ids, and no birth date in its structured data", func(t *testing.T) {
		born := birthdates(t)
		for address, page := range documents(pages) {
			assert.Equal(t, 1, page.headings, address)
			assert.Equal(t, string(table.Language(address).Lang), page.lang, address)
			for id, count := range page.ids {
				assert.Equal(t, 1, count, "%s: id %s is unique", address, id)
			}
			assert.NotEmpty(t, page.things, address)
			for _, data := range page.things {
				assert.True(t, json.Valid([]byte(data)), address)
				assert.NotContains(t, strings.ToLower(data), "birth", address)
			}
			lacks(t, page.text, born...)
		}
	})
	t.Run("canonical and alternate addresses answer and refer back to the page", func(t *testing.T) {
		for address, page := range documents(pages) {
			if !assert.NotEmpty(t, page.canonical, address) {
				continue
			}
			kept := known(t, site, pages, page.canonical)
			assert.Equal(t, http.StatusOK, kept.status, "%s: canonical address %s answers", address, page.canonical)
			assert.Equal(t, page.canonical, kept.canonical, address)
			for lang, alternate := range page.alternates {
				other := known(t, site, pages, alternate)
				assert.Equal(t, http.StatusOK, other.status, "%s: %s", address, alternate)
				assert.Equal(t, alternate, other.canonical, "%s: %s", address, lang)
				assert.Equal(t, page.alternates, other.alternates, "%s: %s", address, alternate)
				if lang != "x-default" {
					assert.Equal(t, lang, other.lang, "%s: %s", address, alternate)
				}
			}
			if len(page.alternates) > 0 {
				assert.Equal(t, page.canonical, page.alternates[page.lang], address)
				assert.Equal(t, page.alternates["en"], page.alternates["x-default"], address)
			}
		}
	})
	t.Run("the sitemaps list exactly the indexable pages", func(t *testing.T) {
		var listed, found []string
		for _, part := range readSitemap(t, site, routes.Sitemap).Sitemaps {
			for _, page := range readSitemap(t, site, part).Pages {
				listed = append(listed, strings.TrimPrefix(page.Loc, origin))
				alternates := map[string]string{}
				for _, alternate := range page.Alternates {
					alternates[alternate.Lang] = alternate.Href
				}
				assert.Equal(t, known(t, site, pages, page.Loc).alternates, alternates, page.Loc)
			}
		}
		for address, page := range documents(pages) {
			if page.indexable(address) {
				found = append(found, address)
			}
		}
		slices.Sort(listed)
		slices.Sort(found)
		assert.Equal(t, found, listed)
	})
	t.Run("titles and descriptions are unique within a language", func(t *testing.T) {
		titles, abouts := map[string]string{}, map[string]string{}
		for address, page := range documents(pages) {
			if !page.indexable(address) {
				continue
			}
			assert.NotEmpty(t, page.about, address)
			for _, said := range []struct {
				seen map[string]string
				text string
			}{{titles, page.lang + page.title}, {abouts, page.lang + page.about}} {
				assert.Empty(t, said.seen[said.text],
					"%s has a title and description of its own: %s", address, said.text)
				said.seen[said.text] = address
			}
		}
	})
}

// documents are the pages of the site among what was fetched, without files and feeds.
func documents(pages map[string]crawled) map[string]crawled {
	found := maps.Clone(pages)
	maps.DeleteFunc(found, func(_ string, page crawled) bool { return page.text == "" })
	return found
}

func known(t *testing.T, site http.Handler, pages map[string]crawled, absolute string) crawled {
	address := strings.TrimPrefix(absolute, origin)
	if page, seen := pages[address]; seen {
		return page
	}
	return fetch(t, site, address)
}

// from is a page that links to the address.
func from(pages map[string]crawled, address string) string {
	for page, is := range pages {
		for _, link := range is.links {
			if to, _, _ := strings.Cut(link, "#"); to == address {
				return page
			}
		}
	}
	return "nowhere"
}

// birthdates are those of the demo's talents, as they could be written on a page.
func birthdates(t *testing.T) []string {
	t.Helper()
	files, err := fs.Glob(folder.Demo(), "talents/*/talent.yaml")
	require.NoError(t, err)
	var dates []string
	for _, file := range files {
		data, err := fs.ReadFile(folder.Demo(), file)
		require.NoError(t, err)
		if found := regexp.MustCompile(`birthdate: *"?(\d{4}-\d\d-\d\d)`).FindSubmatch(data); found != nil {
			date, err := time.Parse(time.DateOnly, string(found[1]))
			require.NoError(t, err)
			dates = append(dates, date.Format(time.DateOnly), date.Format("02/01/2006"))
		}
	}
	require.NotEmpty(t, dates)
	return dates
}
