package web_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/web"
)

// site is one handler with a cache, and a clock and a version that a test moves.
type site struct {
	cache   *web.PageCache
	handler func(http.ResponseWriter, *http.Request) error
	version web.PageVersion
	now     time.Time
	renders atomic.Int32
	hits    atomic.Int32
}

const maxAge = time.Minute

func newSite() *site {
	s := &site{now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	s.handler = func(w http.ResponseWriter, r *http.Request) error {
		s.renders.Add(1)
		return cacheable(w, r, pageOf(r.RequestURI))
	}
	s.cache = web.NewPageCache(web.PageCacheOptions{
		MaxBytes: 1 << 20, MaxAge: maxAge,
		Version: func(time.Time) web.PageVersion { return s.version },
		Now:     func() time.Time { return s.now },
	})
	return s
}

// cacheable writes a page that is the same for everybody.
func cacheable(w http.ResponseWriter, r *http.Request, page string) error {
	web.MarkCacheable(r.Context(), r.RequestURI)
	w.Header().Set("ETag", `"1"`)
	w.Header().Set("Cache-Control", "public, max-age=0")
	w.Header().Set("Content-Type", "text/html")
	_, err := io.WriteString(w, page)
	return err
}

// ServeHTTP stacks the cache as the site does.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.hits.Add(1)
	s.cache.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.hits.Add(-1) // it was none
		answer, err := s.cache.Make(r, "list", func(r *http.Request) (*web.Answer, error) {
			return web.Render(r, s.handler)
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		answer.Send(w, r)
	})).ServeHTTP(w, r)
}

func (s *site) ask(method, address string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, address, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// pageOf is a page that is worth compressing.
func pageOf(address string) string { return strings.Repeat("page of "+address+"\n", 100) }

func TestAPageIsMadeOnceForEachCoding(t *testing.T) {
	s := newSite()
	for _, step := range []struct{ accept, coding string }{
		{"gzip, deflate, br, zstd", "br"}, {"br", "br"},
		{"zstd, gzip", "gzip"}, {"gzip", "gzip"}, {"", ""}, {"br", "br"},
	} {
		answer := s.ask(http.MethodGet, "/models", "Accept-Encoding", step.accept)
		assert.Equal(t, step.coding, answer.Header().Get("Content-Encoding"))
		assert.Equal(t, strconv.Itoa(answer.Body.Len()), answer.Header().Get("Content-Length"))
		assert.Contains(t, answer.Header().Values("Vary"), "Accept-Encoding")
		if step.coding == "" {
			assert.Equal(t, pageOf("/models"), answer.Body.String())
			assert.Equal(t, `"1"`, answer.Header().Get("ETag"))
		} else {
			assert.Less(t, answer.Body.Len(), len(pageOf("/models")))
			assert.Equal(t, `W/"1"`, answer.Header().Get("ETag"))
		}
	}
	head := s.ask(http.MethodHead, "/models", "Accept-Encoding", "br")
	assert.Empty(t, head.Body.String())
	assert.Equal(t, s.ask(http.MethodGet, "/models", "Accept-Encoding", "br").Header(), head.Header())

	other := s.ask(http.MethodGet, "/models", "If-None-Match", `"2", W/"11", "1`)
	assert.Equal(t, http.StatusOK, other.Code)
	same := s.ask(http.MethodGet, "/models", "Accept-Encoding", "br", "If-None-Match", `"2", W/"1"`)
	assert.Equal(t, http.StatusNotModified, same.Code)
	assert.Empty(t, same.Body.String())
	assert.Empty(t, same.Header().Get("Content-Encoding"))
	assert.EqualValues(t, 3, s.renders.Load())
	assert.EqualValues(t, 7, s.hits.Load())
}

func TestAPageForWhoSavesDataIsKeptBesideTheOther(t *testing.T) {
	s := newSite()
	s.handler = func(w http.ResponseWriter, r *http.Request) error {
		s.renders.Add(1)
		return cacheable(w, r, strconv.FormatBool(web.SavesData(r)))
	}
	for _, header := range []string{"on", "", "On", "off", "on"} {
		want := strconv.FormatBool(strings.EqualFold(header, "on"))
		assert.Equal(t, want, s.ask(http.MethodGet, "/models", "Save-Data", header).Body.String(), header)
	}
	assert.EqualValues(t, 2, s.renders.Load())
}

func TestWhatInvalidatesACachedPage(t *testing.T) {
	for name, change := range map[string]func(*site){
		"changed content": func(s *site) { s.version.Content++ },
		"midnight":        func(s *site) { s.version.Day++ },
		"maximum age":     func(s *site) { s.now = s.now.Add(maxAge) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite()
			s.ask(http.MethodGet, "/models")
			s.ask(http.MethodGet, "/models")
			require.EqualValues(t, 1, s.renders.Load())
			change(s)
			s.ask(http.MethodGet, "/models")
			assert.EqualValues(t, 2, s.renders.Load())
			s.ask(http.MethodGet, "/models")
			assert.EqualValues(t, 2, s.renders.Load(), "the new page is cached")
		})
	}
}

func TestAChangeDuringRenderingInvalidatesThePage(t *testing.T) {
	s := newSite()
	inner := s.handler
	s.handler = func(w http.ResponseWriter, r *http.Request) error {
		defer func() { s.version.Content++ }()
		return inner(w, r)
	}
	s.ask(http.MethodGet, "/models")
	s.ask(http.MethodGet, "/models")
	assert.EqualValues(t, 2, s.renders.Load())
}

func TestPersonalRequestsBypassTheCache(t *testing.T) {
	s := newSite()
	s.ask(http.MethodGet, "/models")
	for _, headers := range [][]string{{"Cookie", "shortlist=abc"}, {"Authorization", "Bearer x"}} {
		before := s.renders.Load()
		s.ask(http.MethodGet, "/models", headers...)
		assert.Equal(t, before+1, s.renders.Load(), "%v bypasses the cache", headers)
	}
	before := s.renders.Load()
	s.ask(http.MethodPost, "/models")
	assert.Equal(t, before+1, s.renders.Load(), "a POST is never answered from the cache")

	s.ask(http.MethodGet, "/women", "Cookie", "shortlist=abc")
	before = s.renders.Load()
	s.ask(http.MethodGet, "/women")
	assert.Equal(t, before+1, s.renders.Load(), "a page rendered for a session is not cached")
}

func TestWhatIsNotCached(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"not marked as shared": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("ETag", `"1"`)
			w.Header().Set("Cache-Control", "public, max-age=0")
		},
		"another address is its own": func(w http.ResponseWriter, r *http.Request) {
			_ = cacheable(w, r, "")
			web.MarkCacheable(r.Context(), "/models")
		},
		"unfinished content": func(w http.ResponseWriter, r *http.Request) {
			_ = cacheable(w, r, "")
			web.MarkIncomplete(r.Context())
		},
		"an error page": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusGone)
			_ = cacheable(w, r, "")
		},
		"a cookie is set": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Set-Cookie", "shortlist=abc")
			_ = cacheable(w, r, "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite()
			s.handler = func(w http.ResponseWriter, r *http.Request) error {
				s.renders.Add(1)
				handler(w, r)
				return nil
			}
			s.ask(http.MethodGet, "/models?utm=1")
			before := s.renders.Load()
			s.ask(http.MethodGet, "/models?utm=1")
			assert.Greater(t, s.renders.Load(), before)
			assert.Zero(t, s.hits.Load())
		})
	}
}

func TestConcurrentRequestsShareOneRender(t *testing.T) {
	const visitors = 50
	s := newSite()
	inner := s.handler
	started, release := make(chan struct{}), make(chan struct{})
	s.handler = func(w http.ResponseWriter, r *http.Request) error {
		close(started) // panics when it runs twice
		<-release
		return inner(w, r)
	}
	ctx, leave := context.WithCancel(t.Context())
	var all sync.WaitGroup
	ask := func(ctx context.Context) {
		all.Go(func() {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/models", nil).WithContext(ctx))
			assert.Equal(t, pageOf("/models"), w.Body.String())
		})
	}
	ask(ctx)
	<-started
	for range visitors {
		ask(t.Context())
	}
	leave() // who came first does not take the page with him
	close(release)
	all.Wait()
	assert.EqualValues(t, 1, s.renders.Load())
}
