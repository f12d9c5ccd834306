package catalog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"zedcard/internal/agency"
	"zedcard/internal/cache"
)

const (
	// retryAfter is how long a key is not fetched after its refresh failed. Without it, every reader would try.
	retryAfter = 5 * time.Second
	// missingTTL is how long "not found" is cached: long enough that a wrong link costs the back end little, short
	// enough that a new talent appears soon.
	missingTTL = 10 * time.Second
	// listTTL is how old a list may be to say that somebody is not on it: a new talent appears soon.
	listTTL = 2 * time.Second
	// maxEntries bounds a cache, because visitors choose keys.
	maxEntries = 5000
)

// contentCache holds one kind of content by key. A cached value is served at once, however old; if it is older than
// fresh, the reader starts a refresh in the background. A missing value is fetched once for all waiting readers, and
// the fetch continues when they have left.
type contentCache[K comparable, V any] struct {
	name  string
	fetch func(context.Context, K) (V, error)
	equal func(a, b V) bool // whether a fetched value equals the cached one
	fresh time.Duration
	slots *semaphore.Weighted // bounds the fetches of keys that visitors choose; nil: no bound

	start    func(task func(context.Context)) bool // runs in the background until the catalogue closes
	onChange func(known bool)                      // called after the value of a key has changed
	log      *slog.Logger

	entries cache.Cache[K, entry[V]]

	mu      sync.Mutex
	flights map[K]*flight[V] // fetches under way, guarded by mu
}

// entry is a back end's answer for a key: a value, or that there is none.
type entry[V any] struct {
	value     V
	missing   bool
	readAt    time.Time
	refreshAt time.Time // when it is refreshed
}

// flight is a fetch in progress. entry and err are set when done is closed.
type flight[V any] struct {
	done  chan struct{}
	entry entry[V]
	err   error
}

func newCache[K comparable, V any](
	c *Catalog, name string, fetch func(context.Context, K) (V, error), equal func(a, b V) bool,
) *contentCache[K, V] {
	return &contentCache[K, V]{
		name:     name,
		fetch:    fetch,
		equal:    equal,
		fresh:    c.fresh,
		start:    c.start,
		onChange: func(bool) { c.changed() },
		log:      c.log.With("of", name),
		entries:  cache.New(cache.Options[K, entry[V]]{MaxEntries: maxEntries}),
		flights:  map[K]*flight[V]{},
	}
}

// get is the value of a key. A reader waits for a value that is not cached until ctx or the visit ends (see
// Catalog.Visit). Its errors wrap agency.ErrNotFound or agency.ErrUnavailable.
func (s *contentCache[K, V]) get(ctx context.Context, key K) (V, error) {
	got, ok := s.lookUp(key)
	var err error
	switch {
	case !ok:
		got, err = s.wait(ctx, s.load(key))
	case !time.Now().Before(got.refreshAt):
		s.load(key)
	}
	if err == nil && got.missing {
		err = agency.ErrNotFound
	} else if err != nil && !errors.Is(err, agency.ErrUnavailable) {
		err = fmt.Errorf("%w: %w", agency.ErrUnavailable, err)
	}
	if err != nil {
		return got.value, fmt.Errorf("catalog: %s: %w", s.name, err)
	}
	return got.value, nil
}

// getNewer is get for a value that was read at most maxAge ago. It waits for a newer one, and fails if there is none.
func (s *contentCache[K, V]) getNewer(ctx context.Context, key K, maxAge time.Duration) (V, error) {
	got, ok := s.lookUp(key)
	if !ok || time.Since(got.readAt) > maxAge {
		var err error
		if got, err = s.wait(ctx, s.load(key)); err != nil || time.Since(got.readAt) > maxAge {
			return got.value, fmt.Errorf("catalog: %s: %w: not read again", s.name, agency.ErrUnavailable)
		}
	}
	return s.get(ctx, key)
}

// isMissing reports whether the back end did not have a key when it was last read.
func (s *contentCache[K, V]) isMissing(key K) bool {
	got, ok := s.entries.Get(key)
	return ok && got.missing
}

// lookUp is the cached entry of a key, "not found" only for a short time.
func (s *contentCache[K, V]) lookUp(key K) (entry[V], bool) {
	got, ok := s.entries.Get(key)
	if ok && got.missing && !time.Now().Before(got.refreshAt) {
		return entry[V]{}, false
	}
	return got, ok
}

// peek is the cached value of a key. It never makes a request.
func (s *contentCache[K, V]) peek(key K) (V, bool) {
	got, ok := s.lookUp(key)
	return got.value, ok && !got.missing
}

// has reports whether get would answer without waiting for a back end.
func (s *contentCache[K, V]) has(key K) bool {
	_, ok := s.lookUp(key)
	return ok
}

// age is how long ago the value of a key was fetched; false if it is not cached.
func (s *contentCache[K, V]) age(key K) (time.Duration, bool) {
	got, ok := s.lookUp(key)
	return time.Since(got.readAt), ok && !got.missing
}

// load fetches a key, or joins the fetch in progress.
func (s *contentCache[K, V]) load(key K) *flight[V] {
	s.mu.Lock()
	defer s.mu.Unlock()
	if inFlight := s.flights[key]; inFlight != nil {
		return inFlight
	}
	f := &flight[V]{done: make(chan struct{})}
	if s.slots != nil && !s.slots.TryAcquire(1) {
		f.err = fmt.Errorf("%w: too many fetches at once", agency.ErrUnavailable)
		close(f.done)
		return f
	}
	s.flights[key] = f
	started := s.start(func(ctx context.Context) {
		s.run(ctx, key, f)
		if s.slots != nil {
			s.slots.Release(1)
		}
	})
	if !started {
		delete(s.flights, key)
		if s.slots != nil {
			s.slots.Release(1)
		}
		f.err = fmt.Errorf("%w: closed", agency.ErrUnavailable)
		close(f.done)
	}
	return f
}

// wait waits for the end of a flight, or until ctx or the visit ends.
func (s *contentCache[K, V]) wait(ctx context.Context, f *flight[V]) (entry[V], error) {
	if !waitFor(ctx, f.done) {
		return entry[V]{}, fmt.Errorf("%w: not yet loaded", agency.ErrUnavailable)
	}
	return f.entry, f.err
}

// run fetches a key and stores the answer. A failure keeps the old value; an equal value does too, with the results
// that it has cached.
func (s *contentCache[K, V]) run(ctx context.Context, key K, f *flight[V]) {
	got, err := s.fetchEntry(ctx, key)
	s.mu.Lock()
	old, cached := s.entries.Get(key)
	current := s.flights[key] == f // otherwise the cache was emptied in the meantime
	changed := false
	now := time.Now()
	switch {
	case err != nil && cached:
		old.refreshAt = now.Add(retryAfter)
		got = old
		s.log.Warn("catalog: refresh failed, stale copy served",
			"age", now.Sub(old.readAt).Round(time.Second), "error", err)
	case err == nil:
		got.readAt, got.refreshAt = now, now.Add(s.fresh)
		if got.missing {
			got.refreshAt = now.Add(missingTTL)
		}
		changed = !cached || old.missing != got.missing || !s.equal(old.value, got.value)
		if !changed {
			got.value = old.value
		}
	}
	if current && (err == nil || cached) {
		s.entries.Set(key, got)
	}
	if current {
		delete(s.flights, key)
	}
	s.mu.Unlock()
	if changed && current {
		s.onChange(cached)
	}
	f.entry = got
	if !cached {
		f.err = err
	}
	close(f.done)
}

func (s *contentCache[K, V]) fetchEntry(ctx context.Context, key K) (got entry[V], err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("back end client panicked", "panic", p, "stack", string(debug.Stack()))
			got, err = entry[V]{}, fmt.Errorf("%w: panic: %v", agency.ErrUnavailable, p)
		}
	}()
	value, err := s.fetch(ctx, key)
	if errors.Is(err, agency.ErrNotFound) {
		return entry[V]{missing: true}, nil
	}
	return entry[V]{value: value}, err
}

// content is everything in the cache.
func (s *contentCache[K, V]) content() map[K]V {
	content := make(map[K]V, s.entries.Len())
	for key, got := range s.entries.All() {
		if !got.missing {
			content[key] = got.value
		}
	}
	return content
}

// put fills the cache with stored content that was fetched at readAt and is due for a refresh.
func (s *contentCache[K, V]) put(content map[K]V, readAt time.Time) {
	for key, value := range content {
		s.entries.Set(key, entry[V]{value: value, readAt: readAt})
	}
}

// replace changes the cached value of a key.
func (s *contentCache[K, V]) replace(key K, update func(V) V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if got, ok := s.entries.Get(key); ok && !got.missing {
		got.value = update(got.value)
		s.entries.Set(key, got)
	}
}

// expire makes the next reader refresh a key.
func (s *contentCache[K, V]) expire(key K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if got, ok := s.entries.Get(key); ok {
		got.refreshAt = time.Time{}
		s.entries.Set(key, got)
	}
}

// drop removes one key.
func (s *contentCache[K, V]) drop(key K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries.Remove(key)
	delete(s.flights, key)
}

// forget empties the cache. Answers of fetches in progress are dropped.
func (s *contentCache[K, V]) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries.Clear()
	clear(s.flights)
}
