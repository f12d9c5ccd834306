package server

import (
	"container/list"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
)

// How many connections are open at most. Each takes some 65 KB while a header is on its way.
const (
	maxConnections = 8192
	maxOfClient    = 1024 // whole offices and mobile networks have one address
)

// connections are those of the public server. When there are too many, the one that has been idle for longest gives way
// to the next: of the same client, or of all. A header that is not yet there counts as idle.
type connections struct {
	proxies []netip.Prefix

	mu    sync.Mutex
	open  map[net.Conn]*connection
	of    map[netip.Addr]int // by client
	waits list.List          // the idle ones, as *connection, the longest first
}

type connection struct {
	net.Conn
	client netip.Addr    // the zero one: a proxy's
	place  *list.Element // in waits; nil: it is answered
}

func newConnections(proxies []netip.Prefix) *connections {
	return &connections{proxies: proxies, open: map[net.Conn]*connection{}, of: map[netip.Addr]int{}}
}

// add takes a new connection, and reports whether there was room.
func (all *connections) add(c net.Conn) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	added := &connection{Conn: c, client: all.clientOf(c)}
	if added.client.IsValid() && all.of[added.client] >= maxOfClient &&
		!all.closeIdle(func(c *connection) bool { return c.client == added.client }) {
		return false
	}
	if len(all.open) >= maxConnections && !all.closeIdle(func(*connection) bool { return true }) {
		return false
	}
	added.place = all.waits.PushBack(added)
	all.open[c] = added
	all.of[added.client]++
	return true
}

// clientOf is an IPv4 address or an IPv6 /64, which is what one household or machine has.
func (all *connections) clientOf(c net.Conn) netip.Addr {
	from, err := netip.ParseAddrPort(c.RemoteAddr().String())
	addr := from.Addr().Unmap().WithZone("")
	if err != nil || slices.ContainsFunc(all.proxies, func(p netip.Prefix) bool { return p.Contains(addr) }) {
		return netip.Addr{}
	}
	if addr.Is6() {
		return netip.PrefixFrom(addr, 64).Masked().Addr()
	}
	return addr
}

func (all *connections) closeIdle(is func(*connection) bool) bool {
	for place := all.waits.Front(); place != nil; place = place.Next() {
		if c := place.Value.(*connection); is(c) {
			all.remove(c)
			_ = c.Conn.Close()
			return true
		}
	}
	return false
}

func (all *connections) remove(c *connection) {
	delete(all.open, c.Conn)
	if all.of[c.client]--; all.of[c.client] == 0 {
		delete(all.of, c.client)
	}
	if c.place != nil {
		all.waits.Remove(c.place)
	}
}

// note is told of each change of a connection.
func (all *connections) note(of net.Conn, state http.ConnState) {
	all.mu.Lock()
	defer all.mu.Unlock()
	c, open := all.open[of]
	if !open {
		return // it gave way, or is the operator's
	}
	switch state {
	case http.StateActive:
		if c.place != nil {
			all.waits.Remove(c.place)
			c.place = nil
		}
	case http.StateIdle:
		if c.place == nil {
			c.place = all.waits.PushBack(c)
		}
	case http.StateClosed, http.StateHijacked:
		all.remove(c)
	case http.StateNew:
	}
}

func (all *connections) count() int {
	all.mu.Lock()
	defer all.mu.Unlock()
	return len(all.open)
}
