package web

import (
	"maps"
	"net/http"
	"net/netip"
)

// SecurityHeader keeps other sites' code, framing and content sniffing out, by the header of every answer.
func SecurityHeader(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), securityHeader)
		next.ServeHTTP(w, r)
	})
}

// securityHeader is copied with its values: handlers set others, and add to none.
var securityHeader = http.Header{
	"Content-Security-Policy": {contentPolicy},
	"X-Content-Type-Options":  {"nosniff"},
	"Referrer-Policy":         {"strict-origin-when-cross-origin"},
	"Permissions-Policy": { // what no page uses
		"camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
	},
	"Cross-Origin-Opener-Policy":   {"same-origin"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
}

// contentPolicy names the policy of islands/boot/trusted.ts, and the players that a visitor opens beside the site.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; worker-src 'none'; " +
	"frame-src https://www.youtube-nocookie.com https://player.vimeo.com; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types htmx"

// ContentUsage says by a header of every answer what it may be used for (IETF draft-ietf-aipref-attach), unless that is
// empty. It stands around the page cache, whose answers were made without it.
func ContentUsage(preference string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		if preference == "" {
			return next
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Usage", preference)
			next.ServeHTTP(w, r)
		})
	}
}

// StrictTransport lets browsers use only https from then on, if the site's public address is https or the connection
// is encrypted (Secure).
func StrictTransport(https bool, trusted []netip.Prefix) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if https || Secure(r, trusted) {
				w.Header().Set("Strict-Transport-Security", "max-age=31536000")
			}
			next.ServeHTTP(w, r)
		})
	}
}
