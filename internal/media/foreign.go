package media

import (
	"maps"
	"net/url"
	"strings"
	"sync"
)

// foreign counts pictures that were not shown because their origin is not a storage, by origin.
type foreign struct {
	mu    sync.Mutex
	count map[string]int64
}

// maxForeign bounds the number of origins, which come from the back ends.
const maxForeign = 100

// ForeignOrigins is how often pictures were not shown because of their origin, by origin.
func (s *Store) ForeignOrigins() map[string]int64 {
	s.foreign.mu.Lock()
	defer s.foreign.mu.Unlock()
	return maps.Clone(s.foreign.count)
}

// refuseForeign counts a picture that is in no storage, and logs its origin once.
func (s *Store) refuseForeign(file string) {
	u, err := url.Parse(strings.TrimSpace(file))
	if err != nil || u.Host == "" {
		return
	}
	origin := u.Scheme + "://" + u.Host
	s.foreign.mu.Lock()
	defer s.foreign.mu.Unlock()
	if s.foreign.count == nil {
		s.foreign.count = map[string]int64{}
	}
	if count := s.foreign.count[origin]; count > 0 || len(s.foreign.count) < maxForeign {
		s.foreign.count[origin]++
		if count == 0 {
			s.config.Log.Warn("media: pictures of this origin are not shown, PICTURE_HOSTS does not name it",
				"origin", origin)
		}
	}
}
