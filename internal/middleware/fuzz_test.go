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
