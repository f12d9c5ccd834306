package handlers

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// shares bounds the use of a limited resource, for all clients together and for each of them, so that one client can't
// take all of it.
type shares struct {
	all       *queue
	perClient int64

	mu      sync.Mutex
	clients map[string]*client // those that hold a part or wait for one
}

// waits are the longest waits for a part to be released. A queue that has not been empty for longer than the usual wait
// is no burst: more is asked for than can be done. New requests then wait only briefly, so that most are refused at
// once and the others are served soon (controlled delay: Maurer, "Fail at Scale", ACM Queue 13, 2015).
type waits struct{ usual, overloaded time.Duration }

// always is the same wait under overload.
func always(wait time.Duration) waits { return waits{wait, wait} }

type client struct {
	*queue
	users int
}

func newShares(all, perClient int64, waits waits) *shares {
	return &shares{all: newQueue(all, waits), perClient: perClient, clients: map[string]*client{}}
}

// queue is of requests that wait for the same resource.
type queue struct {
	free    *semaphore.Weighted
	waits   waits
	longest int64        // as many may wait; 0: any number
	waiting atomic.Int64 // as many wait
	since   atomic.Int64 // when the queue formed, in ns; 0 if it is empty
}

func newQueue(size int64, waits waits) *queue {
	return &queue{free: semaphore.NewWeighted(size), waits: waits}
}

// full reports whether nobody else may wait.
func (q *queue) full() bool { return q.longest > 0 && q.waiting.Load() >= q.longest }

func (q *queue) take(ctx context.Context, amount int64) bool {
	if q.free.TryAcquire(amount) {
		q.since.Store(0)
		return true
	}
	q.waiting.Add(1)
	defer q.waiting.Add(-1)
	q.since.CompareAndSwap(0, time.Now().UnixNano())
	wait := q.waits.usual
	if time.Now().UnixNano()-q.since.Load() > int64(wait) {
		wait = q.waits.overloaded
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return q.free.Acquire(ctx, amount) == nil
}

// holding is the part that one request holds; it must be released.
type holding struct {
	shares  *shares
	address string
	client  *client

	mu       sync.Mutex
	amount   int64
	paused   int // how many reads of the request wait; others may use the amount until none does
	released bool
}

// open begins an empty holding for the client at this address.
func (s *shares) open(address string) *holding {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, known := s.clients[address]
	if !known {
		// A long queue of one client is no overload.
		c = &client{queue: newQueue(s.perClient, always(s.all.waits.usual))}
		s.clients[address] = c
	}
	c.users++
	return &holding{shares: s, address: address, client: c}
}

// take waits for more; false if it was not released in time, or too many wait already.
func (h *holding) take(ctx context.Context, amount int64) bool {
	if h.shares.all.full() || !h.acquire(ctx, amount) {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.amount += amount
	return true
}

func (h *holding) acquire(ctx context.Context, amount int64) bool {
	if !h.client.take(ctx, amount) {
		return false
	}
	if !h.shares.all.take(ctx, amount) {
		h.client.free.Release(amount)
		return false
	}
	return true
}

func (h *holding) giveBack() {
	h.client.free.Release(h.amount)
	h.shares.all.free.Release(h.amount)
}

// Pause lets others use the amount until Resume. Reads of one request may overlap.
func (h *holding) Pause() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.paused++; h.paused == 1 && !h.released {
		h.giveBack()
	}
}

// Resume waits for the amount again; false if it was not released in time, or the request has ended.
func (h *holding) Resume(ctx context.Context) bool {
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
func (h *holding) release() {
	h.mu.Lock()
	if h.paused == 0 {
		h.giveBack()
	}
	h.released = true
	h.mu.Unlock()

	h.shares.mu.Lock()
	defer h.shares.mu.Unlock()
	if h.client.users--; h.client.users == 0 {
		delete(h.shares.clients, h.address)
	}
}
