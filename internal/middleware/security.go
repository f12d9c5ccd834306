package middleware

import (
	"net/http"
	"net/netip"
	"slices"
)

// Security are the settings of SecurityHeaders.
type Security struct {
	HTTPS          bool           // the site's public address is https
	TrustedProxies []netip.Prefix // whose X-Forwarded-Proto is trusted
}

// SecurityHeaders sets the headers that keep other sites' code, framing and content sniffing out on every answer.
func SecurityHeaders(s Security) func(http.Handler) http.Handler {
	headers := http.Header{
		"Content-Security-Policy": {contentPolicy},
		"X-Content-Type-Options":  {"nosniff"},
		"Referrer-Policy":         {"strict-origin-when-cross-origin"},
		"Permissions-Policy": { // what no page uses
			"camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
		},
		"Cross-Origin-Opener-Policy":   {"same-origin"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			for name, values := range headers {
				h[name] = slices.Clip(values) // shared: clipped, so that adding a value copies it
			}
			if s.HTTPS || Secure(r, s.TrustedProxies) {
				h.Set("Strict-Transport-Security", "max-age=31536000")
			}
			next.ServeHTTP(w, r)
		})
	}
}

// contentPolicy names the players that a visitor opens beside the site itself.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; worker-src 'none'; " +
	"frame-src https://www.youtube-nocookie.com https://player.vimeo.com; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
