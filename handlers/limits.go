package handlers

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"time"

	"github.com/go-chi/httprate"
	"golang.org/x/sync/semaphore"

	"zedcard/internal/agency"
	"zedcard/internal/routes"
	"zedcard/internal/web"
)

// Limits are what all visitors may do at once, and what one client may do in a time. They belong to the program, so
// that an edit of the agency's folder does not begin them anew.
type Limits struct {
	photos *semaphore.Weighted // of applicants, being cleaned
	cards  *semaphore.Weighted // composite cards and packs being made; several cards weigh two
	pages  *semaphore.Weighted // not kept, being made: more than processors, because some wait for a back end
	forms  *semaphore.Weighted // bytes of forms in memory

	contacts, applications, confirmations, checks, tokens, downloads, packs rates
}

// NewLimits are those of a program. What one client posts is wide: a school, an open casting or everybody behind one
// mobile operator's address is one client too, and a form that comes back with an error is posted again.
func NewLimits() *Limits {
	processors := int64(runtime.GOMAXPROCS(0))
	return &Limits{
		photos: semaphore.NewWeighted(processors), cards: semaphore.NewWeighted(4),
		pages: semaphore.NewWeighted(8 * processors), forms: semaphore.NewWeighted(formMemory),

		contacts: within(30, 300), applications: within(30, 120), confirmations: within(30, 300),
		checks: within(30, 300), tokens: within(30, 300), downloads: within(30, 300),
		packs: rates{rateOf(10, 10*time.Minute)},
	}
}

// formMemory is in bytes: two applications as large as one may be, or ten as they usually are.
const formMemory = 128 << 20

// How long a visitor waits for room. An application that has arrived waits for longer, since it took minutes to send.
const (
	roomWait  = 2 * time.Second
	photoWait = 30 * time.Second
)

// errBusy says that there is no room for another one.
var errBusy = fmt.Errorf("%w: too much at once", agency.ErrUnavailable)

// enter waits for room; errBusy if there was none in time.
func enter(ctx context.Context, room *semaphore.Weighted, weight int64, wait time.Duration) error {
	if room.TryAcquire(weight) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if room.Acquire(ctx, weight) != nil {
		return errBusy
	}
	return nil
}

// rate is how often a client may do something: an IPv4 address, an IPv6 /64, and ten times as often an IPv6 /48.
type rate struct{ clients, networks *httprate.RateLimiter }

type rates []rate

func rateOf(times int, per time.Duration) rate {
	headers := httprate.WithResponseHeaders(httprate.ResponseHeaders{RetryAfter: "Retry-After"})
	return rate{httprate.NewRateLimiter(times, per, headers), httprate.NewRateLimiter(10*times, per, headers)}
}

func within(minute, hour int) rates {
	return rates{rateOf(minute, time.Minute), rateOf(hour, time.Hour)}
}

// exceeded counts what a client does, and reports whether it is over a limit.
func (l rates) exceeded(w http.ResponseWriter, r *http.Request, client string) bool {
	network, err := netip.ParsePrefix(client)
	return slices.ContainsFunc(l, func(rate rate) bool {
		return rate.clients.OnLimit(w, r, client) ||
			err == nil && rate.networks.OnLimit(w, r, netip.PrefixFrom(network.Addr(), 48).Masked().String())
	})
}

// admitted is a handler whose answer is made when there is room for it, compressed, and kept in a cache for others, if
// there is one. Crawlers that collect training data bypass that: they get a 404 for minors, which nobody else must see.
func (s *server) admitted(shared *web.PageCache, screen routes.Screen, answer handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		pages := shared
		if isTrainer(r.UserAgent()) {
			pages = nil
		}
		made, err := pages.Make(r, string(screen), func(r *http.Request) (*web.Answer, error) {
			if err := enter(r.Context(), s.Limits.pages, 1, roomWait); err != nil {
				return nil, err
			}
			defer s.Limits.pages.Release(1)
			return web.Render(r, web.Handler(answer))
		})
		if err == nil {
			made.Send(w, r)
		}
		return err
	}
}
