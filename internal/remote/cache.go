package remote

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime/debug"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"zedcard/internal/agency"
	"zedcard/internal/cache"
	"zedcard/internal/requestid"
)

const (
	// failedTTL is how long a key is not fetched after its refresh failed. Without it, every reader would try.
	failedTTL = 5 * time.Second
	// missingTTL is how long "not found" is cached: long enough that a wrong link costs the back end little, short
	// enough that a new talent appears soon.
	missingTTL = 10 * time.Second
	// listTTL is how old a list may be to say that somebody is not on it: a new talent appears soon.
	listTTL = 2 * time.Second
	// maxEntries bounds a cache, because visitors choose keys.
	maxEntries = 5000
)

// contentCache holds one kind of content by key. A cached value is served at once, however old; if it is due for a
// refresh, the reader starts one in the background. A missing value is fetched once for all waiting readers, and the
// fetch continues when they have left.
type contentCache[K comparable, V any] struct {
	content *Content
	name    string
	fetch   func(context.Context, K) (V, error)
	slots   *semaphore.Weighted // bounds the fetches of keys that visitors choose; nil: no bound

	// firstIsQuiet leaves the version unchanged at the first answer for a key. No page has shown it, and otherwise a
	// crawler that visits every profile would invalidate all pages each time.
	firstIsQuiet bool
	// always is for content that every back end has: one that does not find it is out of order, and the old copy stays.
	always bool

	entries cache.Cache[K, entry[V]]
	flights singleflight.Group
}

// entry is a back end's answer for a key: a value, or that there is none.
type entry[V any] struct {
	value     V
	missing   bool
	readAt    time.Time
	refreshAt time.Time // when it is refreshed
}

func newCache[K comparable, V any](
	c *Content, name string, slots *semaphore.Weighted, fetch func(context.Context, K) (V, error),
) *contentCache[K, V] {
	return &contentCache[K, V]{
		content: c, name: name, fetch: fetch, slots: slots,
		entries: cache.New(cache.Options[K, entry[V]]{MaxEntries: maxEntries}),
	}
}

// get is the value of a key, however old. A reader waits for a value that is not cached until ctx or the visit ends
// (see Visit). Its errors wrap agency.ErrNotFound or agency.ErrUnavailable.
func (s *contentCache[K, V]) get(ctx context.Context, key K) (V, error) {
	return s.getNewer(ctx, key, math.MaxInt64)
}

// getNewer is get for a value that was read at most maxAge ago. It waits for a newer one, and fails if there is none.
func (s *contentCache[K, V]) getNewer(ctx context.Context, key K, maxAge time.Duration) (V, error) {
	tooOld := func(got entry[V]) bool { return time.Since(got.readAt) > maxAge }
	got, ok := s.lookUp(key)
	var err error
	switch {
	case !ok || tooOld(got):
		if got, err = s.wait(ctx, key); err == nil && tooOld(got) {
			err = errors.New("not read again")
		}
	case !time.Now().Before(got.refreshAt):
		s.load(ctx, key)
	}
	switch {
	case err != nil && !errors.Is(err, agency.ErrUnavailable):
		err = fmt.Errorf("%w: %w", agency.ErrUnavailable, err)
	case err == nil && got.missing:
		err = agency.ErrNotFound
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", s.name, err)
	}
	return got.value, err
}

// lookUp is the cached entry of a key, "not found" only for a short time.
func (s *contentCache[K, V]) lookUp(key K) (entry[V], bool) {
	got, ok := s.entries.Get(key)
	if got.missing && !time.Now().Before(got.refreshAt) {
		return entry[V]{}, false
	}
	return got, ok
}

// load fetches a key under the id of the request that ctx belongs to, or joins the fetch in progress.
func (s *contentCache[K, V]) load(ctx context.Context, key K) <-chan singleflight.Result {
	return s.flights.DoChan(fmt.Sprintf("%#v", key), func() (any, error) {
		if s.slots != nil {
			if !s.slots.TryAcquire(1) {
				return nil, fmt.Errorf("%w: too many fetches at once", agency.ErrUnavailable)
			}
			defer s.slots.Release(1)
		}
		if !s.content.begin() {
			return nil, fmt.Errorf("%w: closed", agency.ErrUnavailable)
		}
		defer s.content.tasks.Done()
		return s.refresh(requestid.With(s.content.ctx, requestid.Of(ctx)), key)
	})
}

// wait waits for a fetch of a key, or until ctx or the visit ends.
func (s *contentCache[K, V]) wait(ctx context.Context, key K) (entry[V], error) {
	left, end := remaining(ctx)
	defer end()
	select {
	case result := <-s.load(ctx, key):
		got, _ := result.Val.(entry[V])
		return got, result.Err
	case <-left:
	case <-ctx.Done():
	}
	return entry[V]{}, fmt.Errorf("%w: not yet loaded", agency.ErrUnavailable)
}

// refresh fetches a key and stores the answer. A failure keeps the old value, and so does an equal answer.
func (s *contentCache[K, V]) refresh(ctx context.Context, key K) (entry[V], error) {
	value, err := s.fetchSafely(ctx, key)
	if s.always && errors.Is(err, agency.ErrNotFound) {
		err = fmt.Errorf("%w: the back end does not have it", agency.ErrUnavailable)
	}
	now := time.Now()
	got := entry[V]{value: value, readAt: now, refreshAt: now.Add(s.content.options.FreshFor)}
	old, cached := s.entries.Get(key)
	switch {
	case errors.Is(err, agency.ErrNotFound):
		got = entry[V]{missing: true, readAt: now, refreshAt: now.Add(missingTTL)}
	case err != nil && cached:
		s.content.log.WarnContext(ctx, "refresh failed, stale copy served",
			"of", s.name, "age", now.Sub(old.readAt).Round(time.Second), "error", err)
		old.refreshAt = now.Add(failedTTL)
		s.entries.Set(key, old)
		return old, nil
	case err != nil:
		return got, err
	}
	if cached && old.missing == got.missing && reflect.DeepEqual(old.value, got.value) {
		got.value = old.value
		s.entries.Set(key, got)
		return got, nil
	}
	s.entries.Set(key, got)
	if cached || !s.firstIsQuiet {
		s.content.version.Add(1)
	}
	s.content.unsaved.Store(true)
	return got, nil
}

func (s *contentCache[K, V]) fetchSafely(ctx context.Context, key K) (value V, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.content.log.ErrorContext(ctx, "back end client panicked", "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("%w: panic: %v", agency.ErrUnavailable, p)
		}
	}()
	return s.fetch(ctx, key)
}

// values are everything in the cache.
func (s *contentCache[K, V]) values() map[K]V {
	values := make(map[K]V, s.entries.Len())
	for key, got := range s.entries.All() {
		if !got.missing {
			values[key] = got.value
		}
	}
	return values
}

// fill fills the cache with content that was read at a time, and is due for a refresh.
func (s *contentCache[K, V]) fill(content map[K]V, readAt time.Time) {
	for key, value := range content {
		s.entries.Set(key, entry[V]{value: value, readAt: readAt})
	}
}
