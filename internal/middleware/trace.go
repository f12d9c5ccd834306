package middleware

import (
	"net/http"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Trace makes a span of every request. It must be inside of RequestLog: the span has its request id, so that log lines
// and spans can be matched, and the same attributes as the log.
func Trace(next http.Handler) http.Handler {
	tracer := otel.Tracer("zedcard/internal/middleware")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, span := tracer.Start(r.Context(), r.Method, trace.WithSpanKind(trace.SpanKindServer))
		rec := &recorder{ResponseWriter: w}
		defer func() {
			defer span.End()
			status := rec.sent()
			span.SetAttributes(attribute.String("http.request.method", r.Method),
				attribute.Int("http.response.status_code", status))
			if req, ok := ctx.Value(requestKey{}).(*request); ok {
				span.SetName(r.Method + " " + req.screen)
				span.SetAttributes(attribute.String("http.route", req.screen), attribute.String("request.id", req.id))
			}
			if status >= http.StatusInternalServerError {
				span.SetStatus(codes.Error, "")
			}
		}()
		next.ServeHTTP(rec, r.WithContext(ctx))
	})
}
