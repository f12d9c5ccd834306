package handlers

import (
	"net/http"
	"slices"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/catalog"
	"zedcard/internal/routes"
	"zedcard/views"
)

// A search with fewer results than fewFound also shows near misses: as many as fill two rows of four, or one alone.
const fewFound = 4

// showList shows a board, or all of them, with the filter in the address.
func (s *server) showList(w http.ResponseWriter, r *http.Request) error {
	roster, err := s.Catalog.Roster(r.Context())
	if err != nil {
		return err
	}
	screen := s.routeOf(r).Screen
	path := s.Site.Routes.ListFilter(screen)
	lang := s.routeOf(r).Lang
	filter := agency.ParseFilter(path, agency.AlphabetOf(lang), r.URL.Query())
	if filter.OfMinors() {
		w.Header().Set("Vary", "User-Agent")
		if isTrainer(r.UserAgent()) {
			return agency.ErrNotFound
		}
	}
	filter, selection := s.selectList(roster, lang, filter)

	page := s.page(r)
	page.Screen = s.Site.Routes.ListScreen(filter)
	page.Title, page.SearchTitle = views.ListTitle(page, page.Screen), views.ListSearchTitle(page, page.Screen)
	page.Description = listAbout(page, filter)
	page.Address = func(lang *i18n.Language) string {
		return s.Site.Routes.List(lang, filter.In(agency.AlphabetOf(lang)))
	}
	page.Canonical = func(lang *i18n.Language) string { return s.Site.Routes.Path(lang, canonicalList(screen)) }
	page.NoIndex = screen == routes.AllTalents || selection.Total == 0
	list := views.List{
		Filter:  filter,
		Total:   selection.Total,
		OnBoard: roster.Select(s.Site.Routes.ListFilter(page.Screen), s.Now()).Total,
		Boards: slices.DeleteFunc(filter.Boards(), func(g *agency.Group) bool {
			return g.Filter.Board != filter.Board && slices.Contains(page.Empty, g)
		}),
		Parts: slices.DeleteFunc(filter.Subcategories(), func(part agency.Subcategory) bool {
			return part != filter.Subcategory && slices.Contains(page.Empty, page.Boards.GroupOf(part))
		}),
		Letters:  selection.Letters,
		Hair:     selection.Hair,
		Eyes:     selection.Eyes,
		Cities:   roster.Cities(filter, string(lang.Lang), s.Now()),
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
	page.ShareCover(s.firstCover(selection.Items))
	page.StructuredData = views.ListThings(page, list)
	return s.renderPage(w, r, page, views.TalentList(page, list))
}

// firstCover is the cover of the first adult who has one.
func (s *server) firstCover(talents []*agency.Talent) (cover agency.Picture) {
	for _, t := range talents {
		if t.Cover.File != "" && !t.Minor(s.Now()) {
			return t.Cover
		}
	}
	return cover
}

// canonicalList is the screen that search engines keep of a list: a list without a category
// filter is kept as the models'.
func canonicalList(screen routes.Screen) routes.Screen {
	if screen == routes.AllTalents {
		return routes.Models
	}
	return screen
}

func listAbout(page *views.Page, filter agency.Filter) string {
	if page.Boards.Own() && page.Screen == routes.Models {
		return page.T("list.about.own", "agency", page.Site.Name, "boards", views.BoardNames(page))
	}
	switch page.Screen {
	case routes.Models, routes.AllTalents:
		return page.T("list.about.models", "agency", page.Site.Name)
	case routes.Creative:
		return page.T("list.about.creative", "agency", page.Site.Name)
	}
	if filter.OfMinors() {
		return page.T("list.about.minors", "board", page.Title, "agency", page.Site.Name)
	}
	return page.T("list.about.board", "board", page.Title, "agency", page.Site.Name)
}

// namesShown is how many names one page lists, each with the addresses of a picture. A longer list is split by letter.
const namesShown = 200

// selectList is what a list shows: in the order of the board, or by name in an index and below a letter.
func (s *server) selectList(
	roster *catalog.Roster, lang *i18n.Language, f agency.Filter,
) (agency.Filter, catalog.Selection) {
	shown := f.Shown()
	if f.View == agency.NamesView {
		shown = namesShown
	}
	f, selection := s.selectAll(roster, lang, f)
	selection.Items = selection.Items[:min(len(selection.Items), shown)]
	return f, selection
}

// selectAll is selectList with all talents, as far as one page can show them. A long index of names has those of a
// letter, by default its first. A city where nobody is in town any more doesn't count.
func (s *server) selectAll(
	roster *catalog.Roster, lang *i18n.Language, f agency.Filter,
) (agency.Filter, catalog.Selection) {
	if f.City != "" && !slices.Contains(roster.Cities(f, string(lang.Lang), s.Now()), f.City) {
		f.City = ""
	}
	show := f.Show
	f.Show = agency.MaxShow
	selection := roster.Select(f, s.Now())
	if f.View == agency.NamesView {
		show = agency.PageSize
		first := slices.Index(selection.Letters, true)
		if selection.Total > namesShown && f.Letter == "" && first >= 0 {
			f.Letter = f.Alphabet().Letters()[first]
			selection = roster.Select(f, s.Now())
		}
	}
	f.Show = show
	if f.View == agency.NamesView || f.Letter != "" {
		roster.SortByName(string(lang.Lang), f.Alphabet(), selection.Items)
	}
	return f, selection
}
