package app_test

import (
	"bufio"
	"context"
	"io"
	"maps"
	"net/http"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/app"
	"zedcard/internal/picture"
	"zedcard/internal/testkit/htmltest"
	"zedcard/static"
)

// testProgram is the variable with which the test's program is zedcard.
const testProgram = "ZEDCARD_TEST_PROGRAM"

// TestMain lets the test's program be the processes for pictures, too: the site starts its own program for them.
func TestMain(m *testing.M) {
	picture.RunWorker()
	if os.Getenv(testProgram) != "" {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		os.Exit(app.Run(ctx, app.Process{
			Args: os.Args[1:], Env: os.Getenv, Stdout: os.Stdout, Stderr: os.Stderr,
		}))
	}
	os.Exit(m.Run())
}

// run runs a command as the program does, with these variables only.
func run(t *testing.T, env map[string]string, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr strings.Builder
	code = app.Run(t.Context(), process(env, args, &stdout, &stderr))
	return code, stdout.String(), stderr.String()
}

// process is a command's, with these variables only.
func process(env map[string]string, args []string, stdout, stderr io.Writer) app.Process {
	return app.Process{
		Args: args, Env: func(name string) string { return env[name] }, Stdout: stdout, Stderr: stderr,
	}
}

// output is what a command prints that has no reason to fail.
func output(t *testing.T, env map[string]string, args ...string) string {
	t.Helper()
	code, out, errs := run(t, env, args...)
	require.Zero(t, code, errs)
	return out
}

// started is a program that a test runs in process.
type started struct {
	site, admin string // base addresses
	log         string // until it listened
	stop        func() // and see that it ended without an error; the test's end does, too
}

// withoutRedirects is a client that returns a redirect instead of following it.
var withoutRedirects = &http.Client{
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

var listening = regexp.MustCompile(`msg=listening setting=(\w+) addr=(\S+)`)

// start runs the program with these variables and arguments, on addresses of its own and, if they name none, with a
// folder of its own, and waits until it listens.
func start(t *testing.T, env map[string]string, args ...string) started {
	t.Helper()
	variables := map[string]string{
		"LISTEN_ADDR": "127.0.0.1:0", "ADMIN_ADDR": "127.0.0.1:0", "DATA_DIR": t.TempDir(),
	}
	maps.Copy(variables, env)
	ctx, cancel := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	code := make(chan int, 1)
	go func() {
		got := app.Run(ctx, process(variables, args, io.Discard, writer))
		_ = writer.Close()
		code <- got
	}()
	addresses := 2
	if len(args) > 0 && args[0] == "backend" {
		addresses = 1
	}
	addr := map[string]string{}
	lines := bufio.NewScanner(reader)
	var log strings.Builder
	for len(addr) < addresses && lines.Scan() {
		log.WriteString(lines.Text() + "\n")
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			addr[found[1]] = "http://" + found[2]
		}
	}
	require.Len(t, addr, addresses, "the program ended before it listened: %v", lines.Err())
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	stop := sync.OnceFunc(func() {
		http.DefaultClient.CloseIdleConnections() // the program would wait for them
		cancel()
		assert.Zero(t, <-code)
	})
	t.Cleanup(stop)
	return started{addr["LISTEN_ADDR"], addr["ADMIN_ADDR"], log.String(), stop}
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	res, err := http.Get(url)
	require.NoError(t, err)
	return res.StatusCode, body(t, res)
}

// body reads the body of an answer.
func body(t *testing.T, answer *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	return string(text)
}

// pageAt reads the page of an address.
func pageAt(t *testing.T, url string) htmltest.Page {
	t.Helper()
	status, page := get(t, url)
	require.Equal(t, http.StatusOK, status, url)
	return htmltest.Read(t, page)
}

func statusOf(t *testing.T, url string) int {
	t.Helper()
	status, _ := get(t, url)
	return status
}

func TestTheProgramStartsWithoutSettingsAndStopsGracefully(t *testing.T) {
	t.Chdir(t.TempDir()) // nothing beside the program is needed
	p := start(t, nil)
	assert.Equal(t, http.StatusOK, statusOf(t, p.admin+"/healthz"))
	status, body := get(t, p.site+"/models")
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, body, "data-talent=")
	assert.Contains(t, body, `type="image/avif"`)
	assert.Equal(t, http.StatusOK, statusOf(t, p.admin+"/readyz"), "the boards can be shown, so the site is ready")
	for _, private := range []string{
		"/metrics", "/debug/pprof/", "/healthz", "/readyz", "/api/slides/home", "/storage/slides/1-1-mobile.jpg",
	} {
		assert.Equal(t, http.StatusNotFound, statusOf(t, p.site+private), "%s is not public", private)
	}
	_, metrics := get(t, p.admin+"/metrics")
	assert.Contains(t, metrics, `zedcard_http_requests_total{screen="models",status="2xx"} 1`)
}

func TestEveryAnswerCarriesTheSecurityHeaders(t *testing.T) {
	t.Chdir(t.TempDir())
	const nobody = "http://127.0.0.1:1" // listens there
	up, down := start(t, nil), start(t, map[string]string{"PANEL_URL": nobody, "INTEGRATION_URL": nobody})
	manyFields := strings.Repeat("message=much+too+long&", 100_000)
	for _, tc := range []struct {
		method, address, site, body string
		status                      int
	}{
		{http.MethodGet, up.site + "/", "", "", http.StatusOK},
		{http.MethodGet, up.site + static.URL("talents.css"), "", "", http.StatusOK},
		{http.MethodGet, up.site + "/robots.txt", "", "", http.StatusOK},
		{http.MethodGet, up.site + "/en/models", "", "", http.StatusPermanentRedirect},
		{http.MethodGet, up.site + "/nowhere", "", "", http.StatusNotFound},
		{http.MethodDelete, up.site + "/models", "", "", http.StatusMethodNotAllowed},
		{http.MethodPost, up.site + "/contact", "cross-site", "", http.StatusForbidden},
		{http.MethodPost, up.site + "/contact", "", manyFields, http.StatusRequestEntityTooLarge},
		{http.MethodGet, down.site + "/models", "", "", http.StatusServiceUnavailable},
	} {
		req, err := http.NewRequest(tc.method, tc.address, strings.NewReader(tc.body))
		require.NoError(t, err)
		req.Header.Set("Sec-Fetch-Site", tc.site)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		res, err := withoutRedirects.Do(req)
		require.NoError(t, err)
		_ = res.Body.Close()
		assert.Equal(t, tc.status, res.StatusCode, tc.address)
		assertSecurityHeaders(t, res)
		assert.Empty(t, res.Header.Values("Set-Cookie"), tc.address)
	}
	status := http.StatusOK
	for range 40 { // messages of one client, more than it may send in a minute
		res, err := http.PostForm(up.site+"/contact", nil)
		require.NoError(t, err)
		_ = res.Body.Close()
		assertSecurityHeaders(t, res)
		status = res.StatusCode
	}
	assert.Equal(t, http.StatusTooManyRequests, status)
}

func assertSecurityHeaders(t *testing.T, res *http.Response) {
	t.Helper()
	for _, name := range []string{
		"Content-Security-Policy", "X-Content-Type-Options",
		"Referrer-Policy", "Permissions-Policy", "Cross-Origin-Opener-Policy",
	} {
		assert.NotEmpty(t, res.Header.Get(name), "header %s of %s, status %d", name, res.Request.URL, res.StatusCode)
	}
}

func TestBackEndsOverHTTPShowTheSameAsTheEmbeddedOne(t *testing.T) {
	t.Chdir(t.TempDir())
	backend := start(t, nil, "backend")
	env := map[string]string{"DATA_DIR": t.TempDir(), "SESSION_KEYS": "the same key for both"}
	own := start(t, env)
	remote := start(t, env, "serve", "--panel-url", backend.site, "--integration-url", backend.site)
	for _, path := range []string{
		"/", "/models/women", "/pt/homens", "/es/models/kids", "/creative", "/about", "/es/sobre-nosotros", "/pt/blog",
		"/pt/blog/news/a-gente-nunca-cobra", "/models/101/benedita-nascimento",
	} {
		status, want := get(t, own.site+path)
		require.Equal(t, http.StatusOK, status, path)
		_, got := get(t, remote.site+path)
		assert.Equal(t, ofPictures.ReplaceAllString(want, ""), ofPictures.ReplaceAllString(got, ""), path)
	}
}

// ofPictures is what a page says of its pictures' versions and sizes, which a folder knows before they are read.
var ofPictures = regexp.MustCompile(`<meta property="og:image[^>]*> ?| (?:image)?(?:srcset|sizes)="[^"]*"` +
	`| (?:src|width|height)="[^"]*"|&#34;(?:src|srcset|avif|sizes)&#34;:&#34;.*?&#34;|&#34;(?:width|height)&#34;:\d+` +
	`|/[0-9a-f]+/u\d+\.jpg`)
