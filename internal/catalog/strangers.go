package catalog

import (
	"fmt"

	"golang.org/x/time/rate"

	"zedcard/internal/agency"
)

// strangers bounds how often back ends are asked for what nobody has told of: a program that makes up ids or slugs
// would else have each of them looked up. What is known is always asked for. A crawler that follows old links stays
// far below.
type strangers struct{ limit *rate.Limiter }

const (
	strangersAtOnce  = 100
	strangersASecond = 10
)

func newStrangers() strangers {
	return strangers{rate.NewLimiter(strangersASecond, strangersAtOnce)}
}

// allow takes one, or is an error that wraps agency.ErrUnavailable: it may be there, but nobody looks now.
func (s strangers) allow() error {
	if !s.limit.Allow() {
		return fmt.Errorf("catalog: too many unknown addresses at once: %w", agency.ErrUnavailable)
	}
	return nil
}
