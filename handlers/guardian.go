package handlers

import (
	"errors"
	"net/http"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/intake"
	"zedcard/internal/routes"
	"zedcard/views"
)

// confirmationToken is the name of the input and of the query parameter with the token from a guardian's mail.
const confirmationToken = "token"

// showGuardian shows what the link in a guardian's mail is about. It confirms nothing by itself, because mail scanners
// follow links.
func (s *site) showGuardian(w http.ResponseWriter, r *http.Request) error {
	token := r.URL.Query().Get(confirmationToken)
	if token == "" {
		return s.renderGuardian(w, r, "", intake.Application{}, agency.ErrNotFound)
	}
	application, err := s.Intake.Lookup(r.Context(), token)
	return s.renderGuardian(w, r, token, application, err)
}

// confirmGuardian confirms an application, and redirects to the page that then says so.
func (s *site) confirmGuardian(w http.ResponseWriter, r *http.Request) error {
	if !s.parsePost(w, r, s.guardianLimits) {
		return nil
	}
	token := r.PostForm.Get(confirmationToken)
	application, err := s.Intake.Confirm(r.Context(), token)
	if err != nil {
		return s.renderGuardian(w, r, "", application, err)
	}
	hideToken(w)
	seeOther(w, routes.ConfirmationPath(routeOf(r).Lang, token))
	return nil
}

// hideToken keeps the address with the token from caches and from other sites.
func hideToken(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("X-Robots-Tag", "noindex")
}

// renderGuardian gives the same answer for a link that is used, expired or made up, so that nobody learns which it is.
func (s *site) renderGuardian(
	w http.ResponseWriter, r *http.Request, token string, application intake.Application, err error,
) error {
	status := http.StatusOK
	if errors.Is(err, agency.ErrNotFound) {
		status, token = http.StatusNotFound, ""
	} else if err != nil {
		return err
	}
	page := s.page(r)
	page.Title = page.T("guardian.title")
	page.Description = page.T("guardian.about", "agency", s.Site.Agency)
	page.NoIndex, page.NoAlternates = true, true
	page.Canonical = page.Address
	if token != "" { // another language keeps the link
		page.Address = func(lang i18n.Lang) string { return routes.ConfirmationPath(lang, token) }
	}
	hideToken(w)
	return s.renderForm(w, r, status, views.Guardian(page, views.Confirmation{
		Token: token, Reference: application.Reference().String(), Received: application.Received,
		Expires: application.Expires(), Confirmed: application.Confirmed,
	}))
}
