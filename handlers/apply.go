package handlers

import (
	"net/http"

	"zedcard/views"
)

// showApply says how to be scouted.
func (s *site) showApply(w http.ResponseWriter, r *http.Request) error {
	page := s.page(r)
	page.Title = page.T("nav.apply")
	page.About = page.T("apply.about", "agency", s.Site.Agency)
	return s.draw(w, r, views.Apply(page))
}
