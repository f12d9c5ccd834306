package web_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/web"
)

// errorPage is the site's error page as these tests know it.
func errorPage(w http.ResponseWriter, _ *http.Request, status int) {
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "page of "+http.StatusText(status))
}

var page = strings.Repeat("<li>Ágata, 178 cm</li>\n", 200)

func TestPanicBecomesTheErrorPage(t *testing.T) {
	cases := []struct {
		name, kind string
		reason     any
	}{
		{"a text", "string", "Joana Silva +351 912 345 678"},
		{"an error", "*errors.errorString", errors.New("Joana Silva +351 912 345 678")},
		{"a runtime error", "index out of range [3] with length 0", nil},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			var logged bytes.Buffer
			h := web.Recover(slog.New(slog.NewTextHandler(&logged, nil)), errorPage)(
				http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Cache-Control", "public, max-age=60")
					w.Header().Set("Set-Cookie", "a=b")
					w.Header().Set("X-Content-Type-Options", "nosniff")
					if tc.reason != nil {
						panic(tc.reason)
					}
					var none []int
					_ = none[3]
				}))
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/contact?name=Joana", nil))
			assert.Equal(t, http.StatusInternalServerError, w.Code)
			assert.Equal(t, "page of Internal Server Error", w.Body.String())
			assert.Empty(t, w.Header().Get("Cache-Control"), "an error page must not be cached")
			assert.Empty(t, w.Header().Get("Set-Cookie"))
			assert.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
			assert.Contains(t, logged.String(), tc.kind)
			assert.Contains(t, logged.String(), "middleware_test.go", "the log has the line of the panic")
			assert.NotContains(t, logged.String(), "Joana")
			assert.NotContains(t, logged.String(), "912 345", "in full, because the stack has addresses")
		})
	}
}

func TestPanicInTheMiddleOfAnAnswerCutsTheConnection(t *testing.T) {
	discard := slog.New(slog.DiscardHandler)
	h := web.Recover(discard, errorPage)(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, page)
		panic("in the middle")
	}))
	server := httptest.NewUnstartedServer(h)
	server.Config.ErrorLog = slog.NewLogLogger(discard.Handler(), slog.LevelError)
	server.Start()
	defer server.Close()
	res, err := http.Get(server.URL)
	if err == nil {
		_, err = io.ReadAll(res.Body)
		_ = res.Body.Close()
	}
	require.Error(t, err, "the client notices that the answer is incomplete")
}

func TestARequestIsLoggedWithoutPersonalData(t *testing.T) {
	var logged bytes.Buffer
	var screen string
	var status int
	h := web.RequestLog(slog.New(slog.NewTextHandler(&logged, nil)),
		func(name string, code int, _ time.Duration) {
			screen, status = name, code
		}, nil)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		web.SetScreen(r.Context(), "contact")
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = io.WriteString(w, "look again")
	}))
	r := httptest.NewRequest(http.MethodPost, "/pt/contato?email=joana@example.com", strings.NewReader("name=Joana"))
	r.RemoteAddr = "203.0.113.9:4711"
	r.Header.Set("X-Forwarded-For", "203.0.113.10")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	assert.Equal(t, "contact", screen)
	assert.Equal(t, http.StatusUnprocessableEntity, status)
	line := logged.String()
	for _, part := range []string{
		"method=POST", "path=/pt/contato", "screen=contact", "status=422", "bytes=10",
		"took=", "whole=true",
	} {
		assert.Contains(t, line, part)
	}
	for _, secret := range []string{"joana", "Joana", "203.0.113"} {
		assert.NotContains(t, line, secret)
	}
}

func TestUnusualAnswersInTheLog(t *testing.T) {
	cases := []struct {
		name    string
		handler http.HandlerFunc
		line    []string
	}{
		{"nothing written", func(http.ResponseWriter, *http.Request) {}, []string{
			"level=INFO", "status=200", "bytes=0", "whole=true",
		}},
		{"back end down", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }, []string{
			"level=WARN", "status=503",
		}},
		{"aborted", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "half")
			panic(http.ErrAbortHandler)
		}, []string{"status=200", "bytes=4", "whole=false"}},
		{"aborted before any byte", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, []string{
			"level=WARN", "status=500", "whole=false",
		}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			var logged bytes.Buffer
			h := web.RequestLog(slog.New(slog.NewTextHandler(&logged, nil)), nil, nil)(tc.handler)
			func() {
				defer func() { _ = recover() }()
				h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
			}()
			for _, part := range tc.line {
				assert.Contains(t, logged.String(), part)
			}
		})
	}
}

var proxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:ffff::/48")}

func TestClientIPIsNotTakenFromUntrustedHeaders(t *testing.T) {
	cases := []struct {
		name, peer string
		forwarded  []string
		trusted    []netip.Prefix
		want       string
	}{
		{"direct", "203.0.113.9:1", nil, proxies, "203.0.113.9"},
		{"direct, forged", "203.0.113.9:1", []string{"198.51.100.1"}, proxies, "203.0.113.9"},
		{"no proxy is trusted", "10.0.0.1:1", []string{"198.51.100.1"}, nil, "10.0.0.1"},
		{"behind a proxy", "10.0.0.1:1", []string{"203.0.113.9"}, proxies, "203.0.113.9"},
		{"behind a proxy, forged", "10.0.0.1:1", []string{"198.51.100.1, 203.0.113.9"}, proxies, "203.0.113.9"},
		{
			"forged as a trusted proxy", "10.0.0.1:1",
			[]string{"198.51.100.1,10.9.9.9,203.0.113.9"}, proxies, "203.0.113.9",
		},
		{"two proxies, two headers", "10.0.0.1:1", []string{"203.0.113.9", "10.0.0.2"}, proxies, "203.0.113.9"},
		{"only proxies", "10.0.0.1:1", []string{"10.0.0.3, 10.0.0.2"}, proxies, "10.0.0.3"},
		{"unreadable hop", "10.0.0.1:1", []string{"203.0.113.9, unknown"}, proxies, "10.0.0.1"},
		{"empty header", "10.0.0.1:1", []string{""}, proxies, "10.0.0.1"},
		{"with a port", "10.0.0.1:1", []string{"203.0.113.9:4711"}, proxies, "203.0.113.9"},
		{
			"IPv6 with a port", "10.0.0.1:1",
			[]string{"[2001:db8:1:2:aaaa::1]:4711, 10.0.0.2:80"}, proxies, "2001:db8:1:2::/64",
		},
		{"IPv6 by its /64", "[2001:db8:1:2:3:4:5:6]:1", nil, nil, "2001:db8:1:2::/64"},
		{"IPv6 behind a proxy", "[2001:db8:ffff::1]:1", []string{"2001:db8:1:2:aaaa::1"}, proxies, "2001:db8:1:2::/64"},
		{"IPv4 in IPv6", "[::ffff:10.0.0.1]:1", []string{"::ffff:203.0.113.9"}, proxies, "203.0.113.9"},
		{"zone", "[fe80::1%eth0]:1", nil, nil, "fe80::/64"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/contact", nil)
			r.RemoteAddr = tc.peer
			r.Header["X-Forwarded-For"] = tc.forwarded
			assert.Equal(t, tc.want, web.ClientIP(r, tc.trusted))
		})
	}
}

func TestOnlyARequestOfThisMachineItselfIsFromHere(t *testing.T) {
	for _, tc := range []struct {
		peer, host, header string
		isHere             bool
	}{
		{"127.0.0.1:9", "localhost:8080", "", true},
		{"127.0.0.1:9", "127.0.0.1", "", true},
		{"[::1]:9", "[::1]:8080", "", true},
		{"192.0.2.1:9", "localhost:8080", "", false},
		{"10.0.0.1:9", "10.0.0.1:8080", "", false},
		{"127.0.0.1:9", "www.agency.example", "", false},
		{"127.0.0.1:9", "localhost.agency.example", "", false},
		{"127.0.0.1:9", "localhost", "X-Forwarded-For", false},
		{"127.0.0.1:9", "localhost", "X-Forwarded-Host", false},
		{"127.0.0.1:9", "localhost", "Forwarded", false},
		{"127.0.0.1:9", "localhost", "Via", false},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr, r.Host = tc.peer, tc.host
		if tc.header != "" {
			r.Header.Set(tc.header, "127.0.0.1")
		}
		assert.Equal(t, tc.isHere, web.FromHere(r), tc)
	}
}

func TestTheFirstForwardedProtocolCounts(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")} // httptest's peer is of it
	for given, isSecure := range map[string]bool{
		"https": true, "HTTPS, http": true, "https,http": true, "http, https": false, "http": false, "": false,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("X-Forwarded-Proto", given)
		assert.Equal(t, isSecure, web.Secure(r, trusted), given)
	}
}

func TestAPublicNameThatBaseURLDoesNotHaveIsLoggedOnce(t *testing.T) {
	var logged bytes.Buffer
	isPublic := func(host string) bool { return host == "www.agency.example" }
	site := web.WarnOfHost(slog.New(slog.NewTextHandler(&logged, nil)), isPublic)(http.NotFoundHandler())
	for _, host := range []string{"localhost:8080", "www.agency.example", "www.agency.example:443"} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = host
		site.ServeHTTP(httptest.NewRecorder(), r)
	}
	assert.Equal(t, 1, strings.Count(logged.String(), "BASE_URL"))
}

func TestSecurityHeader(t *testing.T) {
	w := httptest.NewRecorder()
	web.SecurityHeader(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	h := w.Header()
	policy := h.Get("Content-Security-Policy")
	for _, part := range []string{
		"default-src 'none'", "script-src 'self'", "style-src 'self'",
		"img-src 'self'", "font-src 'self'",
		"connect-src 'self'", "manifest-src 'self'",
		"worker-src 'none'", "form-action 'self'", "base-uri 'none'",
		"frame-ancestors 'none'", "frame-src https://www.youtube-nocookie.com https://player.vimeo.com",
	} {
		assert.Contains(t, strings.Split(policy, "; "), part)
	}
	assert.NotContains(t, policy, "unsafe")
	assert.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
	assert.Equal(t, "strict-origin-when-cross-origin", h.Get("Referrer-Policy"))
	assert.Contains(t, h.Get("Permissions-Policy"), "geolocation=()")
	assert.Equal(t, "same-origin", h.Get("Cross-Origin-Opener-Policy"))
	assert.Equal(t, "same-origin", h.Get("Cross-Origin-Resource-Policy"))
}

func TestStrictTransportSecurity(t *testing.T) {
	cases := []struct {
		name        string
		https       bool
		peer, proto string
		hsts        string
	}{
		{"plain", false, "203.0.113.9:1", "", ""},
		{"public address is https", true, "203.0.113.9:1", "", "max-age=31536000"},
		{"a trusted proxy says https", false, "10.0.0.1:1", "https", "max-age=31536000"},
		{"a trusted proxy says http", false, "10.0.0.1:1", "http", ""},
		{"an untrusted client says https", false, "203.0.113.9:1", "https", ""},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.RemoteAddr = tc.peer
			r.Header.Set("X-Forwarded-Proto", tc.proto)
			w := httptest.NewRecorder()
			web.StrictTransport(tc.https, proxies)(http.NotFoundHandler()).ServeHTTP(w, r)
			assert.Equal(t, tc.hsts, w.Header().Get("Strict-Transport-Security"))
		})
	}
}

func TestFormPostFromAnotherSiteIsRefused(t *testing.T) {
	check := web.CrossOrigin("https://www.best.example", errorPage)
	h := check(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusSeeOther) }))
	cases := []struct {
		name, method string
		headers      []string
		status       int
	}{
		{"own page", http.MethodPost, []string{"Sec-Fetch-Site", "same-origin"}, 303},
		{"own page in an old browser", http.MethodPost, []string{"Origin", "http://example.com"}, 303},
		{
			"own page behind a proxy that hides the host", http.MethodPost,
			[]string{"Origin", "https://www.best.example"}, 303,
		},
		{"not a browser", http.MethodPost, nil, 303},
		{"another site", http.MethodPost, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"another subdomain", http.MethodPost, []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"another site in an old browser", http.MethodPost, []string{"Origin", "https://evil.example"}, 403},
		{"hidden origin", http.MethodPost, []string{"Origin", "null"}, 403},
		{"a link on another site", http.MethodGet, []string{"Sec-Fetch-Site", "cross-site"}, 303},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			r := httptest.NewRequest(tc.method, "http://example.com/contact", nil)
			for i := 0; i < len(tc.headers); i += 2 {
				r.Header.Set(tc.headers[i], tc.headers[i+1])
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			assert.Equal(t, tc.status, w.Code)
			if tc.status == http.StatusForbidden {
				assert.Equal(t, "page of Forbidden", w.Body.String())
			}
		})
	}
}

// pipes is a listener whose connections are pipes, so that a test's clock drives their deadlines.
type pipes struct{ conns chan net.Conn }

func (p pipes) Accept() (net.Conn, error) {
	conn, open := <-p.conns
	if !open {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error { return nil }

func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }

// connect serves one connection until end is called; what the server answers is dropped.
func connect(t *testing.T, server *http.Server) (client net.Conn, end func()) {
	t.Helper()
	listener := pipes{make(chan net.Conn)}
	go func() { _ = server.Serve(listener) }()
	client, accepted := net.Pipe()
	listener.conns <- accepted
	go func() { _, _ = io.Copy(io.Discard, client) }()
	return client, func() {
		close(listener.conns)
		require.NoError(t, server.Close())
		require.NoError(t, client.Close())
	}
}

func TestAnUploadIsReadWhileItMakesProgress(t *testing.T) {
	for name, tc := range map[string]struct {
		pieces int           // of 40 KiB
		pause  time.Duration // between two
		want   error
	}{
		"a slow line":      {20, 8 * time.Second, nil},
		"too slow a line":  {20, 12 * time.Second, os.ErrDeadlineExceeded},
		"no data":          {20, time.Hour, os.ErrDeadlineExceeded},
		"for half an hour": {225, 8 * time.Second, os.ErrDeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const piece = 40 << 10
				read := make(chan error, 1)
				server := &http.Server{ReadTimeout: 5 * time.Second, Handler: http.HandlerFunc(
					func(w http.ResponseWriter, r *http.Request) {
						web.AllowUpload(w, r, int64(tc.pieces*piece))
						_, err := io.Copy(io.Discard, r.Body)
						read <- err
					})}
				client, end := connect(t, server)
				var sending sync.WaitGroup
				sending.Go(func() {
					_, _ = fmt.Fprintf(client, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n",
						tc.pieces*piece)
					for range tc.pieces {
						if _, err := client.Write(make([]byte, piece)); err != nil {
							return
						}
						time.Sleep(tc.pause)
					}
				})
				require.ErrorIs(t, <-read, tc.want)
				end()
				sending.Wait()
			})
		})
	}
}

func TestAProxyThatHidesItsVisitorsIsLoggedOnce(t *testing.T) {
	for name, tc := range map[string]struct {
		peer, forwarded string
		trusted         []netip.Prefix
		warnings        int
	}{
		"untrusted proxy": {"10.0.0.1:1", "203.0.113.9", nil, 1},
		"trusted proxy":   {"10.0.0.1:1", "203.0.113.9", proxies, 0},
		"unreadable":      {"10.0.0.1:1", "198.51.100.1, unknown", proxies, 1},
		"with a port":     {"10.0.0.1:1", "unknown, 203.0.113.9:4711", proxies, 0},
		"no proxy":        {"10.0.0.1:1", "", nil, 0},
		"a forged header": {"203.0.113.9:1", "198.51.100.1", nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var logged bytes.Buffer
			h := web.WarnOfProxy(slog.New(slog.NewTextHandler(&logged, nil)), tc.trusted)(
				http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
			for range 3 {
				r := httptest.NewRequest(http.MethodGet, "/", nil)
				r.RemoteAddr = tc.peer
				if tc.forwarded != "" {
					r.Header.Set("X-Forwarded-For", tc.forwarded)
				}
				h.ServeHTTP(httptest.NewRecorder(), r)
			}
			assert.Equal(t, tc.warnings, strings.Count(logged.String(), "TRUSTED_PROXIES"))
		})
	}
}
