package agency_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
)

func TestAnOldAddressIsFoundHoweverItIsWritten(t *testing.T) {
	var all agency.Redirects
	for _, r := range []agency.Redirect{
		{From: "/sobre.html", To: "/about"}, {From: "/pct/jo%C3%A3o", To: "talent:1"},
		{From: "/ação/", To: "/sobre-nós"},
		{From: "/?page_id=12", To: "/about"}, {From: "/?page_id=12&lang=pt", To: "/pt/sobre-nos"},
		{From: "/index.php?id=7", To: "410"}, {From: "/old", To: "/models?gender=woman"},
		{From: "/wp-content/*", To: "410"}, {From: "/wp-content/x/*", To: "/x"},
		{From: "/blog-old/*", To: "/blog/news/*"},
		{From: "/y-*", To: "https://archive.example/y-*"}, {From: "/site/*", To: "https://blog.example/"},
	} {
		require.NoError(t, all.Add(r), r.From)
	}
	for address, want := range map[string]string{
		"/sobre.html": "/about", "/sobre.html/": "/about", "/sobre.html?utm=1": "/about",
		"/pct/jo%C3%A3o": "talent:1", "/pct/joão": "talent:1", "/pct/joa%CC%83o/": "talent:1", "/pct/jo%25C3%25A3o": "",
		"/a%C3%A7%C3%A3o": "/sobre-n%C3%B3s", "/?page_id=12": "/about", "/?utm_source=x&page_id=12": "/about",
		"/?page_id=12&lang=pt": "/pt/sobre-nos", "/?page_id=13": "", "/": "", "/index.php?id=7": "410",
		"/index.php": "",
		"/old":       "/models?gender=woman", "/wp-content/a/b.png": "410", "/wp-content/": "410", "/wp-content": "410",
		"/wp-contents": "", "/wp-content/x/1": "/x", "/blog-old/luz/": "/blog/news/luz", "/blog-old/": "/blog/news/",
		"/y-2019/a b": "https://archive.example/y-2019/a%20b", "/site/x": "https://blog.example/",
	} {
		asked, err := url.Parse(address)
		require.NoError(t, err)
		to, ok := all.Find(asked.Path, asked.RawQuery)
		assert.Equal(t, want, to, address)
		assert.Equal(t, want != "", ok, address)
	}
}

func TestARestNeverLeavesThePathBelowItsTarget(t *testing.T) {
	var all agency.Redirects
	require.NoError(t, all.Add(agency.Redirect{From: "/index.php/*", To: "/*"}))
	require.NoError(t, all.Add(agency.Redirect{From: "/p*", To: "/*"}))
	require.NoError(t, all.Add(agency.Redirect{From: "/blog/*", To: "https://blog.example/a/*"}))
	require.NoError(t, all.Add(agency.Redirect{From: "/shop*", To: "https://shop.example/a*"}))
	for _, rest := range []string{
		"//evil.example", "/\\evil.example", "\\\\evil.example", "/evil.example/..//evil.example", "../../x",
		"\t//evil.example", "@evil.example", ".evil.example", ":8080", "/../../evil",
		"//evil.example/%2e%2e", "?q=1", "#x", "\n/evil",
	} {
		for before, below := range map[string]string{
			"/index.php/": "http://site.example/", "/p": "http://site.example/", "/blog/": "https://blog.example/a/",
			"/shop": "https://shop.example/a",
		} {
			to, ok := all.Find(before+rest, "")
			require.True(t, ok)
			base, err := url.Parse("http://site.example/index.php/x")
			require.NoError(t, err)
			found, err := base.Parse(to)
			require.NoError(t, err, to)
			assert.Contains(t, found.String(), below, "%s%s", before, rest)
			assert.NotContains(t, to, "\\")
			assert.NotRegexp(t, `^[/\\]{2}|[\t\n]`, to)
		}
	}
}

func TestARedirectThatCanNotBeIsRefused(t *testing.T) {
	for _, from := range []string{
		"x", "//x", "/", "/*/x", "", "https://old.example/x", "/x#a", "/*?a=1", "/x?", "/x*?a=1",
	} {
		assert.Error(t, (&agency.Redirects{}).Add(agency.Redirect{From: from, To: "/about"}), from)
	}
	for _, to := range []string{
		"about", "//evil.example", "/\\evil.example", "http://evil.example/", "https://a@evil.example/", "javascript:x",
		"https:///x", "https://x.example/*/y", "talent:", "404", "https://", "\\\\evil.example",
	} {
		assert.Error(t, (&agency.Redirects{}).Add(agency.Redirect{From: "/x/*", To: to}), to)
	}
	for _, to := range []string{"https://blog.agency.example*", "https://blog.agency.example?p=*", "/x?p=*"} {
		assert.ErrorIs(t, (&agency.Redirects{}).Add(agency.Redirect{From: "/x/*", To: to}), agency.ErrRedirectRest, to)
	}
	for _, loop := range [][]agency.Redirect{
		{{From: "/a", To: "/a"}}, {{From: "/a", To: "/a/"}},
		{{From: "/old-a", To: "/old-b"}, {From: "/old-b", To: "/old-a"}},
		{{From: "/x*", To: "/xyz"}}, {{From: "/x/*", To: "/x/y/*"}}, {{From: "/%61", To: "/a"}},
		{{From: "/a/*", To: "/b/*"}, {From: "/b/*", To: "/a/*"}}, {{From: "/?p=1", To: "/?p=1&q=2"}},
		{{From: "/a", To: "/b"}, {From: "/b", To: "/c?x=1"}, {From: "/c", To: "/a"}},
	} {
		var all agency.Redirects
		last := len(loop) - 1
		for _, r := range loop[:last] {
			require.NoError(t, all.Add(r))
		}
		assert.ErrorIs(t, all.Add(loop[last]), agency.ErrRedirectLoop, "%v", loop)
		_, ok := all.Find(loop[last].From, "")
		assert.False(t, ok, "a loop is not added")
	}
	var all agency.Redirects
	require.NoError(t, all.Add(agency.Redirect{From: "/x/", To: "/y"}))
	assert.ErrorIs(t, all.Add(agency.Redirect{From: "/x", To: "/z"}), agency.ErrRedirectTwice)
}
