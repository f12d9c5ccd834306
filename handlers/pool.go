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
	sem      *semaphore.Weighted
	maxWaits maxWaits
	longest  int64        // how many may wait; 0: any number
	waiting  atomic.Int64 // how many wait
	formedAt atomic.Int64 // when the queue formed, in ns; 0 if it is empty
}

func newQueue(size int64, waits maxWaits) *queue {
	return &queue{sem: semaphore.NewWeighted(size), maxWaits: waits}
}

// full reports whether nobody else may wait.
func (q *queue) full() bool { return q.longest > 0 && q.waiting.Load() >= q.longest }

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
func (s *pool) reserve(address string) *reservation {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, found := s.clients[address]
	if !found {
		// A long queue of one client does not mean overload.
		c = &client{queue: newQueue(s.perClient, sameWait(s.total.maxWaits.normal))}
		s.clients[address] = c
	}
	c.users++
	return &reservation{pool: s, address: address, client: c}
}

// take waits for more; false if it was not released in time, or too many wait already.
func (h *reservation) take(ctx context.Context, amount int64) bool {
	if h.pool.total.full() || !h.acquire(ctx, amount) {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.amount += amount
	return true
}

func (h *reservation) acquire(ctx context.Context, amount int64) bool {
	if !h.client.take(ctx, amount) {
		return false
	}
	if !h.pool.total.take(ctx, amount) {
		h.client.sem.Release(amount)
		return false
	}
	return true
}

func (h *reservation) releaseAmount() {
	h.client.sem.Release(h.amount)
	h.pool.total.sem.Release(h.amount)
}

// Pause lets others use the amount until Resume. Reads of one request may overlap.
func (h *reservation) Pause() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.paused++; h.paused == 1 && !h.released {
		h.releaseAmount()
	}
}

// Resume waits for the amount again; false if it was not released in time, or the request has ended.
func (h *reservation) Resume(ctx context.Context) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.paused--
	if h.paused > 0 || h.released {
		return !h.released
	}
	if !h.acquire(ctx, h.amount) {
		h.amount = 0
		return false
	}
	return true
}

// release returns everything.
func (h *reservation) release() {
	h.mu.Lock()
	if h.paused == 0 {
		h.releaseAmount()
	}
	h.released = true
	h.mu.Unlock()

	h.pool.mu.Lock()
	defer h.pool.mu.Unlock()
	if h.client.users--; h.client.users == 0 {
		delete(h.pool.clients, h.address)
	}
}
