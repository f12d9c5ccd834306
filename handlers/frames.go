package handlers

import (
	"net/http"

	"github.com/a-h/templ"

	"zedcard/internal/pagecache"
	"zedcard/internal/routes"
	"zedcard/views"
)

// showFrames gives the pictures that a talent's card shows beside its cover, as HTML for a script. Like the profile, a
// minor's is not cached.
func (s *site) showFrames(w http.ResponseWriter, r *http.Request) error {
	t, err := s.talent(r, routes.TalentFrames)
	if err != nil {
		return err
	}
	page, minor := s.page(r), s.sheet(r).Minor(t)
	body, err := s.render(w, r, views.Frames(page, t, minor))
	if err != nil {
		return err
	}
	defer templ.ReleaseBuffer(body)
	switch {
	case minor:
		markMinor(w)
	case t.Partial: // complete in a moment
		w.Header().Set("Cache-Control", "no-store")
	default:
		pagecache.MarkCacheable(r.Context(), routes.TalentFrames(page.Lang, t))
	}
	w.Header().Add("X-Robots-Tag", "noindex")
	return s.send(w, r, "text/html; charset=utf-8", body.Bytes())
}
