package web

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"zedcard/internal/requestid"
)

// Observer counts an answered request; screen is empty where no handler named itself.
type Observer func(screen string, status int, took time.Duration)

// request is the state that the middleware of one request shares.
type request struct{ screen string }

type requestKey struct{}

// SetScreen sets the name of the screen that answers, such as "profile", for the log and the metrics.
func SetScreen(ctx context.Context, screen string) {
	if req, ok := ctx.Value(requestKey{}).(*request); ok {
		req.screen = screen
	}
}

// statusClientClosed is logged if the visitor left before the answer began, as nginx does.
const statusClientClosed = 499

// RequestLog logs every answer with its method, path, screen, status, bytes and duration, and calls observe, which may
// be nil. Query, form values and the visitor's address are personal data and not logged. The request gets an id
// (requestid), which a trusted proxy may have given; the browser gets it, too, so that error reports can quote it.
func RequestLog(log *slog.Logger, observe Observer, trusted []netip.Prefix) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			start := time.Now()
			given := r.Header.Get(requestid.Header)
			if given != "" && !fromTrusted(r, trusted) {
				given = ""
			}
			id, req := requestid.New(given), &request{}
			ctx := context.WithValue(requestid.With(r.Context(), id), requestKey{}, req)
			rec := &recorder{ResponseWriter: w}
			w.Header().Set(requestid.Header, id)
			completed := false
			defer func() {
				status, level := cmp.Or(rec.status, http.StatusOK), slog.LevelInfo
				switch {
				case completed || rec.status != 0:
				case r.Context().Err() != nil:
					status = statusClientClosed
				default:
					status = http.StatusInternalServerError // aborted before the answer began
				}
				if status >= http.StatusInternalServerError {
					level = slog.LevelWarn
				}
				took := time.Since(start)
				if observe != nil {
					observe(req.screen, status, took)
				}
				log.LogAttrs(ctx, level, "request",
					slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.String("screen", req.screen),
					slog.Int("status", status), slog.Int64("bytes", rec.bytes), slog.Duration("took", took),
					slog.Bool("whole", completed))
			}()
			next.ServeHTTP(rec, r.WithContext(ctx))
			completed = true
		})
	}
}
