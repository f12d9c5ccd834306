package catalog

import (
	"fmt"

	"golang.org/x/time/rate"

	"zedcard/internal/agency"
)

// unknownLimiter bounds how often back ends are asked for ids and slugs that nobody has told of: a
// program that makes them up would else have each of them looked up. What is known is always asked
// for. A crawler that follows old links stays far below the bound.
type unknownLimiter struct{ limit *rate.Limiter }

const (
	unknownBurst     = 100
	unknownPerSecond = 10
)

func newUnknownLimiter() unknownLimiter {
	return unknownLimiter{rate.NewLimiter(unknownPerSecond, unknownBurst)}
}

// allow takes one, or is an error that wraps agency.ErrUnavailable: it may be there, but nobody looks now.
func (l unknownLimiter) allow() error {
	if !l.limit.Allow() {
		return fmt.Errorf("catalog: too many unknown addresses at once: %w", agency.ErrUnavailable)
	}
	return nil
}
