package handlers

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// pool bounds the use of a limited resource, for all clients together and for each of them, so that one client can't
// take all of it.
type pool struct {
	total     *queue
	perClient int64

	mu      sync.Mutex
	clients map[string]*client // those with a reservation
}

// maxWaits are the longest waits for a part to be released. A queue that has not been empty for longer than the normal
// wait means overload, not a burst. New requests then wait only briefly, so that most are refused at once and the
// others are served soon (controlled delay: Maurer, "Fail at Scale", ACM Queue 13, 2015).
type maxWaits struct{ normal, overloaded time.Duration }

// sameWait waits as long under overload as normally.
func sameWait(wait time.Duration) maxWaits { return maxWaits{wait, wait} }

type client struct {
	*queue
	users int
}

func newPool(total, perClient int64, waits maxWaits) *pool {
	return &pool{total: newQueue(total, waits), perClient: perClient, clients: map[string]*client{}}
}

// queue holds the requests that wait for the same resource.
type queue struct {
	sem        *semaphore.Weighted
	maxWaits   maxWaits
	maxWaiting int64        // how many may wait; 0: any number
	waiting    atomic.Int64 // how many wait
	formedAt   atomic.Int64 // when the queue formed, in ns; 0 if it is empty
}

func newQueue(size int64, waits maxWaits) *queue {
	return &queue{sem: semaphore.NewWeighted(size), maxWaits: waits}
}

// full reports whether nobody else may wait.
func (q *queue) full() bool { return q.maxWaiting > 0 && q.waiting.Load() >= q.maxWaiting }

func (q *queue) take(ctx context.Context, amount int64) bool {
	if q.sem.TryAcquire(amount) {
		q.formedAt.Store(0)
		return true
	}
	q.waiting.Add(1)
	defer q.waiting.Add(-1)
	q.formedAt.CompareAndSwap(0, time.Now().UnixNano())
	wait := q.maxWaits.normal
	if time.Now().UnixNano()-q.formedAt.Load() > int64(wait) {
		wait = q.maxWaits.overloaded
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return q.sem.Acquire(ctx, amount) == nil
}

// reservation is the part that one request holds; it must be released.
type reservation struct {
	pool    *pool
	address string
	client  *client

	mu       sync.Mutex
	amount   int64
	paused   int // how many reads of the request wait; others may use the amount until none does
	released bool
}

// reserve returns an empty reservation for the client at this address.
func (p *pool) reserve(address string) *reservation {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, found := p.clients[address]
	if !found {
		// A long queue of one client does not mean overload.
		c = &client{queue: newQueue(p.perClient, sameWait(p.total.maxWaits.normal))}
		p.clients[address] = c
	}
	c.users++
	return &reservation{pool: p, address: address, client: c}
}

// take waits for more; false if it was not released in time, or too many wait already.
func (r *reservation) take(ctx context.Context, amount int64) bool {
	if r.pool.total.full() || !r.acquire(ctx, amount) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.amount += amount
	return true
}

func (r *reservation) acquire(ctx context.Context, amount int64) bool {
	if !r.client.take(ctx, amount) {
		return false
	}
	if !r.pool.total.take(ctx, amount) {
		r.client.sem.Release(amount)
		return false
	}
	return true
}

func (r *reservation) releaseAmount() {
	r.client.sem.Release(r.amount)
	r.pool.total.sem.Release(r.amount)
}

// Pause lets others use the amount until Resume. Reads of one request may overlap.
func (r *reservation) Pause() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.paused++; r.paused == 1 && !r.released {
		r.releaseAmount()
	}
}

// Resume waits for the amount again; false if it was not released in time, or the request has ended.
func (r *reservation) Resume(ctx context.Context) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paused--
	if r.paused > 0 || r.released {
		return !r.released
	}
	if !r.acquire(ctx, r.amount) {
		r.amount = 0
		return false
	}
	return true
}

// release returns everything.
func (r *reservation) release() {
	r.mu.Lock()
	if r.paused == 0 {
		r.releaseAmount()
	}
	r.released = true
	r.mu.Unlock()

	r.pool.mu.Lock()
	defer r.pool.mu.Unlock()
	if r.client.users--; r.client.users == 0 {
		delete(r.pool.clients, r.address)
	}
}
