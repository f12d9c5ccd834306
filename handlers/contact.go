package handlers

import (
	"net/http"

	"zedcard/views"
)

// showContact shows how to reach the agency; it needs no back end.
func (s *site) showContact(w http.ResponseWriter, r *http.Request) error {
	page := s.page(r)
	page.Title = page.T("nav.contact")
	page.About = page.T("contact.about", "agency", s.Site.Agency)
	page.Things = views.ContactThings(page)
	return s.draw(w, r, views.Contact(page))
}
