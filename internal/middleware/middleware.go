// Package middleware holds the middleware of every request: recovery, the request log, security headers, limits, the
// cross-origin check and compression.
//
// The order, from the outside: RequestLog, SecurityHeaders, Limits, Compress, Recover, CrossOrigin, handler. With this
// order the error pages of Recover and CrossOrigin are logged, compressed and have the same headers as other answers.
package middleware

import (
	"cmp"
	"net/http"
)

// ErrorPage answers r with the page of an error status, in the visitor's language.
type ErrorPage func(w http.ResponseWriter, r *http.Request, status int)

// Chain wraps h in the given middleware, the first outermost.
func Chain(h http.Handler, layers ...func(http.Handler) http.Handler) http.Handler {
	for i := len(layers) - 1; i >= 0; i-- {
		h = layers[i](h)
	}
	return h
}

// recorder records the status and size of an answer.
type recorder struct {
	http.ResponseWriter
	status int // 0 before the answer began
	bytes  int64
}

func (rec *recorder) WriteHeader(status int) {
	if rec.status == 0 && status >= 200 {
		rec.status = status
	}
	rec.ResponseWriter.WriteHeader(status)
}

func (rec *recorder) Write(p []byte) (int, error) {
	if rec.status == 0 {
		rec.status = http.StatusOK
	}
	n, err := rec.ResponseWriter.Write(p)
	rec.bytes += int64(n)
	return n, err
}

// sent is the status of the whole answer: net/http sends 200 for a handler that wrote nothing.
func (rec *recorder) sent() int { return cmp.Or(rec.status, http.StatusOK) }

// Unwrap is for http.ResponseController.
func (rec *recorder) Unwrap() http.ResponseWriter { return rec.ResponseWriter }
