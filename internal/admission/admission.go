// Package admission knows what each client holds at the moment: bytes in memory and work in hand. What all clients hold
// together is bounded, and so is each client's share, so that one client never takes the room of the others.
package admission

import (
	"runtime"
	"time"
)

// Desk has a pool for everything that clients hold. A client is an address, or a network of IPv6.
type Desk struct {
	// Forms is bytes of forms: what was received of them, and cleaned photos that wait for the rest of their form.
	Forms *Pool
	// Answers is bytes of answers made for one request that its client has not received yet.
	Answers *Pool
	// Pages is pages being made.
	Pages *Pool
	// Photos is photos being cleaned.
	Photos *Pool
	// Cards is downloads of composite cards being made.
	Cards *Pool
	// LongDownloads is those of several cards. They leave one of Cards for single ones.
	LongDownloads *Pool
	// Downloads is bytes on the disk of cards that are being sent.
	Downloads *Pool
}

// Defaults of the pools of memory, in bytes.
const (
	// formMemory has room for two clients that send as much as they may, and for ten applications as they usually are.
	formMemory = 128 << 20
	// answerMemory is what clients that read slowly may leave unread. What a fast one reads is held for an instant.
	answerMemory = 64 << 20
)

// New makes the pools that the site has by default.
func New() *Desk {
	processors := int64(runtime.GOMAXPROCS(0))
	return &Desk{
		Forms:   NewPool(Limits{Total: formMemory, Share: formMemory / 2, Wait: 10 * time.Second}),
		Answers: NewPool(Limits{Total: answerMemory, Share: answerMemory / 8, Wait: 2 * time.Second}),
		// More pages than processors, because some wait for a back end. The queue is about what is made in a quarter of
		// a second: a quick refusal is better than a longer one.
		Pages: NewPool(Limits{
			Total: 8 * processors, Share: 4 * processors, Wait: 2 * time.Second, Queue: 256 * int(processors),
		}),
		// One processor stays free for pages.
		Photos:        NewPool(Limits{Total: max(1, processors-1), Share: 1, Wait: time.Minute}),
		Cards:         NewPool(Limits{Total: 4, Share: 2, Wait: 7 * time.Second}),
		LongDownloads: NewPool(Limits{Total: 3, Share: 1, Wait: 7 * time.Second}),
		Downloads:     NewPool(Limits{Total: 1 << 30, Share: 256 << 20}),
	}
}
