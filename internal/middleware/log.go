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

// request is what the layers of one request tell each other.
type request struct{ id, screen string }

type requestKey struct{}

// RequestID is the id under which the request is logged, empty outside of RequestLog.
func RequestID(ctx context.Context) string {
	if req, ok := ctx.Value(requestKey{}).(*request); ok {
		return req.id
	}
	return ""
}

// SetScreen names the screen that answers, such as "profile", for the log and the metrics.
func SetScreen(ctx context.Context, screen string) {
	if req, ok := ctx.Value(requestKey{}).(*request); ok {
		req.screen = screen
	}
}

// RequestLog logs every answer with its method, path, screen, status, bytes, duration and
// request id, and gives it to observe (nil: nobody). Query, form values and the visitor's address are not
// logged: they may tell who asked for what. The visitor's browser gets the id as X-Request-Id,
// for a page that asks to report it.
func RequestLog(log *slog.Logger, observe Observer) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			start := time.Now()
			req := &request{id: rand.Text()}
			rec := &recorder{ResponseWriter: w}
			w.Header().Set("X-Request-Id", req.id)
			whole := false
			defer func() {
				status := rec.status
				switch {
				case !whole && status == 0 && r.Context().Err() != nil:
					status = statusClientClosed
				case !whole && status == 0:
					status = http.StatusInternalServerError // cut off before it began
				case status == 0:
					status = http.StatusOK // net/http sends it for a handler that wrote nothing
				}
				took := time.Since(start)
				if observe != nil {
					observe(req.screen, status, took)
				}
				if !log.Enabled(r.Context(), level(status)) {
					return
				}
				// Made by hand, as the line needs no place in the source: looking that up costs as much as the line.
				line := slog.NewRecord(start.Add(took), level(status), "request", 0)
				line.AddAttrs(
					slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.String("screen", req.screen),
					slog.Int("status", status), slog.Int64("bytes", rec.bytes), slog.Duration("took", took),
					slog.Bool("whole", whole), slog.String("request", req.id))
				_ = log.Handler().Handle(r.Context(), line) // where the log fails, nobody can be told
			}()
			next.ServeHTTP(rec, r.WithContext(context.WithValue(r.Context(), requestKey{}, req)))
			whole = true
		})
	}
}

// statusClientClosed is the status that is logged where the visitor has gone before the answer began; nginx's number.
const statusClientClosed = 499

func level(status int) slog.Level {
	if status >= http.StatusInternalServerError {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}
