// Package remote reads the two back ends over HTTP, and sends submissions: Panel has slides, posts, entities and social
// media, Integration talents, options and composite cards. Their calls have a deadline, a size limit, a bearer token
// that is renewed, retries of reads behind a circuit breaker, and tolerant parsing of JSON.
//
// Errors name the back end, what was requested and what went wrong, and wrap one of the errors of package agency. They
// never hold a token, a credential or anything from an answer.
package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"golang.org/x/sync/singleflight"

	"zedcard/internal/requestid"
)

// Limits bound what one call may cost. A zero field takes its default.
type Limits struct {
	Read     time.Duration // a read with its retries, a sign-in and the whole answer; 30 s
	Long     time.Duration // a submission or a download, whole; 60 s
	Backoff  time.Duration // the wait before the first retry, doubled before the second; 50 ms
	Open     time.Duration // how long the circuit stays open to a back end that keeps failing; 2 s
	Answer   int64         // bytes of an answer; 8 MiB
	Download int64         // bytes of a downloaded file; 200 MB
}

func (l Limits) withDefaults() Limits {
	l.Read = cmp.Or(l.Read, 30*time.Second)
	l.Long = cmp.Or(l.Long, time.Minute)
	l.Backoff = cmp.Or(l.Backoff, 50*time.Millisecond)
	l.Open = cmp.Or(l.Open, 2*time.Second)
	l.Answer = cmp.Or(l.Answer, 8<<20)
	l.Download = cmp.Or(l.Download, 200_000_000)
	return l
}

// API is what differs between the back ends: how errors and logs call it, where it gives a bearer token, in which field
// of the request it takes the key, and in which field of the answer the token is.
type signIn struct{ Name, SignIn, Key, Token string }

// Config describes one back end. A nil Transport means a connection pool of its own, a nil Log no log.
type Config struct {
	BaseURL   string // scheme and host, with or without a path and a closing slash
	Salt, Key string // to sign in with
	Transport http.RoundTripper
	Log       *slog.Logger
	Limits    Limits
}

// client calls one back end. It is safe for concurrent use.
type client struct {
	Limits Limits // with the defaults filled in
	Log    *slog.Logger

	api    signIn
	config Config
	http   *http.Client

	flight    singleflight.Group
	lost      sync.Map // what a call reads → the fields of the last answer that could not be read
	mu        sync.Mutex
	token     string                               // guarded by mu; empty before the first sign-in
	executors map[string]failsafe.Executor[[]byte] // of reads, by path; guarded by mu
}

// newClient makes a client without calling the back end.
func newClient(api signIn, config Config) *client {
	config.Log = cmp.Or(config.Log, slog.New(slog.DiscardHandler))
	if config.Transport == nil {
		config.Transport = newTransport()
	}
	return &client{
		Limits: config.Limits.withDefaults(),
		Log:    config.Log.With("backend", api.Name),
		api:    api,
		config: config,
		http: &http.Client{
			Transport: config.Transport,
			// A redirect could point the token, or this server's reach, at any host.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		executors: map[string]failsafe.Executor[[]byte]{},
	}
}

// newTransport is a connection pool with enough idle connections for a burst of readers, and timeouts that notice a
// dead host long before a long call's deadline.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
		TLSHandshakeTimeout: 5 * time.Second,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 32,
		IdleConnTimeout:     90 * time.Second,
	}
}

// Call is one call of a back end.
type Call struct {
	What   string // what the call reads or sends, for errors: "talent 812"
	Method string // GET where empty
	Path   string // below the base address, with its query; or an absolute address
	Header http.Header
	Body   *Body
	Max    int64 // bytes of the answer; Limits.Answer where 0
	// Into is where a 2xx answer is written while it arrives, instead of being returned; only with NoRetry.
	Into io.Writer
	// NoRetry marks a call that does more than read, or whose answer is large: it has Limits.Long, is never retried and
	// bypasses the circuit breaker, which counts reads only.
	NoRetry bool
	// Check judges the body of a 2xx answer; its error is the call's. Nil: each is what was asked for.
	Check func(body []byte) error
}

// Do makes a call and gives the whole body of a 2xx answer. A 401 renews the token and repeats the call once. Errors
// wrap agency.ErrNotFound for 404 and 410, and agency.ErrUnavailable for everything else, together with a StatusError
// if the back end answered.
func (c *client) Do(ctx context.Context, call Call) ([]byte, error) {
	body, err := c.do(ctx, call)
	if err == nil {
		return body, nil
	}
	if signInErr, ok := errors.AsType[*signInError](err); ok {
		// Its status is about the credentials; callers must not take it for the call's.
		return nil, c.unavailable(call.What, errors.New(signInErr.Error()))
	}
	status, ok := errors.AsType[*StatusError](err)
	if ok && (status.Code == http.StatusNotFound || status.Code == http.StatusGone) {
		return nil, notFound{c.notFound(call.What), status}
	}
	return nil, c.unavailable(call.What, err)
}

func (c *client) do(ctx context.Context, call Call) ([]byte, error) {
	if call.NoRetry {
		ctx, cancel := context.WithTimeout(ctx, c.Limits.Long)
		defer cancel()
		return c.authorised(ctx, call)
	}
	ctx, cancel := context.WithTimeout(ctx, c.Limits.Read)
	defer cancel()
	reads := c.executor(call.Path).WithContext(ctx)
	return reads.GetWithExecution(func(exec failsafe.Execution[[]byte]) ([]byte, error) {
		return c.authorised(exec.Context(), call)
	})
}

// exchange sends one request and reads its whole answer.
func (c *client) exchange(ctx context.Context, call Call, token string) ([]byte, error) {
	request, err := c.request(ctx, call, token)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		if wrapped, ok := errors.AsType[*url.Error](err); ok { // its text would repeat the address
			err = wrapped.Err
		}
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		return nil, newStatusError(response)
	}
	limit := cmp.Or(call.Max, c.Limits.Answer)
	if response.ContentLength > limit {
		return nil, errTooLarge
	}
	limited := &io.LimitedReader{R: response.Body, N: limit + 1}
	var body []byte
	if call.Into == nil {
		body, err = io.ReadAll(limited)
	} else {
		_, err = io.Copy(call.Into, limited)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the answer: %w", err)
	case limited.N == 0:
		return nil, errTooLarge
	}
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")) // a byte order mark before JSON
	if call.Check != nil {
		err = call.Check(body)
	}
	return body, err
}

func (c *client) request(ctx context.Context, call Call, token string) (*http.Request, error) {
	address := call.Path
	if strings.HasPrefix(address, "/") {
		address = strings.TrimRight(c.config.BaseURL, "/") + address
	}
	request, err := http.NewRequestWithContext(ctx, call.Method, address, nil)
	if err != nil {
		return nil, errors.New("the address is no URL") // err would repeat it
	}
	maps.Copy(request.Header, call.Header)
	request.Header.Set("User-Agent", "zedcard")
	if id := requestid.Of(ctx); id != "" {
		request.Header.Set(requestid.Header, id)
	}
	if request.Header.Get("Accept") == "" {
		request.Header.Set("Accept", "application/json")
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if call.Body != nil {
		call.Body.attach(request)
	}
	return request, nil
}

// Body is what a call sends. It is kept in memory as consecutive parts, so that the photos of an application are not
// copied, the length is known, and a call can be repeated.
type Body struct {
	Type  string // MIME type
	Parts [][]byte
}

// JSON is a body with value as JSON. It panics if value can't be encoded.
func JSON(value any) *Body {
	text, err := json.Marshal(value)
	if err != nil {
		panic("wire: a body that can't be encoded: " + err.Error())
	}
	return &Body{Type: "application/json", Parts: [][]byte{text}}
}

func (b *Body) attach(request *http.Request) {
	request.Header.Set("Content-Type", b.Type)
	for _, part := range b.Parts {
		request.ContentLength += int64(len(part))
	}
	request.GetBody = func() (io.ReadCloser, error) { return b.open(), nil }
	request.Body = b.open()
}

func (b *Body) open() io.ReadCloser {
	readers := make([]io.Reader, len(b.Parts))
	for i, part := range b.Parts {
		readers[i] = bytes.NewReader(part)
	}
	return io.NopCloser(io.MultiReader(readers...))
}
