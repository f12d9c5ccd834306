package server_test

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
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/server"
)

// running is a Serve that a test started.
type running struct {
	addr  map[string]string // by setting
	ended chan error
}

// start runs Serve on free ports and waits until it listens.
func start(
	ctx context.Context, t *testing.T, public, admin http.Handler, unreadable ...server.ErrorPage,
) running {
	t.Helper()
	reader, writer := io.Pipe()
	r := running{addr: map[string]string{}, ended: make(chan error, 1)}
	go func() {
		site := server.Endpoint{Setting: "LISTEN_ADDR", Addr: "127.0.0.1:0", Handler: public}
		if len(unreadable) > 0 {
			site.Unreadable = unreadable[0]
		}
		err := server.Serve(ctx, slog.New(slog.NewJSONHandler(writer, nil)), site,
			server.Endpoint{Setting: "ADMIN_ADDR", Addr: "127.0.0.1:0", Handler: admin})
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
	s := start(ctx, t, public,
		server.Admin(ctx, server.AdminConfig{Ready: isReady, Metrics: server.NewMetrics("test")}))
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

func TestAddressInUseIsNamedByItsSetting(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = taken.Close() }()
	err = server.Serve(t.Context(), slog.New(slog.DiscardHandler),
		server.Endpoint{Setting: "LISTEN_ADDR", Addr: "127.0.0.1:0", Handler: http.NotFoundHandler()},
		server.Endpoint{Setting: "ADMIN_ADDR", Addr: taken.Addr().String(), Handler: http.NotFoundHandler()})
	require.ErrorContains(t, err, "ADMIN_ADDR: listen tcp "+taken.Addr().String())
	assert.NotContains(t, err.Error(), "\n")
}

func TestAnUnreadableRequestGetsThePage(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	page := func(path string, status int) *http.Response {
		body := fmt.Sprint("page ", status, " for ", path)
		return &http.Response{
			ProtoMajor: 1, ProtoMinor: 1, StatusCode: status, ContentLength: int64(len(body)), Close: true,
			Header: http.Header{"Content-Type": {"text/html"}}, Body: io.NopCloser(strings.NewReader(body)),
		}
	}
	own := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "mine", 400) })
	s := start(ctx, t, own, http.NotFoundHandler(), page)
	conn, err := net.Dial("tcp", s.addr["LISTEN_ADDR"])
	require.NoError(t, err)
	for _, request := range []struct {
		path   string
		header int // bytes
		answer string
	}{
		{"/first", 8 << 10, "mine\n"}, {"/pt/models/%zz", 1, "page 400 for /pt/models/%zz"},
		{"/first", 1, "mine\n"}, {"/es", 30 << 10, "page 431 for /es"},
	} {
		_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nCookie: %s\r\n\r\n",
			request.path, strings.Repeat("c", request.header))
		require.NoError(t, err)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		assert.Equal(t, request.answer, string(body))
		if res.Close {
			require.NoError(t, conn.Close())
			conn, err = net.Dial("tcp", s.addr["LISTEN_ADDR"])
			require.NoError(t, err)
		}
	}
	require.NoError(t, conn.Close())
	stop()
	require.NoError(t, <-s.ended)
}

// slowReader is a visitor who takes each part of an answer after a pause; their connection blocks meanwhile.
func slowReader(t *testing.T, pause time.Duration, answer int) (received int, err error) {
	t.Helper()
	site, visitor := net.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := server.ProgressConn(site).Write(make([]byte, answer))
		done <- err
		_ = site.Close()
	}()
	part := make([]byte, 32<<10)
	for {
		time.Sleep(pause)
		n, err := visitor.Read(part)
		received += n
		if err != nil {
			return received, <-done
		}
	}
}

func TestAnAnswerIsWrittenAsLongAsTheVisitorReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const answer = 4 << 20
		received, err := slowReader(t, 5*time.Second, answer)
		require.NoError(t, err, "ten minutes for 4 MiB")
		assert.Equal(t, answer, received)
		_, err = slowReader(t, time.Minute, answer)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	})
}

func TestAdmin(t *testing.T) {
	metrics := server.NewMetrics("1.2.3")
	metrics.Observe("profile", http.StatusOK, 3*time.Millisecond)
	metrics.Observe("profile", http.StatusNotFound, time.Second)
	var problem error
	admin := server.Admin(t.Context(), server.AdminConfig{
		Ready: func(context.Context) error { return problem }, Metrics: metrics,
	})
	ask := func(path string) (int, string) {
		w := httptest.NewRecorder()
		admin.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost"+path, nil))
		return w.Code, w.Body.String()
	}
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
			code, body := ask(tc.path)
			assert.Equal(t, tc.status, code)
			for _, part := range tc.body {
				assert.Contains(t, body, part)
			}
		})
	}
}

func TestReadyzDoesNotWaitForASlowBackEnd(t *testing.T) {
	admin := newAdmin(t, func(ctx context.Context) error {
		deadline, limited := ctx.Deadline()
		assert.True(t, limited)
		assert.Less(t, time.Until(deadline), 5*time.Second)
		return context.DeadlineExceeded
	})
	assert.Equal(t, http.StatusServiceUnavailable, statusAt(admin, "localhost", "/readyz"))
}

func newAdmin(t testing.TB, ready func(context.Context) error) http.Handler {
	return server.Admin(t.Context(), server.AdminConfig{Ready: ready, Metrics: server.NewMetrics("test")})
}

func isReady(context.Context) error { return nil }

func statusAt(admin http.Handler, host, path string) int {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = host
	w := httptest.NewRecorder()
	admin.ServeHTTP(w, r)
	return w.Code
}

func TestTheAdminAddressRefusesPublicHostNames(t *testing.T) {
	admin := newAdmin(t, isReady)
	for host, status := range map[string]int{
		"127.0.0.1:9090": 200, "[::1]:9090": 200, "localhost:9090": 200, "zedcard:9090": 200, "zedcard.internal": 200,
		"attacker.example:9090": 421, "127.0.0.1.nip.io": 421,
	} {
		assert.Equal(t, status, statusAt(admin, host, "/healthz"), host)
	}
	for listen, public := range map[string]bool{
		":9090": true, "0.0.0.0:9090": true, "198.51.100.7:9090": true,
		"127.0.0.1:9090": false, "10.0.0.5:9090": false, "": false,
	} {
		assert.Equal(t, public, server.IsPublic(listen), listen)
	}
}

// FuzzAdminHost looks for a public name that the admin address answers.
func FuzzAdminHost(f *testing.F) {
	for _, seed := range []string{"attacker", "127.0.0.1", "localhost", "a.internal", "zedcard:9090", "[::1]", ""} {
		f.Add(seed, uint16(9090))
	}
	admin := newAdmin(f, isReady)
	f.Fuzz(func(t *testing.T, label string, port uint16) {
		if strings.ContainsAny(label, ":%") {
			return // no name has them
		}
		for _, host := range []string{label + ".attacker.example", fmt.Sprint(label, ".attacker.example:", port)} {
			require.Equal(t, http.StatusMisdirectedRequest, statusAt(admin, host, "/healthz"), "%q", host)
		}
	})
}
