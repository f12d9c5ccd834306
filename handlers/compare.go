package handlers

import (
	"context"
	"net/http"
	"slices"
	"sync"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/routes"
	"zedcard/views"
)

// maxFound is how many talents the search for one more finds at most.
const maxFound = 5

// showCompare shows one to four talents side by side, with a search for one more (?q=). Without a script a form sends
// each id in a parameter of its own and is redirected to the address with all ids in one. Without ids it shows the
// choice of talents: those that ?of=1,2,3 names, or the session's.
func (s *site) showCompare(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	ids := parseIDs(query["ids"]...)
	if len(ids) > 1 && (len(query["ids"]) > 1 || query.Has("of")) {
		return moved{to: routes.TalentsPath(routeOf(r).Lang, routes.Compare, ids)}
	}
	page := s.page(r)
	list, err := s.shortlist(r, ids)
	if err != nil {
		return err
	}
	choices := views.Shortlist{}
	if len(list.Talents) == 0 || len(list.Talents) == 1 && query.Has("of") {
		candidates := parseIDs(append(query["of"], ids...)...)
		if len(candidates) < 2 {
			candidates = parseIDs(append(page.Saved, candidates...)...)
		}
		if choices, err = s.shortlist(r, candidates); err != nil {
			return err
		}
	}
	lineup := views.NewLineup(list)
	if lineup.Search = query.Get("q"); lineup.Search != "" && len(lineup.Talents) > 0 {
		roster, err := s.Catalog.Roster(r.Context())
		if err != nil {
			return err
		}
		lineup.Found = roster.Named(lineup.Search, maxFound, lineup.Fits)
	}
	s.addGalleries(r.Context(), lineup.Talents)
	markMinors(w, list, slices.Concat(choices.Talents, lineup.Found)...)
	page.NoIndex = true
	page.Title = page.T("compare.title")
	page.Address = func(lang i18n.Lang) string { return routes.TalentsPath(lang, routes.Compare, ids) }
	return s.renderPage(w, r, page, views.Compare(page, lineup, choices))
}

// addGalleries replaces listed talents, which have no pictures but a cover, with their full profiles. A talent whose
// profile is unavailable stays as listed.
func (s *site) addGalleries(ctx context.Context, listed []*agency.Talent) {
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
