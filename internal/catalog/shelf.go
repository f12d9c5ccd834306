package catalog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/semaphore"

	"zedcard/internal/agency"
)

const (
	// retryAfter is how long a key is left alone after the back end failed to give it again. Without
	// it, every reader would try.
	retryAfter = 5 * time.Second
	// missingFor is how long "not found" counts: long enough that a wrong link costs the back end
	// little, short enough that nobody waits for a new talent.
	missingFor = 10 * time.Second
	// maxEntries bounds a shelf, as visitors choose keys.
	maxEntries = 5000
)

// shelf keeps one kind of thing by key. What it has is served at once, however old; a reader who
// finds it older than fresh starts a fetch in the background. What it has not is fetched once for
// all readers who wait, and the fetch goes on when they have left.
type shelf[K comparable, V any] struct {
	name  string
	fetch func(context.Context, K) (V, error)
	same  func(a, b V) bool // whether a value that was fetched again is the one that is kept
	fresh time.Duration
	slots *semaphore.Weighted // bounds the fetches of keys that visitors choose; nil: no bound

	start    func(task func(context.Context)) bool // runs in the background until the catalogue closes
	onChange func(known bool)                      // called after the shelf has taken in something new of a key
	log      *slog.Logger

	kept *otter.Cache[K, entry[V]]

	mu      sync.Mutex
	flights map[K]*flight[V] // fetches under way, guarded by mu
}

// entry is what a back end said of a key: a value, or that there is none.
type entry[V any] struct {
	value   V
	missing bool
	readAt  time.Time
	dueAt   time.Time // when it is asked for again
}

// flight is a fetch that is under way. entry and err are set when done is closed.
type flight[V any] struct {
	done  chan struct{}
	entry entry[V]
	err   error
}

func newShelf[K comparable, V any](
	c *Catalog, name string, fetch func(context.Context, K) (V, error), same func(a, b V) bool,
) *shelf[K, V] {
	return &shelf[K, V]{
		name:     name,
		fetch:    fetch,
		same:     same,
		fresh:    c.fresh,
		start:    c.start,
		onChange: func(bool) { c.changed() },
		log:      c.log.With("of", name),
		kept:     otter.Must(&otter.Options[K, entry[V]]{MaximumSize: maxEntries}),
		flights:  map[K]*flight[V]{},
	}
}

// get is the value of a key. A reader waits for what the shelf does not have until ctx or the visit
// ends (see Catalog.Visit). Its errors wrap agency.ErrNotFound or agency.ErrUnavailable.
func (s *shelf[K, V]) get(ctx context.Context, key K) (V, error) {
	got, ok := s.lookUp(key)
	var err error
	switch {
	case !ok:
		got, err = s.wait(ctx, s.load(key))
	case !time.Now().Before(got.dueAt):
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

// lookUp is what is kept of a key. "Not found" counts for a moment only.
func (s *shelf[K, V]) lookUp(key K) (entry[V], bool) {
	got, ok := s.kept.GetIfPresent(key)
	if ok && got.missing && !time.Now().Before(got.dueAt) {
		return entry[V]{}, false
	}
	return got, ok
}

// peek is the value of a key where the shelf has it. It never asks a back end.
func (s *shelf[K, V]) peek(key K) (V, bool) {
	got, ok := s.lookUp(key)
	return got.value, ok && !got.missing
}

// has reports whether get would answer without asking a back end first.
func (s *shelf[K, V]) has(key K) bool {
	_, ok := s.lookUp(key)
	return ok
}

// age is how long ago the back end last gave the value of a key, false where it never did.
func (s *shelf[K, V]) age(key K) (time.Duration, bool) {
	got, ok := s.lookUp(key)
	return time.Since(got.readAt), ok && !got.missing
}

// load fetches a key, or joins the fetch that is under way.
func (s *shelf[K, V]) load(key K) *flight[V] {
	s.mu.Lock()
	defer s.mu.Unlock()
	if under := s.flights[key]; under != nil {
		return under
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

// wait is the end of a flight, or the end of the reader's patience.
func (s *shelf[K, V]) wait(ctx context.Context, f *flight[V]) (entry[V], error) {
	if !waitDuring(ctx, f.done) {
		return entry[V]{}, fmt.Errorf("%w: not yet loaded", agency.ErrUnavailable)
	}
	return f.entry, f.err
}

// run asks the back end and takes in what it says. A failure keeps the old value; an unchanged
// value stays the same one, with all that it has worked out.
func (s *shelf[K, V]) run(ctx context.Context, key K, f *flight[V]) {
	got, err := s.ask(ctx, key)
	s.mu.Lock()
	old, kept := s.kept.GetIfPresent(key)
	current := s.flights[key] == f // else the shelf was emptied meanwhile
	changed := false
	now := time.Now()
	switch {
	case err != nil && kept:
		old.dueAt = now.Add(retryAfter)
		got = old
		s.log.Warn("catalog: refresh failed, stale copy served",
			"age", now.Sub(old.readAt).Round(time.Second), "error", err)
	case err == nil:
		got.readAt, got.dueAt = now, now.Add(s.fresh)
		if got.missing {
			got.dueAt = now.Add(missingFor)
		}
		changed = !kept || old.missing != got.missing || !s.same(old.value, got.value)
		if !changed {
			got.value = old.value
		}
	}
	if current && (err == nil || kept) {
		s.kept.Set(key, got)
	}
	if current {
		delete(s.flights, key)
	}
	s.mu.Unlock()
	if changed && current {
		s.onChange(kept)
	}
	f.entry = got
	if !kept {
		f.err = err
	}
	close(f.done)
}

func (s *shelf[K, V]) ask(ctx context.Context, key K) (got entry[V], err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("a back end's client panicked", "panic", p, "stack", string(debug.Stack()))
			got, err = entry[V]{}, fmt.Errorf("%w: panic: %v", agency.ErrUnavailable, p)
		}
	}()
	value, err := s.fetch(ctx, key)
	if errors.Is(err, agency.ErrNotFound) {
		return entry[V]{missing: true}, nil
	}
	return entry[V]{value: value}, err
}

// content is all that the shelf has.
func (s *shelf[K, V]) content() map[K]V {
	content := make(map[K]V, s.kept.EstimatedSize())
	for key, got := range s.kept.All() {
		if !got.missing {
			content[key] = got.value
		}
	}
	return content
}

// put fills the shelf with a stored content, which was read at that time and is due at once.
func (s *shelf[K, V]) put(content map[K]V, readAt time.Time) {
	for key, value := range content {
		s.kept.Set(key, entry[V]{value: value, readAt: readAt})
	}
}

// replace puts another value in the place of what is kept of a key. A fetch that is under way comes too late.
func (s *shelf[K, V]) replace(key K, with func(V) V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.flights, key)
	if got, ok := s.kept.GetIfPresent(key); ok && !got.missing {
		got.value = with(got.value)
		s.kept.Set(key, got)
	}
}

// expire lets the next reader have a key fetched again.
func (s *shelf[K, V]) expire(key K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if got, ok := s.kept.GetIfPresent(key); ok {
		got.dueAt = time.Time{}
		s.kept.Set(key, got)
	}
}

// drop forgets one key.
func (s *shelf[K, V]) drop(key K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.Invalidate(key)
	delete(s.flights, key)
}

// forget empties the shelf. Fetches that are under way come too late.
func (s *shelf[K, V]) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.InvalidateAll()
	clear(s.flights)
}
