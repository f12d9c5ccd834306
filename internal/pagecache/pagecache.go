// Package pagecache caches whole answers: pages that are the same for everybody, compressed in each requested coding,
// with their headers. Serving one costs little more than writing its bytes.
//
// Nothing personal can get into it. Only requests without a cookie read from it or add to it, and a page is added only
// if its handler calls MarkCacheable. Handlers of forms, whose pages have individual tokens, never do.
//
// A page is cached under the address that its handler gives to MarkCacheable, so that made-up parameters add nothing,
// and the cache is bounded in bytes. Addresses with a query, of which there are any number, share a quarter of it and
// evict only each other.
package pagecache

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"zedcard/internal/cache"
)

// Version is what invalidates all cached pages when it changes. Everything else that a page depends on is in its
// address (language, filters) or constant while the program runs (settings).
type Version struct {
	Content uint64 // the version of the catalogue's content
	Date    Date   // ages, and the year in the footer, change at midnight
}

// VersionAt is the version of pages that are rendered from this content at a time.
func VersionAt(content uint64, now time.Time) Version {
	year, month, day := now.Date()
	return Version{content, Date{year, month, day}}
}

// Date is a day of the calendar.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// Options are the settings of a cache.
type Options struct {
	// MaxBytes bounds bodies and headers together.
	MaxBytes uint64
	// MaxAge is how long a page is served before it is rendered again, which makes the catalogue refresh its content.
	MaxAge time.Duration
	// Version returns the version of a page that is rendered at a time.
	Version func(time.Time) Version
	// Improve makes a compressed body smaller, for those who ask for it again; the coding is one of Negotiate's.
	Improve func(coding string, body []byte) []byte
	// Negotiate picks the coding of an answer; empty for none.
	Negotiate func(*http.Request) string
	Now       func() time.Time
}

// Cache caches pages. It is safe for concurrent use.
type Cache struct {
	options Options
	paths   pages // of addresses without a query
	queries pages
	flights singleflight.Group
}

type pages = cache.Cache[key, *Answer]

// key identifies a page in one coding.
type key struct{ address, coding string }

// Answer is an answer in memory.
type Answer struct {
	version   Version
	createdAt time.Time
	screen    string
	status    int
	header    http.Header
	body      []byte
	kept      bool         // in the cache
	again     *atomic.Bool // it was asked for again
}

// New makes an empty cache.
func New(o Options) *Cache {
	return &Cache{options: o, paths: newPages(o.MaxBytes - o.MaxBytes/4), queries: newPages(o.MaxBytes / 4)}
}

func newPages(maxBytes uint64) pages {
	return cache.New(cache.Options[key, *Answer]{
		MaxBytes: maxBytes,
		Bytes: func(k key, a *Answer) int {
			const headers = 1 << 10 // roughly
			return len(k.address) + len(a.body) + headers
		},
	})
}

// pages is the part of the cache for an address.
func (c *Cache) pages(address string) pages {
	if strings.Contains(address, "?") {
		return c.queries
	}
	return c.paths
}

// Serve answers from the cache if it can; next answers the rest. onHit is called with the screen of a cached page. A
// nil cache is always empty.
func (c *Cache) Serve(onHit func(ctx context.Context, screen string)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		if c == nil {
			return next
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !anonymous(r) {
				next.ServeHTTP(w, r)
				return
			}
			k := key{r.RequestURI, c.options.Negotiate(r)}
			a, ok := c.pages(k.address).Get(k)
			if !ok || !c.current(a) {
				next.ServeHTTP(w, r)
				return
			}
			onHit(r.Context(), a.screen)
			c.improve(k, a)
			a.Send(w, r)
		})
	}
}

// anonymous reports whether the answer to a request does not depend on the visitor.
func anonymous(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		r.Header.Get("Cookie") == "" && r.Header.Get("Authorization") == ""
}

func (c *Cache) current(p *Answer) bool {
	now := c.options.Now()
	return p.version == c.options.Version(now) && now.Sub(p.createdAt) < c.options.MaxAge
}

// directives are what a handler declares about the page that it renders.
type directives struct {
	address    string
	unfinished bool
}

type directivesKey struct{}

// MarkCacheable declares that the page of a request is the same for everybody, and may be cached under this address.
func MarkCacheable(ctx context.Context, address string) {
	if d, ok := ctx.Value(directivesKey{}).(*directives); ok {
		d.address = address
	}
}

// MarkIncomplete declares that the page of a request lacks optional content that was not available. It is not cached.
func MarkIncomplete(ctx context.Context) {
	if d, ok := ctx.Value(directivesKey{}).(*directives); ok {
		d.unfinished = true
	}
}

// Handler makes an answer, compressed in the coding of the request, or returns an error and writes nothing.
type Handler func(http.ResponseWriter, *http.Request) error

// Make makes the answer to a request, once for all concurrent ones of an address. Requests that are not anonymous, and
// all with a nil cache, get an answer of their own.
func (c *Cache) Make(r *http.Request, screen string, handler Handler) (*Answer, error) {
	if c == nil || !anonymous(r) {
		return run(r, handler)
	}
	k := key{r.RequestURI, c.options.Negotiate(r)}
	made, err, shared := c.flights.Do(k.coding+" "+k.address, func() (any, error) {
		// The page may have been cached since Serve looked for it.
		if a, ok := c.pages(k.address).Get(k); ok && c.current(a) {
			return a, nil
		}
		var said directives
		// Before anything is read: changes in the meantime invalidate the answer.
		version := c.options.Version(c.options.Now())
		// It is finished although the first visitor leaves, because others may wait for it.
		ctx := context.WithValue(context.WithoutCancel(r.Context()), directivesKey{}, &said)
		a, err := run(r.WithContext(ctx), handler)
		if err != nil || !a.isCacheable() || said.address != k.address || said.unfinished {
			return a, err
		}
		a.version, a.screen, a.createdAt, a.kept = version, screen, c.options.Now(), true
		if old, ok := c.pages(k.address).Get(k); ok && old.tag() == a.tag() { // the same page, perhaps improved
			a.header, a.body, a.again = old.header, old.body, old.again
		}
		c.pages(k.address).Set(k, a)
		return a, nil
	})
	if err != nil {
		return nil, err
	}
	a := made.(*Answer)
	if shared && a.isPersonal() {
		return run(r, handler)
	}
	return a, nil
}

// run runs the handler as for a GET without conditions, so that everybody can get the answer.
func run(r *http.Request, handler Handler) (*Answer, error) {
	whole := r.Clone(r.Context())
	whole.Method = http.MethodGet
	whole.Header.Del("If-None-Match")
	var buffer Buffer
	defer buffer.Release()
	if err := handler(&buffer, whole); err != nil {
		return nil, err
	}
	status, header, body := buffer.Result()
	return &Answer{status: status, header: header, body: bytes.Clone(body), again: new(atomic.Bool)}, nil
}

// isPersonal reports whether the answer is for one visitor only.
func (a *Answer) isPersonal() bool { return len(a.header["Set-Cookie"]) > 0 }

// isCacheable reports whether the answer is a complete page for everybody.
func (a *Answer) isCacheable() bool {
	return a.status == http.StatusOK && !a.isPersonal() && a.tag() != "" &&
		strings.HasPrefix(a.header.Get("Cache-Control"), "public")
}

// tag is the strong ETag of the page before it was compressed; empty if it has none.
func (a *Answer) tag() string { return strings.TrimPrefix(a.header.Get("ETag"), "W/") }

// improve compresses a page well when it is asked for again: most searches never are.
func (c *Cache) improve(k key, a *Answer) {
	if k.coding == "" || a.header.Get("Content-Encoding") != k.coding || a.again.Swap(true) {
		return
	}
	better := *a
	better.body = c.options.Improve(k.coding, a.body)
	c.pages(k.address).Set(k, &better)
}

// Unkept is the size in bytes of an answer that is in memory only until it was sent.
func (a *Answer) Unkept() int64 {
	if a.kept {
		return 0
	}
	return int64(len(a.body))
}

// Send answers a request.
func (a *Answer) Send(w http.ResponseWriter, r *http.Request) {
	if tag := a.tag(); a.status == http.StatusOK && tag != "" && Matches(r.Header.Get("If-None-Match"), tag) {
		for _, name := range []string{"Cache-Control", "Etag", "Vary"} { // RFC 9110, 15.4.5
			if values, ok := a.header[name]; ok {
				w.Header()[name] = values
			}
		}
		w.WriteHeader(http.StatusNotModified)
		return
	}
	maps.Copy(w.Header(), a.header)
	if len(a.body) > 0 {
		w.Header().Set("Content-Length", strconv.Itoa(len(a.body))) // without it net/http writes in pieces
	}
	w.WriteHeader(a.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(a.body) // fails only if the visitor has left
	}
}

// Bytes is the size of the cached pages.
func (c *Cache) Bytes() uint64 { return c.paths.Bytes() + c.queries.Bytes() }
