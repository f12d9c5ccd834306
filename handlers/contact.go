package handlers

import (
	"net/http"
	"strings"

	"zedcard/internal/forms"
	"zedcard/internal/routes"
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
	form := views.Form{Token: s.token(r, posted{}), Values: map[string]string{}, Sent: query.Has(sentMark)}
	if ids := query.Get("ids"); ids != "" {
		form.Values["message"] = s.enquiry(r, page, strings.Split(ids, ","))
	}
	return s.drawContact(w, r, http.StatusOK, page, form)
}

func (s *site) drawContact(w http.ResponseWriter, r *http.Request, status int, page views.Page, form views.Form) error {
	page.Title = views.FormTitle(page, page.T("nav.contact"), form)
	page.About = page.T("contact.about", "agency", s.Site.Agency)
	page.Things = views.ContactThings(page)
	page.NoIndex = r.URL.RawQuery != ""
	return s.drawForm(w, r, status, views.Contact(page, form))
}

// enquiry is a message that names talents and their addresses. Who is not on the boards is left out.
func (s *site) enquiry(r *http.Request, page views.Page, ids []string) string {
	roster, err := s.Catalog.Roster(r.Context())
	if err != nil {
		return "" // the visitor can write it by hand
	}
	var message strings.Builder
	for _, id := range ids {
		t := roster.ByID(strings.TrimSpace(id))
		if t == nil || message.Len() > maxEnquiry {
			continue
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
	limited := s.contactLimits.over(w, r, s.Client(r))
	values, err := forms.ReadContact(w, r)
	contact, p := forms.ParseContact(values), s.receive(r, values, err, limited)
	var faults []forms.Error
	if p.status == 0 || p.status == http.StatusUnprocessableEntity {
		if faults = contact.Validate(); len(faults) > 0 {
			p.status, p.problem = http.StatusUnprocessableEntity, ""
		}
	}
	if p.status == 0 {
		p = s.put(r, p, contact.Submission(""))
	}
	if p.status == 0 {
		return sent(w, r)
	}
	page := s.page(r)
	return s.drawContact(w, r, p.status, page, s.back(r, page, p, faults))
}
