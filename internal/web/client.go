package web

import (
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// ClientIP is the address for rate limits: the last one in X-Forwarded-For that is not a trusted proxy's, or the peer's
// if that is not a trusted proxy. Addresses further left could be forged and are never read. IPv6 addresses are cut to
// their /64, which is what one household or machine has.
func ClientIP(r *http.Request, trusted []netip.Prefix) string {
	client, ok := peerAddr(r)
	if !ok {
		return r.RemoteAddr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && contains(trusted, client); i-- {
		hop, ok := hopAddr(hops[i])
		if !ok {
			break
		}
		client = hop
	}
	if client.Is6() {
		return netip.PrefixFrom(client, 64).Masked().String()
	}
	return client.String()
}

// hopAddr is one address of X-Forwarded-For; some proxies add the visitor's port.
func hopAddr(hop string) (netip.Addr, bool) {
	hop = strings.TrimSpace(hop)
	addr, err := netip.ParseAddr(hop)
	if err != nil {
		var withPort netip.AddrPort
		withPort, err = netip.ParseAddrPort(hop)
		addr = withPort.Addr()
	}
	return addr.Unmap().WithZone(""), err == nil
}

// Secure reports whether the visitor's connection is encrypted: directly, or as a trusted proxy reports.
func Secure(r *http.Request, trusted []netip.Prefix) bool {
	if r.TLS != nil {
		return true
	}
	first, _, _ := strings.Cut(r.Header.Get("X-Forwarded-Proto"), ",") // each proxy of a chain may add its own
	return strings.EqualFold(strings.TrimSpace(first), "https") && fromTrusted(r, trusted)
}

// FromHere reports whether a request was made on this machine itself: neither by way of a proxy, nor by a name that
// leads here from elsewhere.
func FromHere(r *http.Request) bool {
	for name := range r.Header {
		if strings.HasPrefix(name, "X-Forwarded-") || name == "Forwarded" || name == "Via" {
			return false
		}
	}
	peer, ok := peerAddr(r)
	host, err := netip.ParseAddr(hostname(r))
	return ok && peer.IsLoopback() && (hostname(r) == "localhost" || err == nil && host.IsLoopback())
}

// hostname is the host that a request names, without its port.
func hostname(r *http.Request) string { return (&url.URL{Host: r.Host}).Hostname() }

// WarnOfHost logs, once, that visitors come to a public name although BASE_URL is none.
func WarnOfHost(log *slog.Logger, isPublic func(host string) bool) func(http.Handler) http.Handler {
	var once sync.Once
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if host := hostname(r); isPublic(host) {
				once.Do(func() { log.Warn("visitors come to a public name, and BASE_URL is none", "host", host) })
			}
			next.ServeHTTP(w, r)
		})
	}
}

// fromTrusted reports whether a request comes through a trusted proxy.
func fromTrusted(r *http.Request, trusted []netip.Prefix) bool {
	peer, ok := peerAddr(r)
	return ok && contains(trusted, peer)
}

func peerAddr(r *http.Request) (netip.Addr, bool) {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return peer.Addr().Unmap().WithZone(""), err == nil
}

func contains(prefixes []netip.Prefix, addr netip.Addr) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// WarnOfProxy logs, once an hour, that requests come through a proxy that is not trusted, or whose last address in
// X-Forwarded-For can't be read: all its visitors then count as one client, who is soon over every limit. Visitors
// could send the header, too, so only a trusted peer or one in a private network counts as a proxy.
func WarnOfProxy(log *slog.Logger, trusted []netip.Prefix) func(http.Handler) http.Handler {
	hourly := rate.Sometimes{Interval: time.Hour}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			forwarded := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
			if forwarded == "" {
				next.ServeHTTP(w, r)
				return
			}
			peer, ok := peerAddr(r)
			_, readable := hopAddr(forwarded[strings.LastIndexByte(forwarded, ',')+1:])
			fault := ""
			switch {
			case !ok:
			case contains(trusted, peer) && !readable:
				fault = "X-Forwarded-For of a proxy that TRUSTED_PROXIES names does not end in an address"
			case !contains(trusted, peer) && (peer.IsPrivate() || peer.IsLoopback()):
				fault = "TRUSTED_PROXIES does not name the proxy that requests come through"
			}
			if fault != "" {
				hourly.Do(func() { log.Warn(fault+": all visitors count as one client", "proxy", peer.String()) })
			}
			next.ServeHTTP(w, r)
		})
	}
}
