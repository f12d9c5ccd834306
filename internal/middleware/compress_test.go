package middleware_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/middleware"
)

var page = strings.Repeat("<li>Ágata, 178 cm</li>\n", 200)

// get asks h over a real connection, without the client's own decompression.
func get(t *testing.T, h http.Handler, method string, header ...string) (*http.Response, []byte) {
	t.Helper()
	server := httptest.NewServer(h)
	defer server.Close()
	req, err := http.NewRequest(method, server.URL+"/models?letter=A", nil)
	require.NoError(t, err)
	req.Header.Set("Accept-Encoding", "")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := (&http.Transport{DisableCompression: true}).RoundTrip(req)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res, body
}

func unpack(t *testing.T, coding string, body []byte) string {
	t.Helper()
	var reader io.Reader = strings.NewReader(string(body))
	switch coding {
	case "zstd":
		r, err := zstd.NewReader(reader)
		require.NoError(t, err)
		defer r.Close()
		reader = r
	case "br":
		reader = brotli.NewReader(reader)
	case "gzip":
		r, err := gzip.NewReader(reader)
		require.NoError(t, err)
		reader = r
	}
	plain, err := io.ReadAll(reader)
	require.NoError(t, err)
	return string(plain)
}

func TestCompressionFollowsTheBrowsersPreference(t *testing.T) {
	h := middleware.Compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("ETag", `"v1"`)
		w.Header().Set("Content-Length", fmt.Sprint(len(page)))
		for part := range strings.Lines(page) { // as a template that writes in pieces
			_, _ = io.WriteString(w, part)
		}
	}))
	cases := []struct{ accept, coding string }{
		{"gzip, deflate, br, zstd", "zstd"},
		{"gzip, deflate, br", "br"},
		{"gzip, deflate", "gzip"},
		{"GZIP", "gzip"},
		{"gzip;q=1.0, br;q=0.5, zstd;q=0.1", "gzip"},
		{"zstd;q=0, br;q=0, gzip", "gzip"},
		{"br ; q=0.9 , zstd ; q=0.8", "br"},
		{"*", "zstd"},
		{"*;q=0.1, gzip", "gzip"},
		{"*;q=0", ""},
		{"br;q=high", ""},
		{"deflate", ""},
		{"identity", ""},
		{"", ""},
	}
	for _, tc := range cases {
		t.Run(tc.accept, func(t *testing.T) {
			res, body := get(t, h, http.MethodGet, "Accept-Encoding", tc.accept)
			assert.Equal(t, tc.coding, res.Header.Get("Content-Encoding"))
			assert.Equal(t, "Accept-Encoding", res.Header.Get("Vary"))
			assert.Equal(t, page, unpack(t, tc.coding, body))
			if tc.coding == "" {
				assert.Equal(t, `"v1"`, res.Header.Get("ETag"))
				return
			}
			assert.Equal(t, `W/"v1"`, res.Header.Get("ETag"))
			assert.Less(t, len(body), len(page)/5)
		})
	}
}

func TestWhatIsNotCompressed(t *testing.T) {
	cases := []struct {
		name    string
		status  int
		headers []string
		body    string
		vary    string
	}{
		{"picture", 200, []string{"Content-Type", "image/jpeg"}, page, ""},
		{"font", 200, []string{"Content-Type", "font/woff2"}, page, ""},
		{"zip", 200, []string{"Content-Type", "application/zip"}, page, ""},
		{
			"already compressed", 200,
			[]string{"Content-Type", "text/css", "Content-Encoding", "br", "Vary", "Accept-Encoding"},
			page, "Accept-Encoding",
		},
		{"part of a file", 206, []string{"Content-Type", "text/plain", "Content-Range", "bytes 0-9/99"}, page, ""},
		{"no-transform", 200, []string{"Content-Type", "text/html", "Cache-Control", "public, no-transform"}, page, ""},
		{"small", 404, []string{"Content-Type", "text/html"}, "gone", "Accept-Encoding"},
		{"events", 200, []string{"Content-Type", "text/event-stream"}, page, ""},
		{"not modified", 304, []string{"ETag", `"v1"`}, "", "Accept-Encoding"},
		{"redirect", 303, []string{"Location", "/contact"}, "", ""},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			res, body := get(t, middleware.Compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				for i := 0; i < len(tc.headers); i += 2 {
					w.Header().Set(tc.headers[i], tc.headers[i+1])
				}
				w.WriteHeader(tc.status)
				_, _ = io.WriteString(w, tc.body)
			})), http.MethodGet, "Accept-Encoding", "gzip, br, zstd")
			assert.Equal(t, tc.status, res.StatusCode)
			assert.Equal(t, tc.body, string(body))
			assert.Equal(t, tc.vary, strings.Join(res.Header.Values("Vary"), ","))
			for i := 0; i < len(tc.headers); i += 2 {
				assert.Equal(t, tc.headers[i+1], res.Header.Get(tc.headers[i]))
			}
		})
	}
}

func TestContentTypeIsDetectedBeforeCompression(t *testing.T) {
	res, body := get(t, middleware.Compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<!doctype html>"+page)
	})), http.MethodGet, "Accept-Encoding", "br")
	assert.Equal(t, "text/html; charset=utf-8", res.Header.Get("Content-Type"))
	assert.Equal(t, "<!doctype html>"+page, unpack(t, res.Header.Get("Content-Encoding"), body))
}

func TestHeadAnswersWithoutBodyOrCoding(t *testing.T) {
	res, body := get(t, middleware.Compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, page)
	})), http.MethodHead, "Accept-Encoding", "br")
	assert.Equal(t, http.StatusOK, res.StatusCode)
	assert.Equal(t, "Accept-Encoding", res.Header.Get("Vary"))
	assert.Empty(t, res.Header.Get("Content-Encoding"))
	assert.Empty(t, body)
}

func TestFlushSendsBufferedBytes(t *testing.T) {
	seen := make(chan struct{})
	server := httptest.NewServer(middleware.Compress(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "first")
		assert.NoError(t, http.NewResponseController(w).Flush())
		select {
		case <-seen:
		case <-r.Context().Done():
		}
		_, _ = io.WriteString(w, " second")
	})))
	defer server.Close()
	res, err := http.Get(server.URL) // asks for gzip and unpacks it
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	first := make([]byte, 5)
	_, err = io.ReadFull(res.Body, first)
	require.NoError(t, err)
	assert.Equal(t, "first", string(first))
	close(seen)
	rest, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	assert.Equal(t, " second", string(rest))
	assert.False(t, res.Uncompressed, "what is sent in pieces is not compressed")
}

func BenchmarkCompress(b *testing.B) {
	var roster strings.Builder
	for i := range 400 {
		fmt.Fprintf(&roster,
			`<a href="/models/%d/talent-%x" data-talent="%d"><img src="/media/%x-400.avif" width="400" `+
				`height="%d" alt=""><h2>Talent %d</h2></a>`,
			i, i*7919, i, i*104729, 500+i%60, i)
	}
	h := middleware.Compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, roster.String())
	}))
	for _, coding := range []string{"zstd", "br", "gzip"} {
		b.Run(coding, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header.Set("Accept-Encoding", coding)
			b.ReportAllocs()
			size := 0
			for b.Loop() {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				size = w.Body.Len()
			}
			b.ReportMetric(float64(size), "bytes")
			b.ReportMetric(float64(roster.Len()), "plain-bytes")
		})
	}
}
