package catalog

import (
	"slices"
	"sync"

	"zedcard/internal/agency"
)

// seenIDs are the ids of all talents that the back end has ever listed, as far back as the snapshot knows: a page that
// is gone (410) differs from a wrong address (404).
type seenIDs struct{ ids sync.Map }

func (s *seenIDs) add(talents ...*agency.Talent) {
	for _, talent := range talents {
		s.ids.Store(talent.ID, true)
	}
}

func (s *seenIDs) put(ids []string) {
	for _, id := range ids {
		s.ids.Store(id, true)
	}
}

func (s *seenIDs) has(id string) bool {
	_, ok := s.ids.Load(id)
	return ok
}

func (s *seenIDs) list() (ids []string) {
	for id := range s.ids.Range {
		ids = append(ids, id.(string))
	}
	slices.Sort(ids)
	return ids
}
