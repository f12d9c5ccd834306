package middleware

import (
	"net/http"
	"net/netip"
	"strings"
)

// ClientIP is the address that a rate limit counts by: the last one in X-Forwarded-For that no
// trusted proxy put its own name to, or the peer's where the peer is none. What stands further
// left in the header is the visitor's own claim and never read. IPv6 is cut to its /64, which is
// what one household or machine has.
func ClientIP(r *http.Request, trusted []netip.Prefix) string {
	peer, ok := peerAddr(r)
	if !ok {
		return r.RemoteAddr
	}
	client := peer
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && contains(trusted, client); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		client = hop.Unmap().WithZone("")
	}
	if client.Is6() {
		return netip.PrefixFrom(client, 64).Masked().String()
	}
	return client.String()
}

// Secure reports whether the visitor's connection is encrypted: to us, or to a trusted proxy
// that says so.
func Secure(r *http.Request, trusted []netip.Prefix) bool {
	if r.TLS != nil {
		return true
	}
	peer, ok := peerAddr(r)
	return ok && contains(trusted, peer) && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

func peerAddr(r *http.Request) (netip.Addr, bool) {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return peer.Addr().Unmap().WithZone(""), err == nil
}

func contains(prefixes []netip.Prefix, addr netip.Addr) bool {
	for _, p := range prefixes {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}
