package handlers

import (
	"errors"
	"net/http"
	"slices"

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
func (s *server) showGuardian(w http.ResponseWriter, r *http.Request) error {
	token := keyOf(r, confirmationToken)
	if token == "" {
		return s.renderGuardian(w, r, "", intake.Application{}, nil, agency.ErrNotFound)
	}
	application, err := s.Intake.Lookup(r.Context(), token)
	return s.renderGuardian(w, r, token, application, nil, err)
}

// confirmGuardian confirms an application if both boxes are ticked, and redirects to the page that then says so.
func (s *server) confirmGuardian(w http.ResponseWriter, r *http.Request) error {
	if !s.parsePost(w, r, s.Limits.confirmations) {
		return nil
	}
	token := r.PostForm.Get(confirmationToken)
	unticked := slices.DeleteFunc(slices.Clone(agency.GuardianBoxes), func(box string) bool {
		return r.PostForm.Get(box) != ""
	})
	if len(unticked) > 0 {
		application, err := s.Intake.Lookup(r.Context(), token)
		return s.renderGuardian(w, r, token, application, unticked, err)
	}
	consents := s.consents(r.Context(), s.page(r), r.PostForm, agency.GuardianBoxes...)
	application, err := s.Intake.Confirm(r.Context(), token, consents)
	if err != nil {
		return s.renderGuardian(w, r, "", application, nil, err)
	}
	redirect(hidden(w), http.StatusSeeOther, routes.ConfirmationPath(s.routeOf(r).Lang, token))
	return nil
}

// hidden keeps an answer and its address, which has a token or a key, out of caches, search engines and other sites.
func hidden(w http.ResponseWriter) http.ResponseWriter {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("X-Robots-Tag", "noindex")
	return w
}

// renderGuardian gives the same answer for a link that is used, expired or made up, so that nobody learns which it is.
// unticked are the boxes that are missing in a posted form.
func (s *server) renderGuardian(
	w http.ResponseWriter, r *http.Request, token string, application intake.Application, unticked []string, err error,
) error {
	status := http.StatusOK
	switch {
	case errors.Is(err, agency.ErrNotFound):
		status, token, unticked = http.StatusNotFound, "", nil
	case err != nil:
		return err
	case len(unticked) > 0:
		status = http.StatusUnprocessableEntity
	}
	page := s.page(r)
	form := views.Form{Values: map[string]string{}, Policy: s.policy(r.Context(), page.Lang)}
	for _, box := range agency.GuardianBoxes {
		form.Values[box] = r.PostForm.Get(box)
	}
	for _, box := range unticked {
		form.Errors = append(form.Errors, views.FieldError{Field: box, Text: page.T("error.guardian.box")})
	}
	page.Title = views.FormTitle(page, page.T("guardian.title"), form)
	page.Description = page.T("guardian.about", "agency", s.Site.Name)
	page.NoIndex, page.NoAlternates = true, true
	page.Canonical = page.Address
	if token != "" { // another language keeps the link
		page.Address = func(lang *i18n.Language) string { return routes.ConfirmationPath(lang, token) }
	}
	return s.renderForm(hidden(w), r, status, views.Guardian(page, views.Confirmation{
		Form: form, Token: token, Reference: application.Reference().String(), Received: application.Received.Local(),
		Expires: application.Expires().Local(), Confirmed: application.Confirmed.Local(),
	}))
}
