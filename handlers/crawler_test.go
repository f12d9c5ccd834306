package handlers_test

import (
	"encoding/json"
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
	"golang.org/x/net/html"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/backend/embedded"
	"zedcard/internal/routes"
)

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
	for _, lang := range i18n.Langs() {
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
var expensivePaths = regexp.MustCompile(`/composite$|/share/|/composites\?`)

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
	document, err := html.Parse(answer.Body)
	require.NoError(t, err)
	for node := range document.Descendants() {
		if node.Type == html.ElementNode {
			page.read(t, address, node)
		}
	}
	return page
}

func (p *crawled) read(t *testing.T, address string, node *html.Node) {
	of := map[string]string{}
	for _, a := range node.Attr {
		of[a.Key] = a.Val
	}
	if of["id"] != "" {
		p.ids[of["id"]]++
	}
	for _, name := range []string{"href", "src", "action", "data-hx-get", "formaction"} {
		p.link(t, address, of[name])
	}
	for _, name := range []string{"srcset", "imagesrcset"} {
		for candidate := range strings.SplitSeq(of[name], ",") {
			if fields := strings.Fields(candidate); len(fields) > 0 {
				p.link(t, address, fields[0])
			}
		}
	}
	switch node.Data {
	case "html":
		p.lang = of["lang"]
	case "title":
		if node.Parent.Data == "head" {
			p.title = node.FirstChild.Data
		}
	case "h1":
		p.headings++
	case "meta":
		switch of["name"] {
		case "description":
			p.about = of["content"]
		case "robots":
			p.robots = of["content"]
		}
	case "link":
		switch {
		case of["rel"] == "canonical":
			p.canonical = of["href"]
		case of["hreflang"] != "":
			p.alternates[of["hreflang"]] = of["href"]
		}
	case "script":
		if of["type"] == "application/ld+json" {
			p.things = append(p.things, node.FirstChild.Data)
		}
	}
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
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	own, err := embedded.Open(embedded.Demo(), withCards)
	require.NoError(t, err)
	site := newSite(t, own, own, func(services *handlers.Services) {
		services.OtherHandlers = map[string]http.Handler{"/storage/": own.Handler()}
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
			assert.Equal(t, string(routes.Language(address)), page.lang, address)
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
	files, err := fs.Glob(embedded.Demo(), "talents/*/talent.yaml")
	require.NoError(t, err)
	var dates []string
	for _, file := range files {
		data, err := fs.ReadFile(embedded.Demo(), file)
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
