package handlers

import (
	"net/http"
	"slices"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/routes"
	"zedcard/views"
	"zedcard/views/ui"
)

// A search with fewer results than fewFound also shows up to nearShown near misses.
const (
	fewFound  = 4
	nearShown = 4
)

// showList shows a board, or all of them, with the filter in the address.
func (s *site) showList(w http.ResponseWriter, r *http.Request) error {
	roster, err := s.Catalog.Roster(r.Context())
	if err != nil {
		return err
	}
	screen := routeOf(r).Screen
	path := routes.ListFilter(screen)
	filter := agency.ParseFilter(path, r.URL.Query())
	selection := roster.Select(filter)
	if filter.View == agency.NamesView {
		filter, selection = namesOf(roster, filter)
	}

	page := s.page(r)
	page.Screen = routes.ListScreen(filter)
	page.Title, page.SearchTitle = views.ListTitle(page, page.Screen), views.ListSearchTitle(page, page.Screen)
	page.Description = listAbout(page)
	page.Address = func(lang i18n.Lang) string { return routes.List(lang, filter) }
	page.Canonical = func(lang i18n.Lang) string { return routes.Path(lang, canonicalList(screen)) }
	page.NoIndex = screen == routes.AllTalents || selection.Total == 0
	list := views.List{
		Filter:   filter,
		Total:    selection.Total,
		Letters:  selection.Letters,
		Hair:     selection.Hair,
		Eyes:     selection.Eyes,
		Talents:  selection.Items,
		Measures: s.sheet(r),
	}
	if selection.Total < fewFound {
		list.NearMisses = roster.NearMisses(filter, nearShown, s.Now())
	}
	page.Share = routes.SharePath(page.Lang, canonicalList(page.Screen))
	all := list // also those whom the index of names leaves out
	page.StructuredData = func() []views.Thing { return views.ListThings(page, all) }
	if filter.View == agency.NamesView {
		list.Talents = slices.Clone(list.Talents)
		sortByName(page.Lang, list.Talents)
		list.Talents = list.Talents[:min(len(list.Talents), namesShown)]
	} else {
		s.prefetchCover(list.Talents)
	}
	return s.renderPage(w, r, page, views.TalentList(page, list))
}

// prefetchCover starts making the first picture of a page of cards.
func (s *site) prefetchCover(talents []*agency.Talent) {
	if len(talents) > 0 && talents[0].Cover.File != "" {
		s.Pictures.Prefetch(talents[0].Cover, ui.Card)
	}
}

// canonicalList is the screen that search engines keep of a list: a list without a category
// filter is kept as the models'.
func canonicalList(screen routes.Screen) routes.Screen {
	if screen == routes.AllTalents {
		return routes.Models
	}
	return screen
}

func listAbout(page *views.Page) string {
	switch page.Screen {
	case routes.Models, routes.AllTalents:
		return page.T("list.about.models", "agency", page.Agency)
	case routes.Creative:
		return page.T("list.about.creative", "agency", page.Agency)
	}
	return page.T("list.about.board", "board", page.Title, "agency", page.Agency)
}
