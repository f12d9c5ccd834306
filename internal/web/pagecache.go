package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"

	"zedcard/internal/cache"
)

// PageVersion is what invalidates all cached pages when it changes. Everything else that a page depends on is in its
// address (language, filters) or constant while the program runs (settings).
type PageVersion struct {
	Content   uint64 // the version of the catalogue's content
	Year, Day int    // ages, and the year in the footer, change at midnight
}

// PageCacheOptions are the settings of a cache.
type PageCacheOptions struct {
	// MaxBytes bounds bodies and headers together.
	MaxBytes uint64
	// MaxAge is how long a page is served before it is rendered again, which makes the catalogue refresh its content.
	MaxAge time.Duration
	// Version returns the version of a page that is rendered at a time.
	Version func(time.Time) PageVersion
	Now     func() time.Time
}

// PageCache caches whole answers: pages that are the same for everybody, compressed in each requested coding, with
// their headers. Serving one costs little more than writing its bytes. It is safe for concurrent use.
//
// Nothing personal can get into it. Only requests without a cookie read from it or add to it, and a page is added only
// if its handler calls MarkCacheable. Handlers of forms, whose pages have individual tokens, never do.
//
// A page is cached under the address that its handler gives to MarkCacheable, so that made-up parameters add nothing,
// and the cache is bounded in bytes: what is asked for often stays. A page is made, and compressed, once for each
// coding that is asked for, and once more for browsers that save data.
type PageCache struct {
	options PageCacheOptions
	pages   cache.Cache[pageKey, *Answer]
	flights singleflight.Group
}

// pageKey identifies a page in one coding, as it is for whoever saves data or for others.
type pageKey struct {
	coding, address string
	saves           bool
}

// NewPageCache makes an empty cache.
func NewPageCache(o PageCacheOptions) *PageCache {
	return &PageCache{
		options: o,
		pages: cache.New(cache.Options[pageKey, *Answer]{MaxBytes: o.MaxBytes, Bytes: func(k pageKey, a *Answer) int {
			const headers = 1 << 10 // roughly
			return len(k.address) + len(a.body) + headers
		}}),
	}
}

// isBounded reports whether an address has no query, of which a visitor can make up any number.
func isBounded(address string) bool { return !strings.Contains(address, "?") }

// Serve answers from the cache if it can; next answers the rest, and what some programs must not get (Make has it for
// the others). A nil cache is always empty.
func (c *PageCache) Serve(next http.Handler) http.Handler {
	if c == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !anonymous(r) {
			next.ServeHTTP(w, r)
			return
		}
		a := c.find(keyOf(r))
		if a == nil || slices.Contains(a.header.Values("Vary"), "User-Agent") {
			next.ServeHTTP(w, r)
			return
		}
		SetScreen(r.Context(), a.screen)
		a.Send(w, r)
	})
}

// anonymous reports whether the answer to a request does not depend on the visitor.
func anonymous(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		r.Header.Get("Cookie") == "" && r.Header.Get("Authorization") == ""
}

func keyOf(r *http.Request) pageKey { return pageKey{Coding(r), r.RequestURI, SavesData(r)} }

// SavesData reports whether the browser asks for few bytes. Besides address and coding it is all of a request that a
// cached page may depend on.
func SavesData(r *http.Request) bool { return strings.EqualFold(r.Header.Get("Save-Data"), "on") }

// find finds a page that is still valid, nil if there is none.
func (c *PageCache) find(k pageKey) *Answer {
	now := c.options.Now()
	a, ok := c.pages.Get(k)
	if !ok || a.version != c.options.Version(now) || now.Sub(a.createdAt) >= c.options.MaxAge {
		return nil
	}
	return a
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

// Make makes the answer to a request with render, once for all concurrent ones of an address in a coding. Requests that
// are not anonymous, and all with a nil cache, get an answer of their own.
func (c *PageCache) Make(
	r *http.Request, screen string, render func(*http.Request) (*Answer, error),
) (*Answer, error) {
	if c == nil || !anonymous(r) {
		return render(r)
	}
	k := keyOf(r)
	made, err, shared := c.flights.Do(fmt.Sprint(k), func() (any, error) {
		if a := c.find(k); a != nil { // since Serve looked for it
			return a, nil
		}
		var said directives
		// Before anything is read: changes in the meantime invalidate the answer.
		version := c.options.Version(c.options.Now())
		// It is finished although the first visitor leaves, because others may wait for it.
		ctx := context.WithValue(context.WithoutCancel(r.Context()), directivesKey{}, &said)
		a, err := render(r.WithContext(ctx))
		if err != nil || !a.isCacheable() || said.address != k.address || said.unfinished {
			return a, err
		}
		a.version, a.screen, a.createdAt = version, screen, c.options.Now()
		c.pages.Set(k, a)
		return a, nil
	})
	if err != nil {
		return nil, err
	}
	a := made.(*Answer)
	if shared && a.isPersonal() {
		return render(r)
	}
	return a, nil
}
