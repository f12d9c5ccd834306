package catalog

import (
	"fmt"
	"sync"
	"time"

	"zedcard/internal/agency"
)

// strangers bounds how often back ends are asked for what nobody has told of: a program that makes up ids or slugs
// would else have each of them looked up. What is known is always asked for. A crawler that follows old links stays
// far below.
type strangers struct {
	mu   sync.Mutex
	left float64
	at   time.Time // when left was right
}

const (
	strangersAtOnce  = 100
	strangersASecond = 10
)

// allow takes one, or is an error that wraps agency.ErrUnavailable: it may be there, but nobody looks now.
func (s *strangers) allow() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if s.at.IsZero() {
		s.left = strangersAtOnce
	} else {
		s.left = min(s.left+strangersASecond*max(now.Sub(s.at).Seconds(), 0), strangersAtOnce)
	}
	s.at = now
	if s.left < 1 {
		return fmt.Errorf("catalog: too many unknown addresses at once: %w", agency.ErrUnavailable)
	}
	s.left--
	return nil
}
