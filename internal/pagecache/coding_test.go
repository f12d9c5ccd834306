package pagecache_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/pagecache"
)

func unpack(t *testing.T, coding string, body []byte) string {
	t.Helper()
	var reader io.Reader = bytes.NewReader(body)
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
		assert.Equal(t, tc.coding, pagecache.Coding(r), tc.accept)
	}
}
