package app

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/backend/wire"
	"zedcard/internal/middleware"
)

func TestATraceLinksARequestToItsCallsWithoutPersonalData(t *testing.T) {
	var sent bytes.Buffer
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "/v1/traces", r.URL.Path)
		_, _ = io.Copy(&sent, r.Body)
	}))
	defer collector.Close()
	var parent string
	panel := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sign-in" {
			_, _ = io.WriteString(w, `{"token": "t"}`)
			return
		}
		parent = r.Header.Get("Traceparent")
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, "ana@private.example is not wanted")
	}))
	defer panel.Close()

	silent := slog.New(slog.DiscardHandler)
	stop, err := startTracing(t.Context(), collector.URL+"/", "1.2.3", silent)
	require.NoError(t, err)
	client := wire.New(wire.API{Name: "panel", SignIn: "/sign-in", Token: "token"}, wire.Config{BaseURL: panel.URL})
	site := middleware.Chain(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		middleware.SetScreen(r.Context(), "contact")
		call := wire.Call{What: "submission 7", Path: "/x?email=ana@private.example", NoRetry: true}
		_, err := client.Do(r.Context(), call)
		assert.Error(t, err)
		w.WriteHeader(http.StatusServiceUnavailable)
	}), middleware.RequestLog(silent, nil))
	const private = "ana@private.example"
	request := httptest.NewRequest(http.MethodPost, "/contact?email="+private, strings.NewReader(private))
	request.Header.Set("User-Agent", private)
	w := httptest.NewRecorder()
	site.ServeHTTP(w, request)
	stop()

	for _, want := range []string{"POST contact", "panel submission", "submission 7", "zedcard", "1.2.3"} {
		assert.Contains(t, sent.String(), want)
	}
	assert.NotEmpty(t, parent, "the trace is passed on to the back end")
	assert.NotContains(t, sent.String(), "private.example")
	assert.NotContains(t, sent.String(), "192.0.2.1", "the client's address is not in the trace")
	assert.Contains(t, sent.String(), w.Header().Get("X-Request-Id"), "the request id of the log is in the trace")
}

func TestACollectorThatIsDownDoesNotAffectRequests(t *testing.T) {
	down := httptest.NewServer(nil)
	down.Close()
	var log bytes.Buffer
	stop, err := startTracing(t.Context(), down.URL, "1", slog.New(slog.NewTextHandler(&log, nil)))
	require.NoError(t, err)
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "page") })
	site := middleware.RequestLog(slog.New(slog.DiscardHandler), nil)(page)
	w := httptest.NewRecorder()
	site.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	assert.Equal(t, "page", w.Body.String())
	stop()
	assert.Contains(t, log.String(), "traces not sent")
}
