package catalog

import (
	"fmt"

	"github.com/maypok86/otter/v2"
	"golang.org/x/time/rate"

	"zedcard/internal/agency"
)

// unknownLimiter bounds how often one client has back ends asked for ids and slugs that nobody has told of: a program
// that makes them up would else have each of them looked up. What is known is always asked for. The bound is a client's
// own, so that such a program hides no new talent from anybody else. A crawler that follows old links stays far below.
type unknownLimiter struct {
	clients *otter.Cache[string, *rate.Limiter]
}

const (
	unknownBurst     = 30 // less than half of maxFetches
	unknownPerSecond = 5
	// unknownClients is how many clients are remembered, the latest.
	unknownClients = 10_000
)

func newUnknownLimiter() unknownLimiter {
	return unknownLimiter{otter.Must(&otter.Options[string, *rate.Limiter]{MaximumSize: unknownClients})}
}

// allow takes one, or is an error that wraps agency.ErrUnavailable: it may be there, but nobody looks now.
func (l unknownLimiter) allow(client string) error {
	limit, _ := l.clients.ComputeIfAbsent(client, func() (*rate.Limiter, bool) {
		return rate.NewLimiter(unknownPerSecond, unknownBurst), false
	})
	if !limit.Allow() {
		return fmt.Errorf("catalog: too many unknown addresses at once: %w", agency.ErrUnavailable)
	}
	return nil
}
