// Package cache is a bounded cache in memory: the entries that are least useful leave it. It is the only importer of
// otter. All caches share one otter.Cache[any, any] behind an interface: of each pair of types the compiler would make
// some 450 functions, in the package that names them and again in those that import it.
package cache

import (
	"context"
	"iter"
	"time"

	"github.com/maypok86/otter/v2"
)

// Options bound a cache, by the number of entries or by their bytes.
type Options[K comparable, V any] struct {
	MaxEntries int
	MaxBytes   uint64
	Bytes      func(K, V) int // of an entry, with MaxBytes
	TTL        time.Duration  // how long an entry stays; 0: as long as it is useful
}

// Cache is safe for concurrent use.
type Cache[K comparable, V any] struct{ entries entries }

// entries is what is used of otter.
type entries interface {
	GetIfPresent(key any) (any, bool)
	Get(ctx context.Context, key any, loader otter.Loader[any, any]) (any, error)
	ComputeIfAbsent(key any, compute func() (value any, cancel bool)) (any, bool)
	Set(key, value any) (any, bool)
	Invalidate(key any) (any, bool)
	EstimatedSize() int
	All() iter.Seq2[any, any]
}

// New makes an empty cache.
func New[K comparable, V any](o Options[K, V]) Cache[K, V] {
	options := otter.Options[any, any]{MaximumSize: o.MaxEntries, MaximumWeight: o.MaxBytes}
	if o.Bytes != nil {
		options.Weigher = func(key, value any) uint32 {
			return uint32(o.Bytes(key.(K), value.(V))) // #nosec G115 -- far below 4 GiB
		}
	}
	if o.TTL > 0 {
		options.ExpiryCalculator = otter.ExpiryWriting[any, any](o.TTL)
	}
	return Cache[K, V]{newEntries(&options)}
}

// newEntries is not inlined, so that importers of the package don't compile otter.
//
//go:noinline
func newEntries(options *otter.Options[any, any]) entries { return otter.Must(options) }

// Get is the value of a key, if there is one.
func (c Cache[K, V]) Get(key K) (value V, ok bool) {
	got, ok := c.entries.GetIfPresent(key)
	if ok {
		value = got.(V)
	}
	return value, ok
}

// Load is the value of a key. If there is none it is loaded, once for all that ask at the same time; an error is not
// cached.
func (c Cache[K, V]) Load(ctx context.Context, key K, load func(context.Context) (V, error)) (value V, err error) {
	got, err := c.entries.Get(ctx, key, otter.LoaderFunc[any, any](func(ctx context.Context, _ any) (any, error) {
		return load(ctx)
	}))
	if err == nil {
		value = got.(V)
	}
	return value, err
}

// GetOrMake is the value of a key, which is made if there is none.
func (c Cache[K, V]) GetOrMake(key K, value func() V) V {
	got, _ := c.entries.ComputeIfAbsent(key, func() (any, bool) { return value(), false })
	return got.(V)
}

// Set replaces the value of a key.
func (c Cache[K, V]) Set(key K, value V) { c.entries.Set(key, value) }

// Remove removes a key.
func (c Cache[K, V]) Remove(key K) { c.entries.Invalidate(key) }

// Len is about how many entries there are.
func (c Cache[K, V]) Len() int { return c.entries.EstimatedSize() }

// All are the entries, in no order.
func (c Cache[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for key, value := range c.entries.All() {
			if !yield(key.(K), value.(V)) {
				return
			}
		}
	}
}
