package catalog

import (
	"iter"

	"github.com/maypok86/otter/v2"
)

// bounded is a cache of at most so many entries; the least useful ones leave it.
//
// All share one otter.Cache[any, any] behind an interface. Of each pair of types the compiler makes some 450 functions,
// in the package that names them and again in those that import it: with the types of the catalogue's caches that was
// most of the time in which the program was compiled.
type bounded[K comparable, V any] struct{ entries entries }

type entries interface {
	GetIfPresent(key any) (any, bool)
	ComputeIfAbsent(key any, compute func() (value any, cancel bool)) (any, bool)
	Set(key, value any) (any, bool)
	Invalidate(key any) (any, bool)
	InvalidateAll()
	EstimatedSize() int
	All() iter.Seq2[any, any]
}

func newBounded[K comparable, V any](size int) bounded[K, V] { return bounded[K, V]{newEntries(size)} }

// newEntries is not inlined, so that importers of the package don't compile otter.
//
//go:noinline
func newEntries(size int) entries { return otter.Must(&otter.Options[any, any]{MaximumSize: size}) }

func (b bounded[K, V]) get(key K) (value V, ok bool) {
	got, ok := b.entries.GetIfPresent(key)
	if ok {
		value = got.(V)
	}
	return value, ok
}

// getOrMake is the value of a key, which is made if there is none.
func (b bounded[K, V]) getOrMake(key K, value func() V) V {
	got, _ := b.entries.ComputeIfAbsent(key, func() (any, bool) { return value(), false })
	return got.(V)
}

func (b bounded[K, V]) set(key K, value V) { b.entries.Set(key, value) }

func (b bounded[K, V]) remove(key K) { b.entries.Invalidate(key) }

func (b bounded[K, V]) clear() { b.entries.InvalidateAll() }

func (b bounded[K, V]) size() int { return b.entries.EstimatedSize() }

func (b bounded[K, V]) all() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for key, value := range b.entries.All() {
			if !yield(key.(K), value.(V)) {
				return
			}
		}
	}
}
