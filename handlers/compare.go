package handlers

import (
	"context"
	"net/http"
	"strings"
	"sync"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/routes"
	"zedcard/views"
)

// maxFound is how many talents the search for one more finds at most.
const maxFound = 5

// showCompare shows one to four talents side by side, with a search for one more (?q=), which adds who is the only one
// found. Without ids they are the session's. ?list=1,2,3, which may be for somebody (?for=), is the shared shortlist
// that they were chosen from.
func (s *server) showCompare(w http.ResponseWriter, r *http.Request) error {
	query := queryOf(r)
	page := s.page(r)
	ids := parseIDs(query["ids"]...)
	if len(query["ids"]) > 1 {
		to := routes.TalentsPath(page.Lang, routes.Compare, ids)
		if query.Del("ids"); len(query) > 0 {
			to += "&" + query.Encode()
		}
		return moved{to: to}
	}
	if !query.Has("ids") {
		ids = page.Saved
	}
	list, err := s.shortlist(r, ids)
	if err != nil {
		return err
	}
	list.Unread = query.Get("ids") != "" && len(ids) == 0
	list.List = parseIDs(query["list"]...)
	if list.For = strings.TrimSpace(query.Get("for")); !isRecipient(list.For) {
		list.For = ""
	}
	if list.IsFor() {
		keepPrivate(w)
	}
	lineup := views.NewLineup(&s.Site, list)
	if lineup.Search = query.Get("q"); lineup.Search != "" && len(lineup.Talents) > 0 {
		roster, err := s.Catalog.Roster(r.Context())
		if err != nil {
			return err
		}
		lineup.Found = roster.Named(lineup.Search, maxFound, lineup.Fits)
		if len(lineup.Found) == 1 && !wantsPart(r) { // not while it is typed
			redirect(w, http.StatusSeeOther, lineup.With(page, lineup.Found[0]))
			return nil
		}
	}
	s.addGalleries(r.Context(), lineup.Talents)
	markMinors(w, list)
	page.NoIndex = true
	page.Title = page.T("compare.title")
	page.Address = func(lang *i18n.Language) string { return routes.ComparePath(lang, ids, list.List, list.For) }
	return s.renderPage(w, r, page, views.Compare(page, lineup))
}

// addGalleries replaces listed talents, which have no pictures but a cover, with their full profiles. A talent whose
// profile is unavailable stays as listed.
func (s *server) addGalleries(ctx context.Context, listed []*agency.Talent) {
	var group sync.WaitGroup
	for i, t := range listed {
		group.Go(func() {
			if profile, err := s.Catalog.Talent(ctx, t.ID); err == nil {
				listed[i] = &profile
			}
		})
	}
	group.Wait()
}
