package handlers

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/forms"
	"zedcard/internal/intake"
	"zedcard/views"
)

// maxTalentNotes bounds the text about the talents of an enquiry, in bytes. Talents beyond it are listed by their ids.
const maxTalentNotes = 10_000

// showContact shows how to reach the agency; it needs no back end. ?ids=1,2,3 is an enquiry about these talents, or
// with a reference the receipt of one.
func (s *server) showContact(w http.ResponseWriter, r *http.Request) error {
	query := queryOf(r)
	page := s.page(r)
	form := views.Form{Token: forms.NewToken(), Values: map[string]string{}}
	form.Receipt = s.receipt(r, agency.MessageReference)
	var about views.Shortlist
	if query.Has("ids") {
		about, _ = s.enquiredTalents(r, query["ids"])
	}
	return s.renderContact(w, r, http.StatusOK, page, form, about)
}

func (s *server) renderContact(
	w http.ResponseWriter, r *http.Request, status int, page *views.Page, form views.Form, about views.Shortlist,
) error {
	page.Title = views.FormTitle(page, page.T("nav.contact"), form)
	page.Description = page.T("contact.about", "agency", s.Site.Name)
	if s.Site.Accounting == "" {
		page.Description = page.T("contact.about.bookings", "agency", s.Site.Name)
	}
	page.StructuredData = views.AgencyThings(page, "ContactPage")
	page.NoIndex = r.URL.RawQuery != ""
	return s.renderForm(w, r, status, views.Contact(page, form, about))
}

// enquiredTalents are the talents that an enquiry is about, without those who are not on the boards. While the roster
// is unavailable the visitor gets a form without talents, and unknown holds the ids for the agency.
func (s *server) enquiredTalents(r *http.Request, ids []string) (about views.Shortlist, unknown []string) {
	wanted := parseIDs(ids...)
	list, err := s.shortlist(r, wanted)
	if err != nil {
		return views.Shortlist{}, wanted
	}
	return list, nil
}

// listTalents is the part of a message about talents: below each answer, or below one heading, their names with
// addresses, and the line that was written about each.
func (s *server) listTalents(values url.Values, about views.Shortlist, unknown []string) (text string) {
	words, last := headings(s.Site.Texts.First()), ""
	add := func(id, line string) {
		if heading := words[values.Get(views.AnswerInput(id))] + ":\n"; heading != last {
			text += "\n" + heading
			last = heading
		}
		text += line + "\n"
		if note := []rune(agency.Clean(values.Get(views.NoteInput(id)), false)); len(note) > 0 {
			text += noteIndent + string(note[:min(len(note), views.MaxNote)]) + "\n"
		}
	}
	for _, t := range about.Talents {
		if len(text) > maxTalentNotes {
			unknown = append(unknown, t.ID)
			continue
		}
		add(t.ID, t.Name+" – "+s.Site.BaseURL+s.Site.Routes.Talent(s.Site.Texts.First(), t))
	}
	for _, id := range unknown {
		add(id, id)
	}
	return strings.TrimSpace(text)
}

// notesForAgency are what the agency reads below the visitor's message: the talents with their addresses, and the job.
// They are in English, like everything that back ends and operators read.
func (s *server) notesForAgency(talents string, brief forms.Brief) string {
	lang := s.Site.Texts.First()
	var job string
	for _, line := range [][2]string{
		{lang.T("brief.dates"), brief.Dates}, {lang.T("brief.city"), brief.City},
		{lang.T("brief.deadline"), brief.Deadline}, {lang.T("brief.usage"), views.Usage(lang, brief.Usage)},
		{lang.T("brief.territory"), brief.Territory}, {lang.T("brief.term"), views.Term(lang, brief.Term)},
	} {
		if line[1] != "" {
			job += line[0] + ": " + line[1] + "\n"
		}
	}
	var notes []string
	if talents != "" {
		notes = append(notes, talents)
	}
	if job != "" {
		notes = append(notes, lang.T("brief.title")+":\n"+strings.TrimSpace(job))
	}
	return strings.Join(notes, "\n\n")
}

// submitContact takes the contact form.
func (s *server) submitContact(w http.ResponseWriter, r *http.Request) error {
	limited := s.Limits.contacts.exceeded(w, r, s.Client(r))
	values, _, release, err := s.readForm(w, r, forms.MaxContact)
	defer release()
	if err != nil {
		s.bodyFailed(w, r, err)
		return nil
	}
	r = detached(r)
	ids := slices.DeleteFunc(parseIDs(values["ids"]...), func(id string) bool { return id == values.Get("without") })
	recipient := strings.TrimSpace(values.Get("for")) // whose answers about a shared shortlist these are
	if recipient != "" {
		ids = answered(values, ids)
	}
	about, unknown := s.enquiredTalents(r, ids)
	contact, talents := forms.ParseContact(values), s.listTalents(values, about, unknown)
	contact.Notes = s.notesForAgency(talents, contact.Brief)
	if contact.Message+talents != "" && recipient != "" && isRecipient(recipient) {
		title := s.Site.Texts.First().T("shortlist.title") + ": " + recipient
		contact.Message = strings.TrimSpace(title + "\n\n" + contact.Message)
	}
	refused := ofLimits(limited)
	if values.Has("without") { // the button that removes a talent: nothing is submitted, no errors are shown
		refused = refusal{http.StatusOK, ""}
	}
	form := intake.Form{Name: string(s.routeOf(r).Screen), Values: values, Content: contact}
	result, status := s.submit(r.Context(), form, refused)
	if result.Outcome == intake.Sent {
		return redirectToReceipt(w, r, result.Reference, about.IDs()...)
	}
	page := s.page(r)
	if recipient != "" {
		for i := range result.Errors {
			if result.Errors[i].Key == "error.message.required" {
				result.Errors[i].Key = "error.answer.required"
			}
		}
		return s.renderShared(w, r, status, page, s.refill(page, values, result), values)
	}
	return s.renderContact(w, r, status, page, s.refill(page, values, result), about)
}
