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
	for _, talent := range talents {
		if !s.has(talent.ID) { // nearly all of a list are known, and readers must not wait for it
			s.mu.Lock()
			s.ids[talent.ID] = true
			s.mu.Unlock()
		}
	}
}

func (s *seenIDs) has(id string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.ids[id]
}

func (s *seenIDs) list() []string {
	s.mu.RLock()
	ids := slices.Collect(maps.Keys(s.ids))
	s.mu.RUnlock()
	slices.Sort(ids)
	return ids
}

func (s *seenIDs) put(ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		s.ids[id] = true
	}
}
