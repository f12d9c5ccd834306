package middleware

import (
	"net/http"
	"strconv"
	"strings"
)

// codings are those in which the program compresses answers, the preferred first among those with equal weight for the
// browser: zstd takes half of brotli's time for almost the same size (BenchmarkCompress).
var codings = []string{"zstd", "br", "gzip"}

// Negotiate picks the coding in which the program compresses an answer, empty for none.
func Negotiate(r *http.Request) string { return NegotiateOf(r, codings) }

// NegotiateOf picks one of the codings on offer by Accept-Encoding (RFC 9110, 12.5.3), the first of those with equal
// weight; empty for none.
func NegotiateOf(r *http.Request, offered []string) string {
	best, bestWeight := "", 0.0
	for _, coding := range offered {
		if w := acceptance(r.Header["Accept-Encoding"], coding); w > bestWeight {
			best, bestWeight = coding, w
		}
	}
	return best
}

// acceptance is the weight of a coding in Accept-Encoding; 0 means refused.
func acceptance(header []string, coding string) float64 {
	wildcard := 0.0
	for _, line := range header {
		for part := range strings.SplitSeq(line, ",") {
			name, params, _ := strings.Cut(part, ";")
			switch name = strings.TrimSpace(name); {
			case strings.EqualFold(name, coding):
				return weight(params)
			case name == "*":
				wildcard = weight(params)
			}
		}
	}
	return wildcard
}

// weight parses ";q=0.5"; absent is 1, unreadable 0.
func weight(params string) float64 {
	if params == "" {
		return 1
	}
	value, found := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(params), " ", ""), "q=")
	if !found {
		return 1
	}
	q, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return 0
	}
	return q
}

// compressible reports whether a content type gains from compression. Pictures, fonts, zips and PDFs are compressed
// already, and an event stream must not be buffered.
func compressible(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	switch kind {
	case "text/event-stream":
		return false
	case "application/json", "application/javascript", "application/xml", "application/wasm":
		return true
	}
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml")
}
