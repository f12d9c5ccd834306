package handlers

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// An application at work holds the photo that is being cleaned and those that are: 40 MB at worst. More than these at
// once wait with their bodies unread, which costs nothing; one client can't take all the places, so that a few slow
// senders at one address don't close the form to everybody else.
const (
	uploadsAtOnce    = 16
	uploadsOfAClient = 8
	uploadWait       = time.Minute // twenty applications at once take 40 s of one core
)

// uploads lets applications in.
type uploads struct {
	places *semaphore.Weighted
	wait   time.Duration

	mu sync.Mutex
	of map[string]*client // those who are sending or waiting
}

type client struct {
	places *semaphore.Weighted
	users  int
}

func newUploads(wait time.Duration) *uploads {
	return &uploads{places: semaphore.NewWeighted(uploadsAtOnce), wait: wait, of: map[string]*client{}}
}

// enter waits for a place; false when none came free in time.
func (u *uploads) enter(ctx context.Context, address string) (leave func(), ok bool) {
	ctx, cancel := context.WithTimeout(ctx, u.wait)
	defer cancel()
	who := u.come(address)
	if who.places.Acquire(ctx, 1) != nil {
		u.depart(address, who)
		return nil, false
	}
	if u.places.Acquire(ctx, 1) != nil {
		who.places.Release(1)
		u.depart(address, who)
		return nil, false
	}
	return func() {
		u.places.Release(1)
		who.places.Release(1)
		u.depart(address, who)
	}, true
}

func (u *uploads) come(address string) *client {
	u.mu.Lock()
	defer u.mu.Unlock()
	who, known := u.of[address]
	if !known {
		who = &client{places: semaphore.NewWeighted(uploadsOfAClient)}
		u.of[address] = who
	}
	who.users++
	return who
}

func (u *uploads) depart(address string, who *client) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if who.users--; who.users == 0 {
		delete(u.of, address)
	}
}
