package admission

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// Limits are the bounds of a pool.
type Limits struct {
	Total, Share int64 // for all clients together, and for each of them
	Wait         time.Duration
	Queue        int // how many requests may wait, a quarter of them of one client; 0: any number
}

// Pool bounds one resource.
type Pool struct {
	limits Limits

	mu      sync.Mutex
	held    int64
	clients map[string]*client // those with a holding
	waiting []*Holding         // in the order in which they came
}

// client is what one client holds in a pool.
type client struct {
	held     int64
	worked   time.Duration // how long its past holdings lasted
	waiting  int
	holdings []*Holding
}

// NewPool makes an empty pool.
func NewPool(limits Limits) *Pool { return &Pool{limits: limits, clients: map[string]*client{}} }

// Holding is what one request holds.
type Holding struct {
	pool   *Pool
	name   string
	client *client
	opened time.Time

	amount   int64
	wanted   int64         // while it waits
	admitted chan struct{} // closed once it has what it wanted
	moved    time.Time     // when the client last did something for it
	drop     func()        // nil: it can't be dropped
}

// Open begins a holding of nothing for the client of this name. It must be closed.
func (p *Pool) Open(name string) *Holding {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, known := p.clients[name]
	if !known {
		c = &client{}
		p.clients[name] = c
	}
	now := time.Now()
	h := &Holding{pool: p, name: name, client: c, opened: now, moved: now}
	c.holdings = append(c.holdings, h)
	return h
}

// Enter begins a holding of this amount; false if there was no room in time.
func (p *Pool) Enter(ctx context.Context, name string, amount int64) (*Holding, bool) {
	h := p.Open(name)
	if h.Take(ctx, amount) {
		return h, true
	}
	h.Close()
	return nil, false
}

// Take waits for more; false if there was no room in time, or too many wait already. There is room until a bound is
// reached: what the last one takes may exceed it.
func (h *Holding) Take(ctx context.Context, amount int64) bool {
	p := h.pool
	p.mu.Lock()
	if q := p.limits.Queue; q > 0 && !p.fits(h.client) && (len(p.waiting) >= q || h.client.waiting >= (q+3)/4) {
		p.mu.Unlock()
		return false
	}
	h.wanted, h.admitted = amount, make(chan struct{})
	p.waiting = append(p.waiting, h)
	h.client.waiting++
	p.admit()
	p.mu.Unlock()
	return h.wait(ctx)
}

// dropCheck is how often a request that waits looks for a holding to drop.
const dropCheck = time.Second

func (h *Holding) wait(ctx context.Context) bool {
	select {
	case <-h.admitted:
		return true
	default:
	}
	p := h.pool
	ctx, cancel := context.WithTimeout(ctx, p.limits.Wait)
	defer cancel()
	checks := time.NewTicker(dropCheck)
	defer checks.Stop()
	for {
		select {
		case <-h.admitted:
			return true
		case <-checks.C:
			p.dropSlowest(h.client)
		case <-ctx.Done():
			p.mu.Lock()
			defer p.mu.Unlock()
			i := slices.Index(p.waiting, h)
			if i >= 0 { // otherwise it was admitted just now
				p.leave(i)
			}
			return i < 0
		}
	}
}

// leave takes a holding out of the queue.
func (p *Pool) leave(i int) *Holding {
	h := p.waiting[i]
	p.waiting = slices.Delete(p.waiting, i, i+1)
	h.client.waiting--
	return h
}

func (p *Pool) fits(c *client) bool { return p.held < p.limits.Total && c.held < p.limits.Share }

// admit serves those that wait as long as there is room: first whose client holds least, then whose client worked
// least, then who came first.
func (p *Pool) admit() {
	for {
		next := -1
		for i, h := range p.waiting {
			if p.fits(h.client) && (next < 0 || h.client.before(p.waiting[next].client)) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		h := p.leave(next)
		h.add(h.wanted)
		close(h.admitted)
	}
}

func (c *client) before(other *client) bool {
	if c.held != other.held {
		return c.held < other.held
	}
	return c.worked < other.worked
}

func (h *Holding) add(amount int64) {
	h.amount += amount
	h.client.held += amount
	h.pool.held += amount
	h.moved = time.Now()
}

// Add changes the amount without waiting, for what turned out larger, or by a negative number for what is given back.
func (h *Holding) Add(amount int64) {
	h.pool.mu.Lock()
	defer h.pool.mu.Unlock()
	h.add(amount)
	h.pool.admit()
}

// Close gives everything back.
func (h *Holding) Close() {
	p := h.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	h.add(-h.amount)
	c := h.client
	c.worked += time.Since(h.opened)
	c.holdings = slices.DeleteFunc(c.holdings, func(other *Holding) bool { return other == h })
	if len(c.holdings) == 0 {
		delete(p.clients, h.name)
	}
	p.admit()
}

// slow is how long a client may do nothing for a holding before it can be dropped.
const slow = 3 * time.Second

// DropIfSlow lets the pool call drop, which makes the owner close the holding soon, when others wait for room and this
// holding is the one whose client has taken nothing for longest. nil protects the holding while its client is not to
// blame for the time that passes.
func (h *Holding) DropIfSlow(drop func()) {
	h.pool.mu.Lock()
	defer h.pool.mu.Unlock()
	h.drop, h.moved = drop, time.Now()
}

// dropSlowest drops the slowest holding that takes room from a request of this client: one of its own if it has used up
// its share, otherwise anybody's.
func (p *Pool) dropSlowest(waiting *client) {
	p.mu.Lock()
	defer p.mu.Unlock()
	clients := []*client{waiting}
	if waiting.held < p.limits.Share {
		clients = slices.Collect(maps.Values(p.clients))
	}
	var slowest *Holding
	for _, c := range clients {
		for _, h := range c.holdings {
			if h.drop != nil && h.amount > 0 && time.Since(h.moved) > slow &&
				(slowest == nil || h.moved.Before(slowest.moved)) {
				slowest = h
			}
		}
	}
	if slowest != nil {
		slowest.drop()
		slowest.drop = nil
	}
}
