package handlers

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// shares bounds the use of a limited resource, for all clients together and for each of them, so that one client can't
// take all of it.
type shares struct {
	all       *semaphore.Weighted
	perClient int64
	wait      time.Duration // the longest wait for a part to be released

	mu      sync.Mutex
	clients map[string]*client // those that hold a part or wait for one
}

type client struct {
	share *semaphore.Weighted
	users int
}

func newShares(all, perClient int64, wait time.Duration) *shares {
	return &shares{all: semaphore.NewWeighted(all), perClient: perClient, wait: wait, clients: map[string]*client{}}
}

// holding is the part that one request holds; it must be released.
type holding struct {
	shares  *shares
	address string
	client  *client
	amount  int64
}

// open begins an empty holding for the client at this address.
func (s *shares) open(address string) *holding {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, known := s.clients[address]
	if !known {
		c = &client{share: semaphore.NewWeighted(s.perClient)}
		s.clients[address] = c
	}
	c.users++
	return &holding{shares: s, address: address, client: c}
}

// take waits for more; false if it was not released in time.
func (h *holding) take(ctx context.Context, amount int64) bool {
	ctx, cancel := context.WithTimeout(ctx, h.shares.wait)
	defer cancel()
	if h.client.share.Acquire(ctx, amount) != nil {
		return false
	}
	if h.shares.all.Acquire(ctx, amount) != nil {
		h.client.share.Release(amount)
		return false
	}
	h.amount += amount
	return true
}

// release returns everything.
func (h *holding) release() {
	h.client.share.Release(h.amount)
	h.shares.all.Release(h.amount)
	h.amount = 0
	h.shares.mu.Lock()
	defer h.shares.mu.Unlock()
	if h.client.users--; h.client.users == 0 {
		delete(h.shares.clients, h.address)
	}
}
