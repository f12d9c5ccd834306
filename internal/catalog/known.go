package catalog

import (
	"maps"
	"slices"
	"sync"

	"zedcard/internal/agency"
)

// known are the ids of all talents that the back end has ever told of, as far as the snapshot
// reaches back: a page that was there and is gone is another thing than a wrong address.
type known struct {
	mu  sync.RWMutex
	ids map[string]bool
}

func (k *known) add(talents ...agency.Talent) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range talents {
		k.ids[talents[i].ID] = true
	}
}

func (k *known) has(id string) bool {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.ids[id]
}

func (k *known) list() []string {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return slices.Sorted(maps.Keys(k.ids))
}

func (k *known) put(ids []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, id := range ids {
		k.ids[id] = true
	}
}
