package pagecache_test

import (
	"strings"
	"testing"

	"zedcard/internal/pagecache"
)

// FuzzMatches looks for an If-None-Match that matches a page which it does not name: the visitor would keep another.
func FuzzMatches(f *testing.F) {
	for _, seed := range []string{"", `"1"`, `W/"1"`, `"2", W/"1"`, `"1`, "*", `"1", "`, `,,W/`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if pagecache.Matches(header, `"1"`) && !strings.Contains(header, `"1"`) {
			t.Fatalf("%q matches a tag that it doesn't hold", header)
		}
		if !pagecache.Matches(header+`, "1"`, `"1"`) {
			t.Fatalf("%q hides the tag after it", header)
		}
	})
}
