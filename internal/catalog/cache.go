package catalog

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

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

// stored is a contentCache as the snapshot and Clear see it.
type stored interface {
	forget()
	encode(to *gob.Encoder) error
	decode(from *gob.Decoder) (use func(readAt time.Time), err error)
}

// contentCache holds one kind of content by key. A cached value is served at once, however old; if it is due for a
// refresh, the reader starts one in the background. A missing value is fetched once for all waiting readers, and the
// fetch continues when they have left.
type contentCache[K comparable, V any] struct {
	catalog *Catalog
	name    string
	fetch   func(context.Context, K) (V, error)
	slots   *semaphore.Weighted // bounds the fetches of keys that visitors choose; nil: no bound

	// firstIsQuiet leaves the version unchanged at the first answer for a key. No page has shown it, and otherwise a
	// crawler that visits every profile would invalidate all pages each time.
	firstIsQuiet bool

	entries cache.Cache[K, entry[V]]

	mu      sync.Mutex          // held while an entry is replaced
	flights *singleflight.Group // another one after a removal: what was being fetched is not stored
}

// entry is a back end's answer for a key: a value, or that there is none.
type entry[V any] struct {
	value     V
	missing   bool
	readAt    time.Time
	refreshAt time.Time // when it is refreshed
}

func newCache[K comparable, V any](
	c *Catalog, name string, slots *semaphore.Weighted, fetch func(context.Context, K) (V, error),
) *contentCache[K, V] {
	s := &contentCache[K, V]{
		catalog: c, name: name, fetch: fetch, slots: slots,
		entries: cache.New(cache.Options[K, entry[V]]{MaxEntries: maxEntries}),
		flights: new(singleflight.Group),
	}
	c.caches = append(c.caches, s)
	return s
}

// get is the value of a key. A reader waits for a value that is not cached until ctx or the visit ends (see
// Catalog.Visit). Its errors wrap agency.ErrNotFound or agency.ErrUnavailable.
func (s *contentCache[K, V]) get(ctx context.Context, key K) (V, error) {
	got, ok := s.lookUp(key)
	var err error
	if !ok {
		got, err = s.wait(ctx, key)
	} else if s.due(key, got) {
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
		if got, err = s.wait(ctx, key); err != nil || time.Since(got.readAt) > maxAge {
			return got.value, fmt.Errorf("catalog: %s: %w: not read again", s.name, agency.ErrUnavailable)
		}
	}
	return s.get(ctx, key)
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

// due reports whether the caller is to refresh an entry: it is one reader of many.
func (s *contentCache[K, V]) due(key K, got entry[V]) bool {
	if time.Now().Before(got.refreshAt) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	got, ok := s.entries.Get(key)
	if !ok || time.Now().Before(got.refreshAt) {
		return false
	}
	got.refreshAt = time.Now().Add(retryAfter)
	s.entries.Set(key, got)
	return true
}

// load fetches a key, or joins the fetch in progress.
func (s *contentCache[K, V]) load(key K) <-chan singleflight.Result {
	s.mu.Lock()
	flights := s.flights
	s.mu.Unlock()
	return flights.DoChan(fmt.Sprintf("%#v", key), func() (any, error) {
		if s.slots != nil {
			if !s.slots.TryAcquire(1) {
				return nil, fmt.Errorf("%w: too many fetches at once", agency.ErrUnavailable)
			}
			defer s.slots.Release(1)
		}
		if !s.catalog.begin() {
			return nil, fmt.Errorf("%w: closed", agency.ErrUnavailable)
		}
		defer s.catalog.tasks.Done()
		return s.refresh(key, flights)
	})
}

// wait waits for a fetch of a key, or until ctx or the visit ends.
func (s *contentCache[K, V]) wait(ctx context.Context, key K) (entry[V], error) {
	left, end := remaining(ctx)
	defer end()
	select {
	case result := <-s.load(key):
		got, _ := result.Val.(entry[V])
		return got, result.Err
	case <-left:
	case <-ctx.Done():
	}
	return entry[V]{}, fmt.Errorf("%w: not yet loaded", agency.ErrUnavailable)
}

// refresh fetches a key and stores the answer. A failure keeps the old value, and so does an equal answer.
func (s *contentCache[K, V]) refresh(key K, flights *singleflight.Group) (entry[V], error) {
	got, err := s.fetchEntry(key)
	now := time.Now()
	s.mu.Lock()
	old, cached := s.entries.Get(key)
	removed := s.flights != flights
	changed := false
	switch {
	case err != nil && cached:
		s.catalog.log.Warn("catalog: refresh failed, stale copy served",
			"of", s.name, "age", now.Sub(old.readAt).Round(time.Second), "error", err)
		got, err = old, nil
		got.refreshAt = now.Add(retryAfter)
	case err == nil:
		got.readAt, got.refreshAt = now, now.Add(s.catalog.settings.FreshFor)
		if got.missing {
			got.refreshAt = now.Add(missingTTL)
		}
		changed = !cached || old.missing != got.missing || !reflect.DeepEqual(old.value, got.value)
		if !changed {
			got.value = old.value
		}
	}
	if !removed && err == nil {
		s.entries.Set(key, got)
	}
	s.mu.Unlock()
	if !removed && changed {
		if cached || !s.firstIsQuiet {
			s.catalog.version.Add(1)
		}
		s.catalog.markUnsaved()
	}
	return got, err
}

func (s *contentCache[K, V]) fetchEntry(key K) (got entry[V], err error) {
	defer func() {
		if p := recover(); p != nil {
			s.catalog.log.Error("back end client panicked", "panic", p, "stack", string(debug.Stack()))
			got, err = entry[V]{}, fmt.Errorf("%w: panic: %v", agency.ErrUnavailable, p)
		}
	}()
	value, err := s.fetch(s.catalog.ctx, key)
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

func (s *contentCache[K, V]) encode(to *gob.Encoder) error { return to.Encode(s.content()) }

// decode reads what encode wrote; use fills the cache with it, fetched at readAt and due for a refresh.
func (s *contentCache[K, V]) decode(from *gob.Decoder) (use func(readAt time.Time), err error) {
	var content map[K]V
	err = from.Decode(&content)
	return func(readAt time.Time) {
		for key, value := range content {
			s.entries.Set(key, entry[V]{value: value, readAt: readAt})
		}
	}, err
}

// drop removes one key.
func (s *contentCache[K, V]) drop(key K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries.Remove(key)
	s.flights = new(singleflight.Group)
}

// forget empties the cache.
func (s *contentCache[K, V]) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries.Clear()
	s.flights = new(singleflight.Group)
}
