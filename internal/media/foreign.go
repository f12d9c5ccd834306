package media

import (
	"maps"
	"net/url"
	"strings"
	"sync"
)

// foreign counts pictures by the origin that they were not read from, because it is none of the storages.
type foreign struct {
	mu    sync.Mutex
	count map[string]int64
}

// maxForeign bounds the origins that are told apart: they come from the back ends.
const maxForeign = 100

// note counts a file that is no storage's, and reports whether its origin is a new one.
func (f *foreign) note(file string) (origin string, isNew bool) {
	u, err := url.Parse(strings.TrimSpace(file))
	if err != nil || u.Host == "" {
		return "", false
	}
	origin = u.Scheme + "://" + u.Host
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count == nil {
		f.count = map[string]int64{}
	}
	_, known := f.count[origin]
	if !known && len(f.count) >= maxForeign {
		return "", false
	}
	f.count[origin]++
	return origin, !known
}

// Foreign is how often a picture was not shown because of the origin that it comes from.
func (s *Store) Foreign() map[string]int64 {
	s.foreign.mu.Lock()
	defer s.foreign.mu.Unlock()
	return maps.Clone(s.foreign.count)
}

// refuseForeign notes a picture that can't be found below any storage.
func (s *Store) refuseForeign(file string) {
	if origin, isNew := s.foreign.note(file); isNew {
		s.config.Log.Warn("media: pictures of this origin are not shown, PICTURE_HOSTS does not name it",
			"origin", origin)
	}
}
