package handlers

import (
	"net/http"
	"net/url"
	"strconv"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/routes"
	"zedcard/views"
)

// talent is the talent that the address names by its id. An address with another board or slug
// than the talent's moves to the right one, query kept.
func (s *site) talent(r *http.Request, address func(i18n.Lang, *agency.Talent) string) (*agency.Talent, error) {
	t, err := s.Catalog.Talent(r.Context(), variable(r, "id"))
	if err != nil {
		return nil, err
	}
	if right := address(routeOf(r).Lang, &t); r.URL.EscapedPath() != right {
		if r.URL.RawQuery != "" {
			right += "?" + r.URL.RawQuery
		}
		return nil, moved{right}
	}
	return &t, nil
}

// showProfile shows a talent with one gallery open: ?gallery=book|snap|video, and of the videos
// ?video=1, 2, ...
func (s *site) showProfile(w http.ResponseWriter, r *http.Request) error {
	t, err := s.talent(r, routes.Talent)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	open := views.OpenGallery(t, query.Get("gallery"))
	profile := views.Profile{Talent: t, Open: open, Sheet: s.sheet(r)}
	if n, err := strconv.Atoi(query.Get("video")); err == nil && n >= 1 && n <= len(t.Video) {
		profile.Playing = n - 1
	}

	page := s.page(r)
	page.Title = t.Name
	page.About = page.T("profile.about", "name", t.Name, "agency", s.Site.Agency)
	page.NoImageIndex = profile.Sheet.Minor(t)
	page.Canonical = func(lang i18n.Lang) string { return routes.Talent(lang, t) }
	page.Here = func(lang i18n.Lang) string {
		address := routes.Talent(lang, t)
		if r.URL.RawQuery != "" && string(open) == query.Get("gallery") {
			address += "?" + url.Values{"gallery": {string(open)}}.Encode()
		}
		return address
	}
	page.Things = views.ProfileThings(page, profile)
	return s.draw(w, r, views.TalentProfile(page, profile))
}
