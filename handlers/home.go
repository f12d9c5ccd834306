package handlers

import (
	"net/http"

	"zedcard/views"
)

// showHome shows the slides of both groups; without slides or talents it is an error.
func (s *site) showHome(w http.ResponseWriter, r *http.Request) error {
	slides, err := s.Catalog.Slides(r.Context())
	if err != nil {
		return err
	}
	if _, err := s.Catalog.Roster(r.Context()); err != nil {
		return err
	}
	var groups views.Slides
	for _, slide := range slides {
		switch slide.Group {
		case 1:
			groups.Models = append(groups.Models, slide)
		case 2:
			groups.Creative = append(groups.Creative, slide)
		}
	}
	page := s.page(r)
	page.Title = page.T("home.title")
	page.Description = page.T("home.about", "agency", s.Site.Agency)
	page.Preloads = views.SlidePreloads(page, groups)
	return s.renderPage(w, r, page, views.Home(page, groups))
}
