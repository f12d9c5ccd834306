package catalog

import (
	"fmt"

	"golang.org/x/time/rate"

	"zedcard/internal/agency"
	"zedcard/internal/cache"
)

// unknownLimiter bounds how often one client can make the site request ids and slugs that are on no list, as a program
// does that guesses them. Listed ones are not limited. The limit is per client, so that such a program does not keep a
// new talent from others. A crawler that follows old links stays far below it.
type unknownLimiter struct {
	clients cache.Cache[string, *rate.Limiter]
}

const (
	unknownBurst     = 30 // less than half of maxFetches
	unknownPerSecond = 5
	// unknownClients is how many clients are remembered, the latest ones.
	unknownClients = 10_000
)

func newUnknownLimiter() unknownLimiter {
	return unknownLimiter{cache.New(cache.Options[string, *rate.Limiter]{MaxEntries: unknownClients})}
}

// allow counts a request; over the limit it returns an error that wraps agency.ErrUnavailable, because the content may
// exist.
func (l unknownLimiter) allow(client string) error {
	limit := l.clients.GetOrMake(client, func() *rate.Limiter {
		return rate.NewLimiter(unknownPerSecond, unknownBurst)
	})
	if !limit.Allow() {
		return fmt.Errorf("catalog: too many unknown addresses at once: %w", agency.ErrUnavailable)
	}
	return nil
}
