// Package web is what every request passes: the two HTTP servers of the program, the public one and the admin one, with
// limits for clients and a stop that aborts no answer; the header of every answer, the request log, the cache of whole
// pages and their codings, recovery and the cross-origin check.
//
// What a request passes, in its order, from the outside: bounded (the time of its body), SecurityHeader, WarnOfHost,
// RequestLog, WarnOfProxy, StrictTransport, ContentUsage, PageCache.Serve, Recover, CrossOrigin, and the handlers,
// which ask their Limits. So the error pages of Recover and CrossOrigin are logged.
package web

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
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

// Recover turns a panic into the error page of status 500, or aborts the connection if the answer has begun, so that
// half a page does not look complete. It logs the kind of the panic and the stack, but not the panic's value, which may
// hold what a visitor typed.
func Recover(log *slog.Logger, page ErrorPage) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			rec := &recorder{ResponseWriter: w}
			defer func() {
				reason := recover()
				if reason == nil {
					return
				}
				if reason == http.ErrAbortHandler {
					panic(reason)
				}
				kind := fmt.Sprintf("%T", reason)
				if err, ok := reason.(runtime.Error); ok {
					kind = err.Error() // which has no data but indices
				}
				log.ErrorContext(r.Context(), "panic in a handler", "kind", kind, "path", r.URL.Path,
					"stack", string(debug.Stack()))
				if rec.status != 0 {
					panic(http.ErrAbortHandler)
				}
				for _, name := range []string{ // that the handler set
					"Cache-Control", "Content-Disposition", "Content-Encoding", "Content-Length", "Content-Type",
					"Etag", "Last-Modified", "Location", "Set-Cookie",
				} {
					w.Header().Del(name)
				}
				page(w, r, http.StatusInternalServerError)
			}()
			next.ServeHTTP(rec, r)
		})
	}
}

// CrossOrigin answers unsafe requests from other sites' pages with the error page of status 403. origin is the site's
// public one, for a proxy that hides it; it must be well-formed.
func CrossOrigin(origin string, page ErrorPage) func(http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	if err := protection.AddTrustedOrigin(origin); err != nil {
		panic(err)
	}
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page(w, r, http.StatusForbidden)
	}))
	return protection.Handler
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
	rec.status = cmp.Or(rec.status, http.StatusOK)
	n, err := rec.ResponseWriter.Write(p)
	rec.bytes += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (rec *recorder) Unwrap() http.ResponseWriter { return rec.ResponseWriter }
