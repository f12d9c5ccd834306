package middleware_test

import (
	"net/http/httptest"
	"net/netip"
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
			t.Fatalf("a visitor's own claim %q made it %q", header, got)
		}
		r.Header["X-Forwarded-For"] = []string{header, "203.0.113.9"}
		r.RemoteAddr = "10.0.0.2:1234"
		if got := middleware.ClientIP(r, trusted); got != "203.0.113.9" {
			t.Fatalf("before the proxy's word, %q made it %q", header, got)
		}
	})
}
