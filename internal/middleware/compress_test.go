package middleware_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/middleware"
)

var page = strings.Repeat("<li>Ágata, 178 cm</li>\n", 200)

// get asks h over a real connection, without the client's own decompression.
func get(t *testing.T, h http.HandlerFunc) (*http.Response, []byte) {
	t.Helper()
	server := httptest.NewServer(middleware.Compress(h))
	defer server.Close()
	req, err := http.NewRequest(http.MethodGet, server.URL+"/models?letter=A", nil)
	require.NoError(t, err)
	req.Header.Set("Accept-Encoding", "gzip, br, zstd")
	res, err := (&http.Transport{DisableCompression: true}).RoundTrip(req)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res, body
}

func TestWhatIsNotCompressed(t *testing.T) {
	cases := []struct {
		name    string
		status  int
		headers []string
		body    string
	}{
		{"picture", 200, []string{"Content-Type", "image/jpeg"}, page},
		{"font", 200, []string{"Content-Type", "font/woff2"}, page},
		{"zip", 200, []string{"Content-Type", "application/zip"}, page},
		{"already compressed", 200, []string{"Content-Type", "text/css", "Content-Encoding", "br"}, page},
		{"part of a file", 206, []string{"Content-Type", "text/plain", "Content-Range", "bytes 0-9/99"}, page},
		{"small", 404, []string{"Content-Type", "text/html"}, "gone"},
		{"events", 200, []string{"Content-Type", "text/event-stream"}, page},
		{"not modified", 304, []string{"ETag", `"v1"`}, ""},
		{"redirect", 303, []string{"Location", "/contact"}, ""},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			res, body := get(t, func(w http.ResponseWriter, _ *http.Request) {
				for i := 0; i < len(tc.headers); i += 2 {
					w.Header().Set(tc.headers[i], tc.headers[i+1])
				}
				w.WriteHeader(tc.status)
				_, _ = io.WriteString(w, tc.body)
			})
			assert.Equal(t, tc.status, res.StatusCode)
			assert.Equal(t, tc.body, string(body))
			for i := 0; i < len(tc.headers); i += 2 {
				assert.Equal(t, tc.headers[i+1], res.Header.Get(tc.headers[i]))
			}
		})
	}
}

func TestTextsAreCompressed(t *testing.T) {
	res, body := get(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<!doctype html>"+page)
	})
	assert.Equal(t, "text/html; charset=utf-8", res.Header.Get("Content-Type"))
	assert.Equal(t, "Accept-Encoding", res.Header.Get("Vary"))
	assert.Equal(t, "zstd", res.Header.Get("Content-Encoding"))
	decoder, err := zstd.NewReader(nil)
	require.NoError(t, err)
	plain, err := decoder.DecodeAll(body, nil)
	require.NoError(t, err)
	assert.Equal(t, "<!doctype html>"+page, string(plain))
}
