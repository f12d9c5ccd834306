package handlers

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/routes"
	"zedcard/views"
)

// showFavorites shows the shortlist in the address (?ids=1,2,3), or the session's own. With
// own=1 the address holds the visitor's own, which a script keeps in the browser.
func (s *site) showFavorites(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	page := s.page(r)
	ids, shared := parseIDs(query["ids"]...), query.Has("ids") && query.Get("own") == ""
	if !query.Has("ids") {
		ids = page.Saved
	}
	list, err := s.shortlist(r, ids)
	if err != nil {
		return err
	}
	list.Shared = shared

	page.NoIndex = true
	page.Title = page.T("nav.favorites")
	page.About = page.T("favorites.about", "agency", s.Site.Agency)
	if shared {
		page.Title = page.T("favorites.shared")
		page.Here = func(lang i18n.Lang) string { return routes.OfTalents(lang, routes.Favorites, ids) }
	}
	return s.draw(w, r, views.Favorites(page, list))
}

// shortlist finds the talents with these ids, in this order.
func (s *site) shortlist(r *http.Request, ids []string) (views.Shortlist, error) {
	list := views.Shortlist{Sheet: s.sheet(r)}
	if len(ids) == 0 {
		return list, nil
	}
	roster, err := s.Catalog.Roster(r.Context())
	if err != nil {
		return list, err
	}
	for _, id := range ids {
		if t := roster.ByID(id); t != nil {
			list.Talents = append(list.Talents, t)
		} else {
			list.Gone++
		}
	}
	return list, nil
}

// changeFavorites saves a talent to the session, takes it out, keeps a shared shortlist or clears
// all, and goes on where the visitor was. A script posts "clear" once it has taken the session's
// favourites over.
func (s *site) changeFavorites(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		s.fail(w, r, http.StatusBadRequest)
		return nil
	}
	ids, anchor := s.savedIDs(r), ""
	switch form := r.PostForm; {
	case form.Has("save"):
		ids = parseIDs(append(ids, form.Get("save"))...)
		anchor = form.Get("save")
	case form.Has("remove"):
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == form.Get("remove") })
		anchor = form.Get("remove")
	case form.Has("keep"):
		ids = parseIDs(append(ids, form.Get("keep"))...)
	case form.Has("clear"):
		ids = nil
	}
	if err := s.saveIDs(w, r, ids); err != nil {
		return err
	}
	own := routes.Path(routeOf(r).Lang, routes.Favorites)
	to := own
	if from := r.PostForm.Get("from"); !r.PostForm.Has("keep") && isLocal(from) {
		to = from
	}
	if isID(anchor) && to != own {
		to += "#" + views.CardID(anchor)
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// isLocal reports whether a text is a path of this site: never "//host" or anything that a
// browser reads like it.
func isLocal(address string) bool {
	if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") || strings.ContainsAny(address, "\\\t\r\n#") {
		return false
	}
	_, err := url.Parse(address)
	return err == nil
}

// downloadComposites passes on the composite cards of a shortlist, in one zip.
func (s *site) downloadComposites(w http.ResponseWriter, r *http.Request) error {
	list, err := s.shortlist(r, parseIDs(r.URL.Query()["ids"]...))
	if err != nil {
		return err
	}
	if len(list.Talents) == 0 {
		return agency.ErrNotFound
	}
	ids := make([]string, len(list.Talents))
	for i, t := range list.Talents {
		ids[i] = t.ID
	}
	download, err := s.Composites.Composites(r.Context(), ids)
	if err != nil {
		return err
	}
	sendZip(w, routeOf(r).Lang.T("favorites.file")+fileSuffix, download.Data)
	return nil
}

// showCompare shows two to four talents side by side. A form without a script gives each id by
// itself; the address that is kept has them in one.
func (s *site) showCompare(w http.ResponseWriter, r *http.Request) error {
	ids := parseIDs(r.URL.Query()["ids"]...)
	if len(r.URL.Query()["ids"]) > 1 {
		return moved{routes.OfTalents(routeOf(r).Lang, routes.Compare, ids)}
	}
	list, err := s.shortlist(r, ids)
	if err != nil {
		return err
	}
	if beyond := len(list.Talents) - views.MaxCompared; beyond > 0 {
		list.Talents, list.Gone = list.Talents[:views.MaxCompared], list.Gone+beyond
	}
	page := s.page(r)
	page.NoIndex = true
	page.Title = page.T("compare.title")
	page.Here = func(lang i18n.Lang) string { return routes.OfTalents(lang, routes.Compare, ids) }
	return s.draw(w, r, views.Compare(page, list))
}
