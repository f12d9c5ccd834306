package media

import (
	"maps"
	"net/url"
	"strings"
	"sync"
)

// foreign counts pictures that were not read because their origin is not a storage, by origin.
type foreign struct {
	mu    sync.Mutex
	count map[string]int64
}

// maxForeign bounds the number of origins, which come from the back ends.
const maxForeign = 100

// add counts a file that is in no storage, and reports whether its origin is new.
func (f *foreign) add(file string) (origin string, isNew bool) {
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

// ForeignOrigins is how often pictures were not shown because of their origin, by origin.
func (s *Store) ForeignOrigins() map[string]int64 {
	s.foreign.mu.Lock()
	defer s.foreign.mu.Unlock()
	return maps.Clone(s.foreign.count)
}

// refuseForeign counts and logs a picture that is in no storage.
func (s *Store) refuseForeign(file string) {
	if origin, isNew := s.foreign.add(file); isNew {
		s.config.Log.Warn("media: pictures of this origin are not shown, PICTURE_HOSTS does not name it",
			"origin", origin)
	}
}
