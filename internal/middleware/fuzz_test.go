package middleware_test

import (
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"zedcard/internal/middleware"
)

// FuzzClientIP searches for a header with which a visitor gets another client's address.
func FuzzClientIP(f *testing.F) {
	for _, seed := range []string{"", "1.2.3.4", "1.2.3.4, 5.6.7.8", "::1", ",,,", "10.0.0.1\x00", "[::1]:80"} {
		f.Add(seed)
	}
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	f.Fuzz(func(t *testing.T, header string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header["X-Forwarded-For"] = []string{header}
		r.RemoteAddr = "198.51.100.7:1234"
		if got := middleware.ClientIP(r, trusted); got != "198.51.100.7" {
			t.Fatalf("untrusted header %q changed the client to %q", header, got)
		}
		r.Header["X-Forwarded-For"] = []string{header, "203.0.113.9"}
		r.RemoteAddr = "10.0.0.2:1234"
		if got := middleware.ClientIP(r, trusted); got != "203.0.113.9" {
			t.Fatalf("header value %q in front of the proxy's changed the client to %q", header, got)
		}
	})
}

// FuzzSecure searches for a header with which a visitor turns an open connection into an encrypted one.
func FuzzSecure(f *testing.F) {
	for _, seed := range []string{"", "https", "HTTPS", "http, https", "https\x00"} {
		f.Add(seed)
	}
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	f.Fuzz(func(t *testing.T, header string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header["X-Forwarded-Proto"] = []string{header}
		r.RemoteAddr = "198.51.100.7:1234"
		if middleware.Secure(r, trusted) {
			t.Fatalf("untrusted header %q made the request secure", header)
		}
		r.RemoteAddr = "10.0.0.2:1234"
		if middleware.Secure(r, trusted) != strings.EqualFold(header, "https") {
			t.Fatalf("the trusted proxy's header is misread: %q", header)
		}
	})
}

// FuzzNegotiate searches for an Accept-Encoding that is answered in a coding which it does not name, or refuses.
func FuzzNegotiate(f *testing.F) {
	for _, seed := range []string{
		"", "gzip, deflate, br, zstd", "br;q=0", "*;q=0, gzip", "GZIP;Q=1.0", "zstd;q=NaN", "br;q=1e999", ",;,q=", "*",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header["Accept-Encoding"] = []string{header}
		coding := middleware.Negotiate(r)
		if coding != "" && coding != "zstd" && coding != "br" && coding != "gzip" {
			t.Fatalf("%q negotiates unknown coding %q", header, coding)
		}
		lower := strings.ToLower(header)
		if !strings.Contains(lower, coding) && !strings.Contains(lower, "*") {
			t.Fatalf("%q does not accept %q", header, coding)
		}
		r.Header["Accept-Encoding"] = []string{"zstd;q=0, br;q=0, gzip;q=0, " + header}
		if coding := middleware.Negotiate(r); coding != "" {
			t.Fatalf("refused coding %q was negotiated", coding)
		}
	})
}
