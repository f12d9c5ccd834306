package catalog

import (
	"maps"
	"slices"
	"sync"

	"zedcard/internal/agency"
)

// seenIDs are the ids of all talents that the back end has ever listed, as far back as the snapshot knows: a page that
// is gone (410) differs from a wrong address (404).
type seenIDs struct {
	mu  sync.RWMutex
	ids map[string]bool
}

func (s *seenIDs) add(talents ...*agency.Talent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range talents {
		s.ids[talents[i].ID] = true
	}
}

func (s *seenIDs) has(id string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.ids[id]
}

func (s *seenIDs) list() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Sorted(maps.Keys(s.ids))
}

func (s *seenIDs) put(ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		s.ids[id] = true
	}
}
