package handlers

import (
	"errors"
	"net/http"

	"zedcard/internal/agency"
	"zedcard/internal/intake"
	"zedcard/views"
)

// askName is the cookie with which the sender of a minor's application may have the guardian asked again. Only the
// server can read it, and nobody else's browser has it.
const askName = "guardian"

// another is the input of the receipt with another address of the guardian.
const another = "another"

// keepAsk hands a sealed Ask to the sender's browser; an empty one changes nothing.
func (s *site) keepAsk(w http.ResponseWriter, r *http.Request, sealed string) {
	if sealed != "" {
		http.SetCookie(w, &http.Cookie{
			Name: s.cookieName(r, askName), Value: sealed, Path: "/", MaxAge: int(intake.AskAgain.Seconds()),
			HttpOnly: true, Secure: s.HTTPS(r), SameSite: http.SameSiteLaxMode,
		})
	}
}

// ask is the Ask of the visitor; false if there is none, or its time is over.
func (s *site) ask(r *http.Request) (intake.Ask, bool) {
	c, err := r.Cookie(s.cookieName(r, askName))
	if err != nil {
		return intake.Ask{}, false
	}
	return s.Intake.OpenAsk(r.Context(), c.Value)
}

// askAgain takes the two forms of a minor's receipt: the mail to the guardian again, or to another address.
func (s *site) askAgain(w http.ResponseWriter, r *http.Request) error {
	if !s.parsePost(w, r, s.guardianLimits) {
		return nil
	}
	page := s.page(r)
	receipt := s.receipt(r, agency.MinorReference)
	if receipt == nil {
		return agency.ErrNotFound
	}
	ask, ok := s.ask(r)
	if !ok || receipt.Ask.Address == "" {
		return s.refuseAsk(w, r, page, receipt, "error.ask.late")
	}
	address := ask.Address
	if r.PostForm.Has(another) {
		address = r.PostForm.Get(another)
	}
	sealed, faults, err := s.Intake.AskGuardianAgain(r.Context(), ask, address)
	switch {
	case errors.Is(err, intake.ErrConfirmed):
		return s.refuseAsk(w, r, page, receipt, "error.ask.confirmed")
	case errors.Is(err, intake.ErrOften):
		return s.refuseAsk(w, r, page, receipt, "error.ask.often")
	case errors.Is(err, agency.ErrNotFound):
		return s.refuseAsk(w, r, page, receipt, "error.ask.gone")
	case err != nil:
		return err
	case len(faults) > 0:
		receipt.Ask.Values = map[string]string{another: address}
		receipt.Ask.Errors = []views.FieldError{{Field: another, Text: page.T(faults[0].Key)}}
		return s.showReceipt(w, r, http.StatusUnprocessableEntity, page, receipt)
	}
	s.keepAsk(w, r, sealed)
	reference, _ := agency.ParseReference(receipt.Reference)
	return redirectToReceipt(w, r, reference)
}

// refuseAsk says why nobody is asked again; problem is the key of the sentence.
func (s *site) refuseAsk(
	w http.ResponseWriter, r *http.Request, page *views.Page, receipt *views.Receipt, problem string,
) error {
	receipt.Ask = views.Ask{Form: views.Form{Problem: page.T(problem,
		"email", s.Site.MailOrPhone(), "phone", s.Site.PhoneOrMail(), "reference", receipt.Reference)}}
	return s.showReceipt(w, r, http.StatusConflict, page, receipt)
}

// showReceipt shows a receipt above an empty application.
func (s *site) showReceipt(
	w http.ResponseWriter, r *http.Request, status int, page *views.Page, receipt *views.Receipt,
) error {
	options, err := s.options(r.Context(), page.Lang, "")
	if err != nil {
		return err
	}
	return s.renderApply(w, r, status, page, views.Application{
		Options: options, Form: views.Form{Token: s.token(r), Receipt: receipt, Values: map[string]string{}},
	})
}
