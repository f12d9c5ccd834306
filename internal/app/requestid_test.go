package app

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/config"
	"zedcard/internal/remote"
	"zedcard/internal/requestid"
	"zedcard/internal/web"
)

func TestARequestsIDIsInItsLogLinesAndItsCalls(t *testing.T) {
	called := ""
	panel := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		called = r.Header.Get(requestid.Header)
		answer := `{"data": []}`
		if r.URL.Path == "/api/login" {
			answer = `{"token": "t"}`
		}
		_, _ = io.WriteString(w, answer)
	}))
	defer panel.Close()
	client := remote.NewPanel(remote.Config{BaseURL: panel.URL})
	for peer, trusted := range map[string]bool{"10.0.0.1:99": true, "192.0.2.1:99": false} {
		for _, given := range []string{"", "proxy-4711", "two words", strings.Repeat("x", 65), "ana@private.example"} {
			var lines bytes.Buffer
			log, out := newLog(config.Config{}, &lines)
			site := web.RequestLog(log, nil, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")})(
				http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					log.With("part", "x").WarnContext(r.Context(), "within")
					_, err := client.Slides(r.Context(), "home")
					assert.NoError(t, err)
				}))
			request := httptest.NewRequest(http.MethodGet, "/", nil)
			request.RemoteAddr = peer
			request.Header.Set(requestid.Header, given)
			w := httptest.NewRecorder()
			site.ServeHTTP(w, request)
			out.Flush()
			id := w.Header().Get(requestid.Header)
			require.NotEmpty(t, id)
			assert.Equal(t, trusted && given == "proxy-4711", id == given, "%s from %s", given, peer)
			assert.Equal(t, id, called)
			assert.Equal(t, 2, strings.Count(lines.String(), "request="+id), lines.String())
		}
	}
}
