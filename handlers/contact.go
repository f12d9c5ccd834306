package handlers

import (
	"io"
	"net/http"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/forms"
	"zedcard/internal/middleware"
	"zedcard/internal/routes"
	"zedcard/internal/submission"
	"zedcard/views"
)

// maxEnquiry bounds the message that is written for a shortlist, in bytes; the form takes 4,000
// characters.
const maxEnquiry = 3000

// showContact shows how to reach the agency; it needs no back end. ?ids=1,2,3 is an enquiry about
// these talents.
func (s *site) showContact(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	page := s.page(r)
	form := views.Form{Token: s.token(r), Values: map[string]string{}, Receipt: receipt(r, agency.OfMessage)}
	var about views.Shortlist
	if query.Has("ids") {
		form.Values["ids"] = query.Get("ids")
		about = s.enquired(r, form)
		form.Values["message"] = s.enquiry(page, about)
	}
	return s.drawContact(w, r, http.StatusOK, page, form, about)
}

func (s *site) drawContact(
	w http.ResponseWriter, r *http.Request, status int, page views.Page, form views.Form, about views.Shortlist,
) error {
	page.Title = views.FormTitle(page, page.T("nav.contact"), form)
	page.About = page.T("contact.about", "agency", s.Site.Agency)
	page.Things = views.ContactThings(page)
	page.NoIndex = r.URL.RawQuery != ""
	return s.drawForm(w, r, status, views.Contact(page, form, about))
}

// enquired are the talents an enquiry is about. Who is not on the boards is left out; without the
// boards it is a form like any other.
func (s *site) enquired(r *http.Request, form views.Form) views.Shortlist {
	list, err := s.shortlist(r, parseIDs(form.Values["ids"]))
	if err != nil {
		return views.Shortlist{}
	}
	return list
}

// enquiry is a message that names talents and their addresses.
func (s *site) enquiry(page views.Page, list views.Shortlist) string {
	var message strings.Builder
	for _, t := range list.Talents {
		if message.Len() > maxEnquiry {
			break
		}
		message.WriteString("\n" + t.Name + " – " + s.Site.BaseURL + routes.Talent(page.Lang, t))
	}
	if message.Len() == 0 {
		return ""
	}
	return page.T("contact.enquiry") + message.String() + "\n\n"
}

// submitContact takes the contact form.
func (s *site) submitContact(w http.ResponseWriter, r *http.Request) error {
	limited := s.contactLimits.exceeded(w, r, s.Client(r))
	if err := middleware.AllowBody(w, r, 2*forms.MaxContact); err != nil {
		return err
	}
	body := r.Body
	values, err := forms.ReadContact(w, r)
	if err != nil {
		_, _ = io.Copy(io.Discard, body) // a browser that is still sending hears no answer
	}
	r = outlivingBody(r)
	form := submission.Form{Name: string(routeOf(r).Screen), Values: values, Content: forms.ParseContact(values)}
	result, status := s.submit(r.Context(), form, readRefusal(err, limited, "error.form.large"))
	if result.Outcome == submission.Sent {
		return redirectToSent(w, r, result.Reference)
	}
	page := s.page(r)
	back := s.refill(page, values, result)
	return s.drawContact(w, r, status, page, back, s.enquired(r, back))
}
