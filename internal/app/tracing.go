package app

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
)

// flushTimeout is how long the program's end waits for the last spans to be exported.
const flushTimeout = 2 * time.Second

// startTracing starts exporting spans of requests, back-end calls and deliveries to the OTLP/HTTP endpoint of a
// collector, such as http://localhost:4318; OpenTelemetry's
// other variables (OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER) apply as usual. If the collector is down, spans are
// lost and logged, nothing else. stop exports the remaining spans. Packages start spans with otel's tracer, a no-op
// before, and give them no personal data: screens and calls, but no address, query, header or body.
func startTracing(ctx context.Context, endpoint, version string, log *slog.Logger) (stop func(), err error) {
	exporter, err := otlptracehttp.New(ctx,
		otlptracehttp.WithEndpointURL(strings.TrimRight(endpoint, "/")+"/v1/traces"))
	if err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(resource.NewSchemaless(
		attribute.String("service.name", "zedcard"), attribute.String("service.version", version))))
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces not sent", "error", err) }))
	otel.SetTextMapPropagator(propagation.TraceContext{})
	otel.SetTracerProvider(provider)
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			log.Warn("traces not sent", "error", err)
		}
	}, nil
}
