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
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/singleflight"

	"zedcard/internal/response"
)

// Version is what invalidates all cached pages when it changes. Everything else that a page depends on is in its address (language, filters) or constant while the program runs
// (settings).
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
	// Compress compresses a body, harder than for a single answer; the coding is one of Negotiate's.
	Compress func(coding string, body []byte) []byte
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

// pages is what is used of otter: with its whole type, every importer of the package would compile it, too.
type pages interface {
	GetIfPresent(key) (*page, bool)
	Set(key, *page) (*page, bool)
	WeightedSize() uint64
}

// key identifies a page in one coding.
type key struct{ address, coding string }

// page is a cached answer with status 200.
type page struct {
	version   Version
	createdAt time.Time
	screen    string
	tag       string // strong, of the body before compression
	header    http.Header
	body      []byte
}

// New makes an empty cache.
func New(o Options) *Cache {
	return &Cache{options: o, paths: newPages(o.MaxBytes - o.MaxBytes/4), queries: newPages(o.MaxBytes / 4)}
}

func newPages(maxBytes uint64) pages {
	return otter.Must(&otter.Options[key, *page]{
		MaximumWeight: maxBytes,
		Weigher: func(k key, p *page) uint32 {
			const headers = 1 << 10                             // roughly
			return uint32(len(k.address)+len(p.body)) + headers // #nosec G115 -- of a page
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
			p, ok := c.pages(r.RequestURI).GetIfPresent(key{r.RequestURI, c.options.Negotiate(r)})
			if !ok || !c.current(p) {
				next.ServeHTTP(w, r)
				return
			}
			onHit(r.Context(), p.screen)
			c.serve(p, w, r)
		})
	}
}

// anonymous reports whether the answer to a request does not depend on the visitor.
func anonymous(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		r.Header.Get("Cookie") == "" && r.Header.Get("Authorization") == ""
}

func (c *Cache) current(p *page) bool {
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

// answer is a handler's answer for all concurrent requests of an address.
type answer struct {
	version    Version
	directives directives
	status     int
	header     http.Header
	body       []byte
}

// Rendering is how the pages of a screen are made.
type Rendering struct {
	Screen string
	// Admit runs render, which makes an answer with its compression, when there is capacity for it, or returns an
	// error.
	Admit func(r *http.Request, render func(*http.Request) error) error
	// Encode is the middleware that compresses what is not cached. That takes about as long as to render it.
	Encode func(http.Handler) http.Handler
	// Handler makes a page without compression, or returns an error and writes nothing.
	Handler func(http.ResponseWriter, *http.Request) error
}

// Coalesce makes an answer once for all concurrent requests of an address and sends it to all of them. For requests
// that are not anonymous, and with a nil cache, each gets an answer of its own. An error of the handler or of Admit is
// returned to all, and nothing is written.
func (c *Cache) Coalesce(w http.ResponseWriter, r *http.Request, rendering Rendering) error {
	if c == nil || !anonymous(r) {
		return rendering.serveUnshared(w, r)
	}
	k := key{r.RequestURI, c.options.Negotiate(r)}
	result, err, _ := c.flights.Do(k.coding+" "+k.address, func() (any, error) {
		// The page may have been cached since Serve looked for it.
		if p, ok := c.pages(k.address).GetIfPresent(k); ok && c.current(p) {
			return p, nil
		}
		var result any
		err := rendering.Admit(r, func(r *http.Request) (err error) {
			result, err, _ = c.flights.Do(k.address, func() (any, error) { return c.run(r, rendering.Handler) })
			if err != nil {
				return err
			}
			if a := result.(*answer); a.isCacheable(r) {
				result = c.store(k, rendering.Screen, a)
			} else if k.coding != "" {
				result = rendering.encoded(a, r)
			}
			return nil
		})
		return result, err
	})
	if err != nil {
		return err
	}
	a, ok := result.(*answer)
	switch {
	case !ok:
		c.serve(result.(*page), w, r)
	case len(a.header.Values("Set-Cookie")) > 0:
		return rendering.serveUnshared(w, r) // personal
	default:
		a.serve(w, r)
	}
	return nil
}

// serveUnshared makes an answer for one request only. It is complete before it is written: a slow client must not
// occupy capacity.
func (rendering Rendering) serveUnshared(w http.ResponseWriter, r *http.Request) error {
	var buffer response.Buffer
	err := rendering.Admit(r, func(r *http.Request) (err error) {
		rendering.Encode(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			err = rendering.Handler(w, r)
		})).ServeHTTP(&buffer, r)
		return err
	})
	if err != nil {
		return err
	}
	var a answer
	a.status, a.header, a.body = buffer.Result()
	if r.Method == http.MethodHead {
		a.body = nil // it has another length than that of a GET, which is compressed
	}
	a.write(w)
	buffer.Release()
	return nil
}

// encoded is an answer in the coding of a request.
func (rendering Rendering) encoded(a *answer, r *http.Request) *answer {
	get := r.WithContext(r.Context())
	get.Method = http.MethodGet // others may wait for the answer to a HEAD
	var buffer response.Buffer
	write := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { a.write(w) })
	rendering.Encode(write).ServeHTTP(&buffer, get)
	sent := *a
	sent.status, sent.header, sent.body = buffer.Result() // not released: others may still be reading it
	return &sent
}

// isCacheable reports whether an answer is a complete page under the requested address.
func (a *answer) isCacheable(r *http.Request) bool {
	return a.status == http.StatusOK && a.directives.address == r.RequestURI && !a.directives.unfinished &&
		len(a.header.Values("Set-Cookie")) == 0 &&
		strings.HasPrefix(a.header.Get("Cache-Control"), "public") && strings.HasPrefix(a.header.Get("ETag"), `"`)
}

func (a *answer) serve(w http.ResponseWriter, r *http.Request) {
	tag := strings.TrimPrefix(a.header.Get("ETag"), "W/")
	if tag != "" && response.Matches(r.Header.Get("If-None-Match"), tag) {
		notModified(w, a.header)
		return
	}
	a.write(w)
}

func (a *answer) write(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.header)
	if len(a.body) > 0 {
		w.Header().Set("Content-Length", strconv.Itoa(len(a.body))) // without it net/http writes in pieces
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // fails only if the visitor has left
}

// run runs the handler. It continues when the first visitor leaves, because others may wait for it.
func (c *Cache) run(r *http.Request, handler func(http.ResponseWriter, *http.Request) error) (*answer, error) {
	// Before anything is read: changes in the meantime invalidate the answer.
	a := &answer{version: c.options.Version(c.options.Now())}
	ctx := context.WithValue(context.WithoutCancel(r.Context()), directivesKey{}, &a.directives)
	fullRequest := r.Clone(ctx)
	fullRequest.Method = http.MethodGet
	fullRequest.Header.Del("If-None-Match")
	var buffer response.Buffer
	if err := handler(&buffer, fullRequest); err != nil {
		return nil, err
	}
	a.status, a.header, a.body = buffer.Result()
	a.body = bytes.Clone(a.body) // without the buffer's spare capacity, as it is sent to others or cached
	buffer.Release()
	return a, nil
}

// store caches an answer in one coding. If the expired page had the same content, its bytes are reused.
func (c *Cache) store(k key, screen string, a *answer) *page {
	tag := a.header.Get("ETag")
	p := &page{
		version: a.version, createdAt: c.options.Now(),
		screen: screen, tag: tag, header: a.header.Clone(), body: a.body,
	}
	if old, ok := c.pages(k.address).GetIfPresent(k); ok && old.tag == tag {
		p.header, p.body = old.header, old.body
	} else {
		if k.coding != "" {
			p.body = c.options.Compress(k.coding, a.body)
			p.header.Set("Content-Encoding", k.coding)
			p.header.Set("ETag", "W/"+tag) // the same page in all codings, not the same bytes
		}
		if !slices.Contains(p.header.Values("Vary"), "Accept-Encoding") {
			p.header.Add("Vary", "Accept-Encoding")
		}
		p.header.Set("Content-Length", strconv.Itoa(len(p.body)))
	}
	c.pages(k.address).Set(k, p)
	return p
}

func (c *Cache) serve(p *page, w http.ResponseWriter, r *http.Request) {
	if response.Matches(r.Header.Get("If-None-Match"), p.tag) {
		notModified(w, p.header)
		return
	}
	maps.Copy(w.Header(), p.header)
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(p.body) // fails only if the visitor has left
	}
}

// notModified answers 304 with the headers that it repeats (RFC 9110, 15.4.5).
func notModified(w http.ResponseWriter, header http.Header) {
	for _, name := range []string{"Cache-Control", "Etag", "Vary"} {
		if values, ok := header[name]; ok {
			w.Header()[name] = values
		}
	}
	w.WriteHeader(http.StatusNotModified)
}

// Bytes is the size of the cached pages.
func (c *Cache) Bytes() uint64 { return c.paths.WeightedSize() + c.queries.WeightedSize() }
