package pagecache_test

import (
	"net/http/httptest"
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

// FuzzCoding searches for an Accept-Encoding that is answered in a coding which it does not name, or refuses.
func FuzzCoding(f *testing.F) {
	for _, seed := range []string{
		"", "gzip, deflate, br, zstd", "br;q=0", "*;q=0, gzip", "GZIP;Q=1.0", "zstd;q=NaN", "br;q=1e999", ",;,q=", "*",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header["Accept-Encoding"] = []string{header}
		coding := pagecache.Coding(r)
		if coding != "" && coding != "zstd" && coding != "br" && coding != "gzip" {
			t.Fatalf("%q negotiates unknown coding %q", header, coding)
		}
		lower := strings.ToLower(header)
		if !strings.Contains(lower, coding) && !strings.Contains(lower, "*") {
			t.Fatalf("%q does not accept %q", header, coding)
		}
		r.Header["Accept-Encoding"] = []string{"zstd;q=0, br;q=0, gzip;q=0, " + header}
		if coding := pagecache.Coding(r); coding != "" {
			t.Fatalf("refused coding %q was negotiated", coding)
		}
	})
}
