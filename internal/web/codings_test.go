package web_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/web"
)

func TestCompressionFollowsTheBrowsersPreference(t *testing.T) {
	cases := []struct{ accept, coding string }{
		{"gzip, deflate, br, zstd", "br"},
		{"gzip, deflate", "gzip"},
		{"GZIP", "gzip"},
		{"zstd;q=0, br;q=0, gzip", "gzip"},
		{"gzip ; q=0.9 , br ; Q=0.000", "gzip"},
		{"*", "br"},
		{"*;q=0.1, gzip", "br"},
		{"*;q=0", ""},
		{"br;q=0, *", "gzip"},
		{"deflate", ""},
		{"identity", ""},
		{"", ""},
	}
	for _, tc := range cases {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", tc.accept)
		assert.Equal(t, tc.coding, web.Coding(r), tc.accept)
	}
}
