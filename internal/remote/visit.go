package remote

import (
	"context"
	"sync/atomic"
	"time"
)

type visitKey struct{}

// visit is one request.
type visit struct {
	remaining atomic.Int64 // how long the visitor may still wait, in nanoseconds
}

// Visit begins a visit. Reads with its context wait, all together, no longer than Options.Wait for content that is not
// cached, and then fail with agency.ErrUnavailable; the fetch continues. Without a visit a read waits until its context
// ends.
func (c *Content) Visit(ctx context.Context) context.Context {
	v := &visit{}
	v.remaining.Store(int64(c.options.Wait))
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
