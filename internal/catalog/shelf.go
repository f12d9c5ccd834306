package catalog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime/debug"
	"time"

	"github.com/maypok86/otter/v2"

	"zedcard/internal/agency"
)

const (
	// retryAfter is how long a back end is left alone with a key after it failed to give it anew.
	// Without it, every reader would try again.
	retryAfter = 5 * time.Second
	// missingFor is how long "not found" counts: long enough that a wrong link costs the back end
	// little, short enough that nobody waits for a new talent.
	missingFor = 10 * time.Second
	// maxEntries bounds a shelf, as visitors choose keys.
	maxEntries = 5000
)

// shelf keeps one kind of things. What it has is served at once, however old; past the fresh
// window a reader also starts a new fetch behind his back. What it has not is fetched once for
// all who wait for it, and goes on when the first of them leaves.
type shelf[K comparable, V any] struct {
	name  string
	cache *otter.Cache[K, answer[V]]
	fetch func(context.Context, K) (V, error)
	same  func(a, b V) bool
	life  context.Context // ends fetches when the catalogue is closed
	news  func()          // told when the shelf has something new
	log   *slog.Logger
}

// answer is what a back end said of a key: a value, or that there is none.
type answer[V any] struct {
	value   V
	missing bool
}

func newShelf[K comparable, V any](
	c *Catalog, name string, fetch func(context.Context, K) (V, error), same func(a, b V) bool,
) *shelf[K, V] {
	return &shelf[K, V]{
		name:  name,
		fetch: fetch,
		same:  same,
		life:  c.life,
		news:  c.changed,
		log:   c.log,
		cache: otter.Must(&otter.Options[K, answer[V]]{
			MaximumSize:       maxEntries,
			ExpiryCalculator:  otter.ExpiryWritingFunc(keepFor[K, V]),
			RefreshCalculator: window[K, V]{fresh: c.fresh},
			Clock:             clock{},
			Logger:            &otter.NoopLogger{}, // Reload says more
		}),
	}
}

// get is the value of a key. Its errors wrap agency.ErrNotFound or agency.ErrUnavailable.
func (s *shelf[K, V]) get(ctx context.Context, key K) (V, error) {
	got, err := s.cache.Get(ctx, key, s)
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

// peek is the value of a key where the shelf has it. It never asks a back end.
func (s *shelf[K, V]) peek(key K) (V, bool) {
	got, ok := s.cache.GetIfPresent(key)
	return got.value, ok && !got.missing
}

// has reports whether get would answer without asking a back end first.
func (s *shelf[K, V]) has(key K) bool {
	_, ok := s.cache.GetIfPresent(key)
	return ok
}

// Load asks the back end for a key that the shelf does not have.
func (s *shelf[K, V]) Load(ctx context.Context, key K) (answer[V], error) {
	got, err := s.ask(ctx, key)
	if err == nil && !got.missing {
		s.news()
	}
	return got, err
}

// Reload asks the back end again. An unchanged value stays as it is, with all that it has worked
// out; a failure keeps the old one.
func (s *shelf[K, V]) Reload(ctx context.Context, key K, old answer[V]) (answer[V], error) {
	got, err := s.ask(ctx, key)
	switch {
	case err != nil:
		s.log.Warn("catalog: kept the old copy", "of", s.name, "error", err)
	case got.missing == old.missing && s.same(got.value, old.value):
		return old, nil
	default:
		s.news()
	}
	return got, err
}

func (s *shelf[K, V]) ask(ctx context.Context, key K) (got answer[V], err error) {
	// Everybody who asks for the key waits for this call, not only the one whose context it is.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("catalog: a back end's client panicked", "of", s.name, "panic", p, "stack", string(debug.Stack()))
			got, err = answer[V]{}, fmt.Errorf("%w: panic: %v", agency.ErrUnavailable, p)
		}
	}()
	value, err := s.fetch(ctx, key)
	if errors.Is(err, agency.ErrNotFound) {
		return answer[V]{missing: true}, nil
	}
	return answer[V]{value: value}, err
}

// content is all that the shelf has.
func (s *shelf[K, V]) content() map[K]V {
	content := make(map[K]V, s.cache.EstimatedSize())
	for key, got := range s.cache.All() {
		if !got.missing {
			content[key] = got.value
		}
	}
	return content
}

// put fills the shelf with a stored content, which its first readers have fetched anew.
func (s *shelf[K, V]) put(content map[K]V) {
	for key, value := range content {
		s.cache.Set(key, answer[V]{value: value})
		s.cache.SetRefreshableAfter(key, time.Nanosecond)
	}
}

// forget empties the shelf.
func (s *shelf[K, V]) forget() { s.cache.InvalidateAll() }

// keepFor is how long an entry may be served at all.
func keepFor[K comparable, V any](e otter.Entry[K, answer[V]]) time.Duration {
	if e.Value.missing {
		return missingFor
	}
	return math.MaxInt64
}

// window is when an entry is asked for again.
type window[K comparable, V any] struct{ fresh time.Duration }

func (w window[K, V]) RefreshAfterCreate(otter.Entry[K, answer[V]]) time.Duration { return w.fresh }

func (w window[K, V]) RefreshAfterUpdate(otter.Entry[K, answer[V]], answer[V]) time.Duration {
	return w.fresh
}

func (w window[K, V]) RefreshAfterReload(otter.Entry[K, answer[V]], answer[V]) time.Duration {
	return w.fresh
}

func (w window[K, V]) RefreshAfterReloadFailure(otter.Entry[K, answer[V]], error) time.Duration {
	return retryAfter
}

// clock is the time without ticks: an entry that has expired is gone for its readers, and its
// place is taken up when the shelf is full.
type clock struct{}

func (clock) NowNano() int64                      { return time.Now().UnixNano() }
func (clock) Tick(time.Duration) <-chan time.Time { return nil }
