package compress_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/compress"
)

func TestCompressionFollowsTheBrowsersPreference(t *testing.T) {
	cases := []struct{ accept, coding string }{
		{"gzip, deflate, br, zstd", "zstd"},
		{"gzip, deflate, br", "br"},
		{"gzip, deflate", "gzip"},
		{"GZIP", "gzip"},
		{"zstd;q=0, br;q=0, gzip", "gzip"},
		{"br ; q=0.9 , zstd ; Q=0.000", "br"},
		{"*", "zstd"},
		{"*;q=0.1, gzip", "zstd"},
		{"*;q=0", ""},
		{"zstd;q=0, *", "br"},
		{"deflate", ""},
		{"identity", ""},
		{"", ""},
	}
	for _, tc := range cases {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", tc.accept)
		assert.Equal(t, tc.coding, compress.Fast.Negotiate(r), tc.accept)
	}
}

var page = strings.Repeat("<p>a page that is worth compressing</p>\n", 100)

func TestTextsAreCompressedAndNothingElse(t *testing.T) {
	for name, tc := range map[string]struct {
		header, value, coding string
	}{
		"page":               {"Content-Type", "text/html; charset=utf-8", "zstd"},
		"picture":            {"Content-Type", "image/jpeg", ""},
		"already compressed": {"Content-Encoding", "br", "br"},
		"part of a file":     {"Content-Range", "bytes 0-9/99", ""},
	} {
		server := httptest.NewServer(compress.Middleware(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(tc.header, tc.value)
			_, _ = io.WriteString(w, page)
		})))
		req, err := http.NewRequest(http.MethodGet, server.URL, nil)
		require.NoError(t, err)
		req.Header.Set("Accept-Encoding", "gzip, br, zstd")
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		assert.Equal(t, tc.coding, res.Header.Get("Content-Encoding"), name)
		if tc.coding == "zstd" {
			decoder, err := zstd.NewReader(nil)
			require.NoError(t, err)
			body, err = decoder.DecodeAll(body, nil)
			require.NoError(t, err)
			assert.Equal(t, "Accept-Encoding", res.Header.Get("Vary"))
		}
		assert.Equal(t, page, string(body), name)
		server.Close()
	}
}
