package routes

import (
	"net/url"
	"strings"
	"testing"
)

// FuzzRedirect looks for a path that leads to another site.
func FuzzRedirect(f *testing.F) {
	for _, seed := range []string{
		"/en", "/en//evil.example", "/en/\\evil", "//evil.example/", "/%2f%2fevil/", "/pt/en//x/", "0/",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		to, moved := table.Redirect(path)
		if moved && (!strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.HasPrefix(to, `/\`)) {
			t.Fatalf("%q redirects out of the site: %q", path, to)
		}
	})
}

// FuzzParseThroughList looks for a list that a profile links back to under another address.
func FuzzParseThroughList(f *testing.F) {
	for _, seed := range []string{
		"list=models", "list=women&letter=A&gender=men", "list=kids&q=a&show=40", "list=evil",
		"list=creative&height_to=1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		query, _ := url.ParseQuery(text)
		filter, ok := table.ParseReferringList(portuguese, query)
		if !ok {
			return
		}
		if again, ok := table.ParseReferringList(portuguese, table.ReferringList(filter)); !ok || again != filter {
			t.Fatalf("%q is parsed as %+v, which is parsed again as %+v", text, filter, again)
		}
		if to := table.List(portuguese, filter); !strings.HasPrefix(to, "/pt/") {
			t.Fatalf("the list of %q has no prefix: %q", text, to)
		}
	})
}
