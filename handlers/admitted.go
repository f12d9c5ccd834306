package handlers

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strconv"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/middleware"
	"zedcard/internal/pagecache"
	"zedcard/internal/routes"
)

// errBusy says that more pages are requested than can be rendered.
var errBusy = fmt.Errorf("%w: too many pages are being made", agency.ErrUnavailable)

// admitted is a handler whose answer is made when there is room for it, compressed, and shared with others if the
// screen allows it. Crawlers that collect training data bypass that: they get a 404 for minors, which nobody else must
// see. What a client has not read of earlier answers counts: an answer is in memory until it was sent.
func (s *site) admitted(screen routes.Screen, answer handler) handler {
	shared := slices.Contains(sharedScreens, screen)
	return func(w http.ResponseWriter, r *http.Request) error {
		unread, ok := s.Admission.Answers.Enter(r.Context(), s.Client(r), 0)
		if !ok {
			return errBusy
		}
		defer unread.Close()
		pages := s.Pages
		if !shared || isTrainer(r.UserAgent()) {
			pages = nil
		}
		made, err := pages.Make(r, string(screen), s.whenAdmitted(answer))
		if err != nil {
			return err
		}
		unread.Add(made.Unkept())
		made.Send(w, r)
		return nil
	}
}

// whenAdmitted makes a page, with its compression, when there is room for it; errBusy if the wait is too long.
func (s *site) whenAdmitted(answer handler) pagecache.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		page, ok := s.Admission.Pages.Enter(r.Context(), s.Client(r), 1)
		if !ok {
			return errBusy
		}
		defer page.Close()
		// Go runs a goroutine that was waiting before all others, and so all pages in turn. The others are short:
		// requests to read, cached pages, refusals. They go first, or under overload they wait for seconds.
		runtime.Gosched()
		var err error
		middleware.Compress(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			err = answer(w, r)
		})).ServeHTTP(w, r)
		return err
	}
}

// busyPageKey is everything that a page depends on that answers errBusy. It holds nothing of the visitor, and its link
// to try again is empty, which is the address of the page: one serves all who are refused.
type busyPageKey struct {
	lang    i18n.Lang
	coding  string
	version pagecache.Version
}

// refuse answers errBusy. Under overload that is most of the answers: it must cost next to nothing.
func (s *site) refuse(w http.ResponseWriter, r *http.Request) {
	version, _ := r.Context().Value(versionKey{}).(pagecache.Version)
	key := busyPageKey{routeOf(r).Lang, middleware.Negotiate(r), version}
	render := func(ctx context.Context) ([]byte, error) { return s.renderBusy(ctx, key) }
	body, err := s.busyPages.Load(context.WithoutCancel(r.Context()), key, render)
	if err != nil {
		s.Log.Error("error page failed", "error", err)
		s.fail(w, r, http.StatusServiceUnavailable)
		return
	}
	if key.coding != "" {
		w.Header().Set("Content-Encoding", key.coding)
	}
	w.Header().Add("Vary", "Accept-Encoding")
	w.Header().Set("Content-Length", strconv.Itoa(len(body))) // without it net/http writes three times as often
	writeUnstored(w, http.StatusServiceUnavailable, body)
}

// renderBusy renders and compresses such a page.
func (s *site) renderBusy(ctx context.Context, key busyPageKey) ([]byte, error) {
	anonymous := (&http.Request{URL: &url.URL{}}).WithContext(ctx)
	return withoutPanic(func() ([]byte, error) {
		var body bytes.Buffer
		if err := s.failure(anonymous, http.StatusServiceUnavailable).Render(ctx, &body); err != nil {
			return nil, err
		}
		if key.coding == "" {
			return body.Bytes(), nil
		}
		return middleware.CompressWell(key.coding, body.Bytes()), nil
	})
}
