package pagecache_test

import (
	"bytes"
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

func BenchmarkCodings(b *testing.B) {
	var roster strings.Builder
	for i := range 400 {
		fmt.Fprintf(&roster,
			`<a href="/models/%d/talent-%x" data-talent="%d"><img src="/media/%x-400.avif" width="400" `+
				`height="%d" alt=""><h2>Talent %d</h2></a>`,
			i, i*7919, i, i*104729, 500+i%60, i)
	}
	handler := func(w http.ResponseWriter, _ *http.Request) error {
		_, err := io.WriteString(w, roster.String())
		return err
	}
	for _, coding := range []string{"zstd", "br", "gzip"} {
		b.Run(coding, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header.Set("Accept-Encoding", coding)
			b.ReportAllocs()
			var size int64
			for b.Loop() {
				answer, err := pagecache.Render(r, handler)
				require.NoError(b, err)
				size = answer.Unkept()
			}
			b.ReportMetric(float64(size), "bytes")
			b.ReportMetric(float64(roster.Len()), "plain-bytes")
		})
	}
}
