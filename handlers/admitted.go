package handlers

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"runtime"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/compress"
	"zedcard/internal/pagecache"
	"zedcard/internal/routes"
)

// errBusy says that more pages are requested than can be rendered.
var errBusy = fmt.Errorf("%w: too many pages are being made", agency.ErrUnavailable)

// admitted is a handler whose answer is made when there is room for it, compressed, and kept in a cache for others, if
// there is one. Crawlers that collect training data bypass that: they get a 404 for minors, which nobody else must
// see. What a client has not read of earlier answers counts: an answer is in memory until it was sent.
func (s *site) admitted(shared *pagecache.Cache, screen routes.Screen, answer handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		unread, ok := s.Admission.Answers.Enter(r.Context(), s.Client(r), 0)
		if !ok {
			return errBusy
		}
		defer unread.Close()
		pages := shared
		if isTrainer(r.UserAgent()) {
			pages = nil
		}
		made, err := pages.Make(r, string(screen), func(r *http.Request) (*pagecache.Answer, error) {
			page, ok := s.Admission.Pages.Enter(r.Context(), s.Client(r), 1)
			if !ok {
				return nil, errBusy
			}
			defer page.Close()
			// Go runs a goroutine that was waiting before all others, and so all pages in turn. The others are short:
			// requests to read, cached pages, refusals. They go first, or under overload they wait for seconds.
			runtime.Gosched()
			return pagecache.Render(r, pagecache.Handler(answer))
		})
		if err != nil {
			return err
		}
		unread.Add(made.Unkept())
		made.Send(w, r)
		return nil
	}
}

// busyPage identifies the page that says errBusy.
type busyPage struct {
	lang   *i18n.Language
	coding string
}

// refuse answers errBusy. Under overload that is most of the answers: the page is made once for each language and
// coding, and holds nothing of the visitor. Its link to try again is empty, which is the address of the page.
func (s *site) refuse(w http.ResponseWriter, r *http.Request) {
	lang, coding := s.routeOf(r).Lang, compress.Fast.Negotiate(r)
	page, made := s.busyPages.Load(busyPage{lang, coding})
	if !made {
		anonymous := &http.Request{URL: &url.URL{}, Header: http.Header{"Accept-Encoding": {coding}}}
		ctx := context.WithoutCancel(r.Context())
		page, _ = pagecache.Render(anonymous.WithContext(ctx), func(w http.ResponseWriter, r *http.Request) error {
			s.fail(w, r, http.StatusServiceUnavailable)
			return nil
		})
		s.busyPages.Store(busyPage{lang, coding}, page)
	}
	page.(*pagecache.Answer).Send(w, r)
}
