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
		{From: "/ação/", To: "/sobre-nós"}, {From: "/old", To: "/models?gender=woman"},
		{From: "/wp-content/*", To: "410"}, {From: "/wp-content/x/*", To: "/x"},
		{From: "/y-*", To: "https://archive.example/y"},
	} {
		require.NoError(t, all.Add(r), r.From)
	}
	for address, want := range map[string]string{
		"/sobre.html": "/about", "/sobre.html/": "/about", "/sobre.html?utm=1": "/about",
		"/pct/jo%C3%A3o": "talent:1", "/pct/joão": "talent:1", "/pct/joa%CC%83o/": "talent:1", "/pct/jo%25C3%25A3o": "",
		"/a%C3%A7%C3%A3o": "/sobre-n%C3%B3s", "/": "", "/old": "/models?gender=woman",
		"/wp-content/a/b.png": "410", "/wp-content/": "410", "/wp-content": "410", "/wp-contents": "",
		"/wp-content/x/1": "/x", "/y-2019/a b": "https://archive.example/y", "//evil.example": "",
	} {
		asked, err := url.Parse(address)
		require.NoError(t, err)
		path := asked.Path
		if asked.Host != "" {
			path = address
		}
		to, ok := all.Find(path)
		assert.Equal(t, want, to, address)
		assert.Equal(t, want != "", ok, address)
	}
	for to, isOld := range map[string]bool{
		"/sobre.html?x=1": true, "/wp-content/z": true, "/about": false, "https://x.example/old": false, "410": false,
	} {
		assert.Equal(t, isOld, all.IsOld(to), to)
	}
}

func TestARedirectThatCanNotBeIsRefused(t *testing.T) {
	for _, from := range []string{
		"x", "//x", "/", "/*", "/*/x", "", "https://old.example/x", "/x#a", "/?p=1", "/x?", "/x*?a=1",
	} {
		assert.Error(t, (&agency.Redirects{}).Add(agency.Redirect{From: from, To: "/about"}), from)
	}
	for _, to := range []string{
		"about", "//evil.example", "/\\evil.example", "http://evil.example/", "https://a@evil.example/", "javascript:x",
		"https:///x", "https://x.example/*", "/x/*", "talent:", "404", "https://", "\\\\evil.example",
	} {
		assert.Error(t, (&agency.Redirects{}).Add(agency.Redirect{From: "/x/*", To: to}), to)
	}
	var all agency.Redirects
	require.NoError(t, all.Add(agency.Redirect{From: "/x/", To: "/y"}))
	assert.ErrorIs(t, all.Add(agency.Redirect{From: "/x", To: "/z"}), agency.ErrRedirectTwice)
}
