package app

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"zedcard/internal/server"
)

// siteInterval is how often the folder is asked whether the agency has decided something else.
const siteInterval = time.Second

// live is the site as its folder is now: when what the agency decides has changed, its handlers are made anew.
type live struct{ made atomic.Pointer[answers] }

type answers struct {
	http.Handler
	unreadable server.ErrorPage
}

// newLive makes the handlers, and until ctx ends again after each change.
func newLive(ctx context.Context, s site) *live {
	decided := s.backEnds.folder.Site()
	l := &live{}
	l.made.Store(publicHandler(s))
	go func() {
		for tick := time.Tick(siteInterval); ; {
			select {
			case <-ctx.Done():
				return
			case <-tick:
			}
			if now := s.backEnds.folder.Site(); now != decided {
				decided = now
				s.content.RemakeRoster()
				if s.drafts != nil {
					s.drafts.RemakeRoster()
				}
				l.made.Store(publicHandler(s))
			}
		}
	}()
	return l
}

// ServeHTTP answers with the site as it is now.
func (l *live) ServeHTTP(w http.ResponseWriter, r *http.Request) { l.made.Load().ServeHTTP(w, r) }

// unreadable gives the error page of a request that reaches no handler.
func (l *live) unreadable(path string, status int) *http.Response {
	return l.made.Load().unreadable(path, status)
}
