package middleware

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
)

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
					"request", RequestID(r.Context()), "stack", string(debug.Stack()))
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
