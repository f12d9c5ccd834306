package handlers

import (
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/language"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/catalog"
	"zedcard/internal/intake"
	"zedcard/views"
)

// The agency reads its inbox in a browser by links whose key is in the query, which is not logged. Whoever has a link
// may use it: nobody signs in, and there is no cookie.

// inboxPage is a page of the inbox, in the site's language that the reader's browser prefers.
func (s *server) inboxPage(r *http.Request) *views.Page {
	var tags []language.Tag
	for _, code := range s.Site.Texts.Codes() {
		tags = append(tags, language.Make(code))
	}
	_, i := language.MatchStrings(language.NewMatcher(tags), r.Header.Get("Accept-Language"))
	return &views.Page{Site: &s.Site, Lang: s.Site.Texts.Langs()[i], Screen: inboxScreen}
}

func inboxKey(r *http.Request) string { return keyOf(r, "key") }

// listParam is the query parameter with the key of the list that a submission was opened from.
const listParam = "list"

// showInbox lists what arrived and is not answered, with ?all=1 everything, with ?q= what has this name, address or
// reference, with ?kind=message or application only these.
func (s *server) showInbox(w http.ResponseWriter, r *http.Request) error {
	page := s.inboxPage(r)
	entries, err := s.Intake.Inbox(r.Context(), inboxKey(r))
	if err != nil {
		return s.inboxFailed(w, r, page, err)
	}
	query := r.URL.Query()
	list := views.InboxList{Key: inboxKey(r), Query: strings.TrimSpace(query.Get("q")), All: query.Get("all") != "",
		Kinds: map[string]int{}}
	if kind := query.Get("kind"); kind == views.InboxMessages || kind == views.InboxApplications {
		list.Kind = kind
	}
	if roster, err := s.Catalog.Roster(r.Context()); err == nil { // otherwise the inbox goes without
		list.ToMeasure = agency.ToMeasure(roster.All(), s.Now())
	}
	searched := agency.Fold(list.Query)
	for _, e := range entries {
		if e.Done.IsZero() {
			list.Open++
		}
		text := agency.Fold(e.Name + " " + e.Email + " " + e.Reference().String())
		if (list.All || searched != "" || e.Done.IsZero()) && strings.Contains(text, searched) {
			entry := inboxEntry(e, e.Key)
			entry.Age = ageOf(e, s.Now())
			kind := views.InboxApplications
			if entry.Message {
				kind = views.InboxMessages
			}
			list.Kinds[kind]++
			if list.Kind == "" || list.Kind == kind {
				list.Entries = append(list.Entries, entry)
			}
		}
		list.Total++
	}
	return s.renderForm(hidden(w), r, http.StatusOK, views.Inbox(page, list, s.Now().Local()))
}

// ageOf is an applicant's age in years; 0 where it is not known, or may not be.
func ageOf(e intake.Entry, now time.Time) int {
	if birth, err := time.Parse(time.DateOnly, e.Birthdate); err == nil {
		return agency.Age(birth, now)
	}
	return 0
}

// walkInbox gives a submission the way back to the list that it was opened from, and those before and after it there:
// of its kind, and not answered. Without the list's key it has none.
func (s *server) walkInbox(r *http.Request, shown *views.InboxSubmission, e intake.Entry) error {
	list := r.URL.Query().Get(listParam)
	before, after, err := s.Intake.Around(r.Context(), list, e.ID, e.Kind)
	if err != nil {
		return err
	}
	shown.List = list
	if before != nil {
		shown.Previous = new(inboxEntry(*before, before.Key))
	}
	if after != nil {
		shown.Next = new(inboxEntry(*after, after.Key))
	}
	return nil
}

// talentLink is a line of a message that names whom it is about: the name, and the address of the profile.
var talentLink = regexp.MustCompile(`^.* – \S+/([^/\s]+)/[^/\s]+$`)

// asked takes the talents whom a message is about out of its text, paragraph by paragraph: lines that end with the
// address of a profile, the line below about each, and a heading below which nothing else is left.
func (s *server) asked(r *http.Request, page *views.Page, text string) (about []views.InboxAsked, rest string) {
	roster, err := s.Catalog.Roster(r.Context())
	if err != nil {
		return nil, text
	}
	lang, shown := s.Site.Texts.First(), headings(page.Lang)
	words := map[string]string{} // what is shown above talents, by what the message has there
	for answer, heading := range headings(lang) {
		words[heading+":"] = shown[answer]
	}
	sheet := s.sheet(r)
	var paragraphs []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		list := views.InboxAsked{Heading: shown[""]}
		list.Measures, list.Notes = sheet, map[string]string{}
		lines := strings.Split(paragraph, "\n")
		var left []string // lines that stay
		if heading := words[strings.TrimSpace(lines[0])]; heading != "" {
			list.Heading, left, lines = heading, lines[:1:1], lines[1:]
		}
		headed := len(left)
		var above *agency.Talent
		for _, line := range lines {
			switch t := s.linked(roster, lang, strings.TrimSpace(line)); {
			case t != nil:
				above, list.Talents = t, append(list.Talents, t)
			case above != nil && strings.HasPrefix(line, noteIndent):
				list.Notes[above.ID] = strings.TrimSpace(line)
			default:
				above, left = nil, append(left, line)
			}
		}
		if len(list.Talents) > 0 {
			about = append(about, list)
		}
		if len(list.Talents) == 0 || len(left) > headed {
			paragraphs = append(paragraphs, strings.Join(left, "\n"))
		}
	}
	return about, strings.TrimSpace(strings.Join(paragraphs, "\n\n"))
}

// linked is the talent whose name and profile's address are a line; nil where it is none.
func (s *server) linked(roster *catalog.Roster, lang *i18n.Language, line string) *agency.Talent {
	found := talentLink.FindStringSubmatch(line)
	if found == nil {
		return nil
	}
	t := roster.ByID(found[1])
	if t == nil || !strings.HasSuffix(line, s.Site.BaseURL+s.Site.Routes.Talent(lang, t)) {
		return nil
	}
	return t
}

func inboxEntry(e intake.Entry, key string) views.InboxEntry {
	reference := e.Reference()
	return views.InboxEntry{
		Key: key, Name: e.Name, Email: e.Email, Reference: reference.String(), Received: e.Time.Local(), Due: e.Due,
		EraseOn: e.EraseOn(), Message: e.Kind == agency.Contact, Minor: e.Minor,
		Confirmed: !e.Confirmed.IsZero(), Done: !e.Done.IsZero(), Held: e.State == intake.Suspected,
		Photos: e.Photos,
	}
}

// showSubmission shows what somebody sent, and what was promised. Opening it is noted in its history.
func (s *server) showSubmission(w http.ResponseWriter, r *http.Request) error {
	return s.showSubmissionWith(w, r, http.StatusOK, views.Form{})
}

// showSubmissionWith shows it with what was typed for the adult's address and what is wrong with it.
func (s *server) showSubmissionWith(w http.ResponseWriter, r *http.Request, status int, typed views.Form) error {
	page, key := s.inboxPage(r), inboxKey(r)
	e, submission, err := s.Intake.OpenSubmission(r.Context(), key, s.byPerson(r))
	if err != nil {
		return s.inboxFailed(w, r, page, err)
	}
	history, err := s.Intake.History(r.Context(), e.ID)
	if err != nil {
		return err
	}
	shown := views.InboxSubmission{InboxEntry: inboxEntry(e, key), Withheld: e.Withheld(), Form: typed}
	if e.Minor { // the agency speaks to the adult first
		shown.Email = submission.GuardianAddress()
	}
	if err := s.walkInbox(r, &shown, e); err != nil && !errors.Is(err, agency.ErrNotFound) {
		return err
	}
	for _, field := range submission.Fields {
		if field.Name == "message" && shown.Message {
			shown.Asked, field.Value = s.asked(r, page, field.Value)
		}
		if field.Name != agency.ConsentsField {
			shown.Fields = append(shown.Fields, views.InboxField(field))
		}
	}
	agreed, err := s.Intake.Agreed(r.Context(), agency.Consents(submission.Fields))
	if err != nil {
		return err
	}
	for _, a := range agreed {
		consent := views.InboxConsent{
			Text: a.Text, Time: a.Time.Local(), By: a.By, How: a.How, PolicySince: a.Policy.Since.Local(),
		}
		if a.Policy.HTML != "" {
			consent.Policy = a.Policy.Hash
		}
		shown.Consents = append(shown.Consents, consent)
	}
	if shown.Withheld {
		shown.Spoken = s.Intake.Spoken(submission)
	}
	for _, file := range submission.Files {
		shown.Inputs = append(shown.Inputs, file.Field)
	}
	for _, event := range history {
		shown.History = append(shown.History, views.InboxEvent{Time: event.Time.Local(), Action: event.Action})
	}
	return s.renderForm(hidden(w), r, status, views.InboxPage(page, shown, s.Now().Local()))
}

// byPerson tells a browser that somebody looks at from what fetches links by itself, such as scanners of mail: over
// https a browser says what a page is for.
func (s *server) byPerson(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Sec-Purpose") == "" && r.Header.Get("Purpose") == "" &&
		(!s.HTTPS(r) || r.Header.Get("Sec-Fetch-Dest") != "")
}

// showInboxPolicy opens a version of the policy that a submission speaks of.
func (s *server) showInboxPolicy(w http.ResponseWriter, r *http.Request) error {
	page := s.inboxPage(r)
	policy, err := s.Intake.InboxPolicy(r.Context(), inboxKey(r), r.URL.Query().Get("hash"))
	if err != nil {
		return s.inboxFailed(w, r, page, err)
	}
	return s.renderForm(hidden(w), r, http.StatusOK, views.InboxPolicy(page, policy.Lang, policy.HTML,
		policy.Since.Local()))
}

// changeSubmission notes that a submission is answered or is not, or what the adult said, asks another adult, or erases
// it.
func (s *server) changeSubmission(w http.ResponseWriter, r *http.Request) error {
	page, key := s.inboxPage(r), inboxKey(r)
	if !s.parseForm(w, r) {
		return nil
	}
	id, err := s.Intake.SubmissionOf(r.Context(), key)
	if err != nil {
		return s.inboxFailed(w, r, page, err)
	}
	switch action := r.PostForm.Get("action"); action {
	case "done", "open":
		err = s.Intake.MarkDone(r.Context(), id, action == "done")
	case "guardian":
		address := r.PostForm.Get("responsible_email")
		faults, failed := s.Intake.CorrectGuardian(r.Context(), id, address)
		if failed == nil && len(faults) > 0 {
			return s.showSubmissionWith(w, r, http.StatusUnprocessableEntity, views.Form{
				Values: map[string]string{"responsible_email": address},
				Errors: []views.FieldError{{Field: "responsible_email", Text: page.T(faults[0].Key)}},
			})
		}
		err = failed
	case "confirm":
		err = s.Intake.ConfirmByHand(r.Context(), id, r.PostForm.Get("by"))
		if errors.Is(err, intake.ErrNobody) {
			return s.showSubmissionWith(w, r, http.StatusUnprocessableEntity, views.Form{
				Errors: []views.FieldError{{Field: "by", Text: page.T("error.name.required")}},
			})
		}
	case "erase":
		if err = s.Intake.EraseInBrowser(r.Context(), id); err == nil {
			return s.renderForm(hidden(w), r, http.StatusOK, views.InboxErased(page))
		}
	}
	if err != nil {
		return s.inboxFailed(w, r, page, err)
	}
	redirect(hidden(w), http.StatusSeeOther, views.InboxSubmissionPath(key, r.URL.Query().Get(listParam)))
	return nil
}

// showInboxPhoto serves a photo of a submission, with ?size=small the preview that was made of it.
func (s *server) showInboxPhoto(w http.ResponseWriter, r *http.Request) error {
	w = hidden(w)
	number, _ := strconv.Atoi(r.URL.Query().Get("photo")) // else 0, which is none
	photo, err := s.Intake.InboxPhoto(r.Context(), inboxKey(r), number)
	if err != nil {
		return err
	}
	if r.URL.Query().Get("size") == "small" && len(photo.Preview) > 0 {
		return writeUnstored(w, r, http.StatusOK, "image/jpeg", photo.Preview)
	}
	return writeUnstored(w, r, http.StatusOK, photo.Type, photo.Data)
}

// inboxFailed gives the same answer for every link that does not work, so that nobody learns why.
func (s *server) inboxFailed(w http.ResponseWriter, r *http.Request, page *views.Page, err error) error {
	if !errors.Is(err, agency.ErrNotFound) {
		return err
	}
	return s.renderForm(hidden(w), r, http.StatusNotFound, views.InboxDead(page))
}
