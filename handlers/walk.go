package handlers

import (
	"context"
	"net/http"
	"slices"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/catalog"
	"zedcard/internal/web"
	"zedcard/views"
)

// walk is a talent's place in the list that the address names, or else in its own; nil where it is in neither.
func (s *server) walk(r *http.Request, roster *catalog.Roster, t *agency.Talent) *views.ListPosition {
	home := s.Site.Boards.HomeList(t)
	filter, ok := s.Site.Routes.ParseReferringList(s.routeOf(r).Lang, r.URL.Query())
	if !ok {
		filter = home
	}
	walk := s.positionIn(roster, s.routeOf(r).Lang, filter, t)
	if walk == nil && ok {
		walk = s.positionIn(roster, s.routeOf(r).Lang, home, t)
	}
	if walk != nil && ok {
		walk.Chosen = true
		s.preloadNext(r, walk)
	}
	return walk
}

func (s *server) positionIn(
	roster *catalog.Roster, lang *i18n.Language, filter agency.Filter, t *agency.Talent,
) *views.ListPosition {
	filter, selection := s.selectAll(roster, lang, filter)
	talents := selection.Items
	at := slices.IndexFunc(talents, func(other *agency.Talent) bool { return other.ID == t.ID })
	if at < 0 {
		return nil
	}
	walk := &views.ListPosition{Filter: filter, ID: t.ID, Position: at + 1, Total: len(talents)}
	if at > 0 {
		walk.Previous = talents[at-1]
	}
	if at+1 < len(talents) {
		walk.Next = talents[at+1]
	}
	return walk
}

// preloadNext loads the next profile early, so that the page can preload its first picture. A minor's picture is
// fetched only when the profile is opened.
func (s *server) preloadNext(r *http.Request, walk *views.ListPosition) {
	if walk.Next == nil {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), optionalWait)
	defer cancel()
	next, err := s.Catalog.Talent(ctx, walk.Next.ID)
	if err != nil || next.Partial {
		web.MarkIncomplete(r.Context())
		return
	}
	if next.Minor(s.Now()) {
		return
	}
	walk.NextProfile = views.Profile{Talent: &next, Measures: s.sheet(r)}
	walk.NextProfile.Open = walk.NextProfile.OpenGallery("")
}
