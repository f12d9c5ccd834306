package catalog

import (
	"context"
	"sync/atomic"
	"time"
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
	v.remaining.Store(int64(c.visitWait))
	return context.WithValue(ctx, visitKey{}, v)
}

// clientOf is the client of a visit; empty for the program's own reads.
func clientOf(ctx context.Context) string {
	if v, ok := ctx.Value(visitKey{}).(*visit); ok {
		return v.client
	}
	return ""
}

// receive receives from a channel; it returns false if the visit or ctx ended first.
func receive[T any](ctx context.Context, from <-chan T) (received T, ok bool) {
	var timeout <-chan time.Time
	if v, ok := ctx.Value(visitKey{}).(*visit); ok {
		started := time.Now()
		defer func() { v.remaining.Add(-int64(time.Since(started))) }()
		timer := time.NewTimer(time.Duration(v.remaining.Load()))
		defer timer.Stop()
		timeout = timer.C
	}
	select {
	case received = <-from:
		return received, true
	case <-timeout:
	case <-ctx.Done():
	}
	return received, false
}
