package middleware

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
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

// statusClientClosed is logged if the visitor left before the answer began, as nginx does.
const statusClientClosed = 499

// RequestLog logs every answer with its method, path, screen, status, bytes, duration and request id, calls observe,
// which may be nil, and makes a span of it where traces are collected. Query, form values and the visitor's address are
// personal data and in neither. The browser gets the id as X-Request-Id, which error reports can quote.
func RequestLog(log *slog.Logger, observe Observer) func(http.Handler) http.Handler {
	tracer := otel.Tracer("zedcard/internal/middleware")
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			start := time.Now()
			req := &request{id: rand.Text()}
			ctx := context.WithValue(r.Context(), requestKey{}, req)
			ctx, span := tracer.Start(ctx, r.Method, trace.WithSpanKind(trace.SpanKindServer))
			rec := &recorder{ResponseWriter: w}
			w.Header().Set("X-Request-Id", req.id)
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
					span.SetStatus(codes.Error, "")
				}
				span.SetName(r.Method + " " + req.screen)
				span.SetAttributes(attribute.String("http.request.method", r.Method),
					attribute.Int("http.response.status_code", status), attribute.String("http.route", req.screen),
					attribute.String("request.id", req.id))
				span.End()
				took := time.Since(start)
				if observe != nil {
					observe(req.screen, status, took)
				}
				log.LogAttrs(ctx, level, "request",
					slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.String("screen", req.screen),
					slog.Int("status", status), slog.Int64("bytes", rec.bytes), slog.Duration("took", took),
					slog.Bool("whole", completed), slog.String("request", req.id))
			}()
			next.ServeHTTP(rec, r.WithContext(ctx))
			completed = true
		})
	}
}
