package media

import (
	"net/url"
	"strings"
	"sync/atomic"
)

// maxForeign bounds the number of origins that are counted: they come from the back ends.
const maxForeign = 100

// ForeignOrigins is how often pictures were not shown because their origin is not a storage, by origin.
func (s *Store) ForeignOrigins() map[string]int64 {
	counts := map[string]int64{}
	for origin, count := range s.foreign.All() {
		counts[origin] = count.Load()
	}
	return counts
}

// refuseForeign counts a picture that is in no storage, and logs its origin once.
func (s *Store) refuseForeign(file string) {
	u, err := url.Parse(strings.TrimSpace(file))
	if err != nil || u.Host == "" {
		return
	}
	origin := u.Scheme + "://" + u.Host
	count := s.foreign.GetOrMake(origin, func() *atomic.Int64 { return new(atomic.Int64) })
	if count.Add(1) == 1 {
		s.config.Log.Warn("media: pictures of this origin are not shown, PICTURE_HOSTS does not name it",
			"origin", origin)
	}
}
