package media

import (
	"sync"

	"zedcard/internal/agency"
)

// refusals are originals that must not be shown.
type refusals struct {
	mu    sync.RWMutex
	files map[original]bool // without a focal point
}

func (r *refusals) set(p original, refused bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.files == nil {
		r.files = map[original]bool{}
	}
	r.files[p] = refused
}

func (r *refusals) has(p original) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	p.focus = agency.Focus{}
	return r.files[p]
}

// Refuse stops serving these files and removes the pictures made from them. It returns the prefixes of their addresses,
// to purge them from a CDN.
func (s *Store) Refuse(files ...string) (addresses []string) {
	for _, file := range files {
		p, ok := s.resolve(file, "")
		if !ok {
			continue
		}
		s.refused.set(p, true)
		for _, known := range append(s.records.originalsOf(p), p) {
			addresses = append(addresses, s.base(known, false), s.base(known, true))
			_ = s.load(variant{original: known}) // it counts as gone, and its files are removed
		}
	}
	return addresses
}

// Allow ends Refuse.
func (s *Store) Allow(files ...string) {
	for _, file := range files {
		if p, ok := s.resolve(file, ""); ok {
			s.refused.set(p, false)
			s.failed.forget(p)
		}
	}
}
