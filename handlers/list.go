package handlers

import (
	"net/http"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/routes"
	"zedcard/views"
	"zedcard/views/ui"
)

// A search with fewer results than fewFound also shows near misses: as many as fill two rows of four, or one alone.
const fewFound = 4

// showList shows a board, or all of them, with the filter in the address.
func (s *site) showList(w http.ResponseWriter, r *http.Request) error {
	roster, err := s.Catalog.Roster(r.Context())
	if err != nil {
		return err
	}
	screen := routeOf(r).Screen
	path := routes.ListFilter(screen)
	filter, selection := selectList(roster, routeOf(r).Lang, agency.ParseFilter(path, r.URL.Query()))

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
		shown := fewFound
		if selection.Total > 0 {
			shown = 2*fewFound - selection.Total
		}
		list.NearMisses = roster.NearMisses(filter, shown, s.Now())
	}
	if selection.Total == 0 && len(list.NearMisses) == 0 {
		list.Nearest = roster.Nearest(filter, s.Now())
	}
	page.Share = routes.SharePath(page.Lang, canonicalList(page.Screen))
	page.StructuredData = views.ListThings(page, list)
	if filter.View != agency.NamesView {
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
	if agency.OwnBoards() && page.Screen == routes.Models {
		return page.T("list.about.own", "agency", page.Agency, "boards", views.BoardNames(page))
	}
	switch page.Screen {
	case routes.Models, routes.AllTalents:
		return page.T("list.about.models", "agency", page.Agency)
	case routes.Creative:
		return page.T("list.about.creative", "agency", page.Agency)
	}
	return page.T("list.about.board", "board", page.Title, "agency", page.Agency)
}
