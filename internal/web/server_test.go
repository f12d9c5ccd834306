package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/web"
)

// running is a Serve that a test started.
type running struct {
	addr  map[string]string // by setting
	ended chan error
}

// start runs Serve on free ports and waits until it listens.
func start(ctx context.Context, t *testing.T, public, admin http.Handler) running {
	t.Helper()
	reader, writer := io.Pipe()
	r := running{addr: map[string]string{}, ended: make(chan error, 1)}
	go func() {
		err := web.Serve(ctx, slog.New(slog.NewJSONHandler(writer, nil)),
			web.Endpoint{Setting: "LISTEN_ADDR", Addr: "127.0.0.1:0", Handler: public},
			web.Endpoint{Setting: "ADMIN_ADDR", Addr: "127.0.0.1:0", Handler: admin})
		_ = writer.Close()
		r.ended <- err
	}()
	lines := bufio.NewScanner(reader)
	for len(r.addr) < 2 && lines.Scan() {
		var line struct{ Msg, Setting, Addr string }
		require.NoError(t, json.Unmarshal(lines.Bytes(), &line))
		if line.Msg == "listening" {
			r.addr[line.Setting] = line.Addr
		}
	}
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	require.Len(t, r.addr, 2, "%v", lines.Err())
	return r
}

func status(t *testing.T, url string) int {
	t.Helper()
	res, err := http.Get(url)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res.StatusCode
}

func TestRequestsInFlightAreFinishedAtShutdown(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	entered, finish := make(chan struct{}), make(chan struct{})
	public := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		<-finish
		if r.Context().Err() == nil {
			_, _ = io.WriteString(w, "whole")
		}
	})
	s := start(ctx, t, public, newAdmin(ctx, isReady, web.NewMetrics("test", func(io.Writer) {})))
	readyz := "http://" + s.addr["ADMIN_ADDR"] + "/readyz"
	require.Equal(t, http.StatusOK, status(t, readyz))

	type answer struct {
		body string
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		res, err := http.Get("http://" + s.addr["LISTEN_ADDR"])
		if err != nil {
			answered <- answer{err: err}
			return
		}
		defer func() { _ = res.Body.Close() }()
		body, err := io.ReadAll(res.Body)
		answered <- answer{string(body), err}
	}()
	<-entered
	stop()
	late, err := http.Get(readyz)
	require.NoError(t, err)
	_ = late.Body.Close()
	assert.Equal(t, http.StatusServiceUnavailable, late.StatusCode, "not ready as soon as shutdown begins")
	assert.True(t, late.Close, "the connection is closed after the answer")
	close(finish)
	got := <-answered
	require.NoError(t, got.err)
	assert.Equal(t, "whole", got.body)
	require.NoError(t, <-s.ended)
	_, err = net.Dial("tcp", s.addr["LISTEN_ADDR"])
	require.Error(t, err, "the port is closed after shutdown")
}

func TestARequestOnAConnectionThatAProxyKeepsOpenIsAnsweredDuringShutdown(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
	s := start(ctx, t, echo, http.NotFoundHandler())
	proxy, err := net.Dial("tcp", s.addr["LISTEN_ADDR"])
	require.NoError(t, err)
	defer func() { _ = proxy.Close() }()
	answers := bufio.NewReader(proxy)
	post := func() *http.Response {
		_, err := io.WriteString(proxy, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi")
		require.NoError(t, err)
		res, err := http.ReadResponse(answers, nil)
		require.NoError(t, err)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		assert.Equal(t, "hi", string(body))
		return res
	}
	assert.False(t, post().Close)
	stop()
	require.NoError(t, proxy.SetReadDeadline(time.Now().Add(2*time.Second))) // until the proxy asks for /readyz again
	_, err = answers.Peek(1)
	require.ErrorIs(t, err, os.ErrDeadlineExceeded, "the connection stays open")
	require.NoError(t, proxy.SetReadDeadline(time.Time{}))
	assert.True(t, post().Close, "the connection is closed after the answer")
	require.NoError(t, <-s.ended)
}

func TestARequestWithALargeHeaderIsRefused(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	s := start(ctx, t, http.NotFoundHandler(), http.NotFoundHandler())
	request, err := http.NewRequest(http.MethodGet, "http://"+s.addr["LISTEN_ADDR"], nil)
	require.NoError(t, err)
	request.Header.Set("Cookie", strings.Repeat("c", 30<<10))
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	assert.Equal(t, http.StatusRequestHeaderFieldsTooLarge, answer.StatusCode)
	stop()
	require.NoError(t, <-s.ended)
}

func TestAGetWithABodyThatNeverComesIsAnsweredAndClosed(t *testing.T) {
	s := start(t.Context(), t, http.NotFoundHandler(), http.NotFoundHandler())
	visitor, err := net.Dial("tcp", s.addr["LISTEN_ADDR"])
	require.NoError(t, err)
	defer func() { _ = visitor.Close() }()
	require.NoError(t, visitor.SetDeadline(time.Now().Add(4*time.Second))) // less than a body may take
	_, err = io.WriteString(visitor, "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf")
	require.NoError(t, err)
	answer, err := http.ReadResponse(bufio.NewReader(visitor), nil)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	assert.Equal(t, http.StatusNotFound, answer.StatusCode)
	assert.True(t, answer.Close)
}

func TestASmallFormHasFiveSeconds(t *testing.T) {
	failed := make(chan error, 1)
	s := start(t.Context(), t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		failed <- r.ParseForm()
	}), http.NotFoundHandler())
	visitor, err := net.Dial("tcp", s.addr["LISTEN_ADDR"])
	require.NoError(t, err)
	defer func() { _ = visitor.Close() }()
	_, err = io.WriteString(visitor, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n"+
		"Content-Type: application/x-www-form-urlencoded\r\n\r\nhalf")
	require.NoError(t, err)
	require.ErrorIs(t, <-failed, os.ErrDeadlineExceeded)
}

func TestAdmin(t *testing.T) {
	metrics := web.NewMetrics("1.2.3", func(io.Writer) {})
	metrics.Observe("profile", http.StatusOK, 3*time.Millisecond)
	metrics.Observe("profile", http.StatusNotFound, time.Second)
	var problem error
	admin := newAdmin(t.Context(), func(context.Context) error { return problem }, metrics)
	cases := []struct {
		path    string
		problem error
		status  int
		body    []string
	}{
		{"/healthz", nil, 200, []string{"ok"}},
		{"/healthz", errors.New("panel: unavailable"), 200, []string{"ok"}},
		{"/readyz", nil, 200, []string{"ok"}},
		{"/readyz", errors.New("panel: unavailable"), 503, []string{"panel: unavailable"}},
		{"/metrics", nil, 200, []string{
			`zedcard_http_requests_total{screen="profile",status="2xx"} 1`,
			`zedcard_http_requests_total{screen="profile",status="4xx"} 1`,
			`zedcard_http_request_seconds_bucket{screen="profile",le="0.005"} 1`,
			`zedcard_build_info{version="1.2.3"} 1`,
			"go_goroutines", "process_resident_memory_bytes",
		}},
		{"/debug/pprof/", nil, 200, []string{"goroutine"}},
		{"/", nil, 404, nil},
	}
	for _, tc := range cases {
		t.Run(fmt.Sprint(tc.path, " ", tc.problem), func(t *testing.T) {
			problem = tc.problem
			code, body := ask(admin, "localhost", tc.path)
			assert.Equal(t, tc.status, code)
			for _, part := range tc.body {
				assert.Contains(t, body, part)
			}
		})
	}
}

func TestReadyzDoesNotWaitForASlowBackEnd(t *testing.T) {
	admin := newAdmin(t.Context(), func(ctx context.Context) error {
		deadline, limited := ctx.Deadline()
		assert.True(t, limited)
		assert.Less(t, time.Until(deadline), 5*time.Second)
		return context.DeadlineExceeded
	}, web.NewMetrics("test", func(io.Writer) {}))
	status, _ := ask(admin, "localhost", "/readyz")
	assert.Equal(t, http.StatusServiceUnavailable, status)
}

func newAdmin(ctx context.Context, ready func(context.Context) error, metrics *web.Metrics) http.Handler {
	return web.Admin(ctx, web.AdminConfig{
		Ready: ready, Forms: func() error { return nil }, Metrics: metrics, Forget: http.NotFoundHandler(),
	})
}

func isReady(context.Context) error { return nil }

func ask(admin http.Handler, host, path string) (status int, body string) {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = host
	w := httptest.NewRecorder()
	admin.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

func TestTheAdminAddressRefusesPublicHostNames(t *testing.T) {
	admin := newAdmin(t.Context(), isReady, web.NewMetrics("test", func(io.Writer) {}))
	for host, want := range map[string]int{
		"127.0.0.1:9090": 200, "[::1]:9090": 200, "localhost:9090": 200, "zedcard:9090": 200, "zedcard.internal": 200,
		"attacker.example:9090": 421, "127.0.0.1.nip.io": 421,
	} {
		status, _ := ask(admin, host, "/healthz")
		assert.Equal(t, want, status, host)
	}
	for listen, public := range map[string]bool{
		":9090": true, "0.0.0.0:9090": true, "198.51.100.7:9090": true,
		"127.0.0.1:9090": false, "10.0.0.5:9090": false, "": false,
	} {
		assert.Equal(t, public, web.IsPublic(listen), listen)
	}
}
