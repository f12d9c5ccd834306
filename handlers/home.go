package handlers

import (
	"net/http"

	"zedcard/internal/agency"
	"zedcard/views"
)

// showHome shows the slides of both groups; without slides or talents it is an error.
func (s *server) showHome(w http.ResponseWriter, r *http.Request) error {
	slides, err := s.Catalog.Slides(r.Context())
	if err != nil {
		return err
	}
	roster, err := s.Catalog.Roster(r.Context())
	if err != nil {
		return err
	}
	page := s.page(r)
	var groups views.Slides
	for _, slide := range slides {
		shown := views.Slide{Slide: slide, Talent: roster.ByID(slide.Talent)}
		if shown.Talent != nil && shown.Talent.Minor(s.Now()) {
			shown.Talent = nil
		} else if page.Share.Src == "" {
			page.Share = s.Site.Slides.Sources(agency.Picture{File: slide.Desktop}, agency.ShareCrop, false)
		}
		if i := slide.Group - 1; i >= 0 && i < len(groups) {
			groups[i] = append(groups[i], shown)
		}
	}
	page.Title = page.T("home.title")
	page.Description = page.T("home.about", "agency", s.Site.Name)
	if s.Site.Boards.Own() {
		page.Description = page.T("home.about.own", "agency", s.Site.Name, "boards", views.BoardNames(page))
	}
	page.Preloads = views.SlidePreloads(page, groups)
	return s.renderPage(w, r, page, views.Home(page, groups))
}
