package middleware

import (
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"golang.org/x/time/rate"
)

// ClientIP is the address for rate limits: the last one in X-Forwarded-For that is not a trusted proxy's, or the peer's
// if that is not a trusted proxy. Addresses further left could be forged and are never read. IPv6 addresses are cut to
// their /64, which is what one household or machine has.
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

// Secure reports whether the visitor's connection is encrypted: directly, or as a trusted proxy reports.
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

// WarnOfUnknownProxy logs, once an hour, that requests come through a proxy that is not trusted: all its visitors then
// count as one client, who is soon over every limit. Visitors could send the header, too, so only a peer in a private
// network counts as a proxy.
func WarnOfUnknownProxy(log *slog.Logger, trusted []netip.Prefix) func(http.Handler) http.Handler {
	hourly := rate.Sometimes{Interval: time.Hour}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			peer, ok := peerAddr(r)
			isLocal := ok && (peer.IsPrivate() || peer.IsLoopback())
			if isLocal && r.Header.Get("X-Forwarded-For") != "" && !contains(trusted, peer) {
				hourly.Do(func() {
					log.Warn("TRUSTED_PROXIES does not name the proxy that requests come through: "+
						"all visitors count as one client", "proxy", peer.String())
				})
			}
			next.ServeHTTP(w, r)
		})
	}
}
