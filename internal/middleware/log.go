package middleware

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"time"
)

// Observer counts an answered request; screen is empty where no handler named itself.
type Observer func(screen string, status int, took time.Duration)

// request is the state that the middleware of one request shares.
type request struct{ id, screen string }

type requestKey struct{}

// RequestID is the id under which the request is logged, empty outside of RequestLog.
func RequestID(ctx context.Context) string {
	if req, ok := ctx.Value(requestKey{}).(*request); ok {
		return req.id
	}
	return ""
}

// SetScreen sets the name of the screen that answers, such as "profile", for the log and the metrics.
func SetScreen(ctx context.Context, screen string) {
	if req, ok := ctx.Value(requestKey{}).(*request); ok {
		req.screen = screen
	}
}

// RequestLog logs every answer with its method, path, screen, status, bytes, duration and request id, and calls
// observe, which may be nil. Query, form values and the visitor's address are personal data and not logged. The browser
// gets the id as X-Request-Id, which error reports can quote.
func RequestLog(log *slog.Logger, observe Observer) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			start := time.Now()
			req := &request{id: rand.Text()}
			rec := &recorder{ResponseWriter: w}
			w.Header().Set("X-Request-Id", req.id)
			completed := false
			defer func() {
				status := rec.sent()
				switch {
				case completed || rec.status != 0:
				case r.Context().Err() != nil:
					status = statusClientClosed
				default:
					status = http.StatusInternalServerError // aborted before the answer began
				}
				took := time.Since(start)
				if observe != nil {
					observe(req.screen, status, took)
				}
				log.LogAttrs(r.Context(), level(status), "request",
					slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.String("screen", req.screen),
					slog.Int("status", status), slog.Int64("bytes", rec.bytes), slog.Duration("took", took),
					slog.Bool("whole", completed), slog.String("request", req.id))
			}()
			next.ServeHTTP(rec, r.WithContext(context.WithValue(r.Context(), requestKey{}, req)))
			completed = true
		})
	}
}

// statusClientClosed is logged if the visitor left before the answer began, as nginx does.
const statusClientClosed = 499

func level(status int) slog.Level {
	if status >= http.StatusInternalServerError {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}
