package catalog

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"zedcard/internal/agency"
)

type visitKey struct{}

// visit is one request.
type visit struct {
	client    string
	remaining atomic.Int64 // how long the visitor may still wait, in nanoseconds
}

// Visit begins a visit of a client, which is the address that rate limits count. Reads with its context wait, all
// together, no longer than Options.Wait for content that is not cached, and then fail with agency.ErrUnavailable; the
// fetch continues. Without a visit a read waits until its context ends.
func (c *Catalog) Visit(ctx context.Context, client string) context.Context {
	v := &visit{client: client}
	v.remaining.Store(int64(c.settings.Wait))
	return context.WithValue(ctx, visitKey{}, v)
}

// remaining is a channel that says when a visit has waited long enough; end ends the wait.
func remaining(ctx context.Context) (over <-chan time.Time, end func()) {
	v, ok := ctx.Value(visitKey{}).(*visit)
	if !ok {
		return nil, func() {}
	}
	started := time.Now()
	timer := time.NewTimer(time.Duration(v.remaining.Load()))
	return timer.C, func() {
		timer.Stop()
		v.remaining.Add(-int64(time.Since(started)))
	}
}

const (
	unknownBurst     = 30 // less than half of maxFetches
	unknownPerSecond = 5
	// unknownClients is how many clients are remembered, the latest ones.
	unknownClients = 10_000
)

// allowUnknown bounds how often one client can make the site request ids and slugs that are on no list, as a program
// does that guesses them; over the limit the error is agency.ErrUnavailable, because the content may exist. The limit
// is per client, so that such a program does not keep a new talent from others. A crawler that follows old links stays
// far below it.
func (c *Catalog) allowUnknown(ctx context.Context) error {
	client := "" // of the program's own reads
	if v, ok := ctx.Value(visitKey{}).(*visit); ok {
		client = v.client
	}
	limit := c.unknown.GetOrMake(client, func() *rate.Limiter {
		return rate.NewLimiter(unknownPerSecond, unknownBurst)
	})
	if !limit.Allow() {
		return fmt.Errorf("catalog: too many unknown addresses at once: %w", agency.ErrUnavailable)
	}
	return nil
}
