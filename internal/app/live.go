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
func newLive(ctx context.Context, s site) (*live, error) {
	decided := s.backEnds.folder.Site()
	l := &live{}
	if err := l.use(s); err != nil {
		return nil, err
	}
	go func() {
		for tick := time.Tick(siteInterval); ; {
			select {
			case <-ctx.Done():
				return
			case <-tick:
			}
			if now := s.backEnds.folder.Site(); now != decided {
				decided = now
				s.content.UseBoards()
				if s.drafts != nil {
					s.drafts.UseBoards()
				}
				if err := l.use(s); err != nil {
					s.Log.Error("the site stays as it was", "error", err)
				}
			}
		}
	}()
	return l, nil
}

func (l *live) use(s site) error {
	handler, unreadable, err := publicHandler(s)
	if err == nil {
		l.made.Store(&answers{handler, unreadable})
	}
	return err
}

// ServeHTTP answers with the site as it is now.
func (l *live) ServeHTTP(w http.ResponseWriter, r *http.Request) { l.made.Load().ServeHTTP(w, r) }

// unreadable gives the error page of a request that reaches no handler.
func (l *live) unreadable(path string, status int) *http.Response {
	return l.made.Load().unreadable(path, status)
}
