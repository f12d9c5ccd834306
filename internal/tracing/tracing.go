// Package tracing sends what the program does to an OpenTelemetry collector: a span for each request, call of a back
// end and delivery. The spans are begun where the work is done, with the tracer of package otel, which does nothing
// before Start. They name screens and calls, never a visitor: no address, query, header or body.
package tracing

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

// flushTime is how long the end of the program waits for the last spans to be taken.
const flushTime = 2 * time.Second

// Start begins to send spans to the OTLP/HTTP endpoint of a collector, such as http://localhost:4318; the other
// variables of OpenTelemetry (OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER) count as everywhere. A collector that is
// down costs spans and a line in the log, nothing else. stop sends the rest.
func Start(ctx context.Context, endpoint, version string, log *slog.Logger) (stop func(), err error) {
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
		ctx, cancel := context.WithTimeout(context.Background(), flushTime)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			log.Warn("traces not sent", "error", err)
		}
	}, nil
}
