package handlers

import (
	"context"
	"net/http"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/richtext"
	"zedcard/internal/routes"
	"zedcard/internal/web"
	"zedcard/views"
	"zedcard/views/ui"
)

// Entities are the names of the pages whose whole text is in the panel.
var Entities = []string{"about", "privacy", "future-face", "safety"}

// text is an entity of the panel, sanitised, in the page's language if the panel has it.
func (s *server) text(ctx context.Context, page *views.Page, name string) (views.Text, error) {
	entity, err := s.Catalog.Entity(ctx, name, string(page.Lang.Lang))
	if err != nil {
		return views.Text{}, err
	}
	clean, err := richtext.Clean(entity.Body, inlinePicture(page))
	if err != nil {
		return views.Text{}, err
	}
	text := views.Text{
		Title: entity.Title, Lede: clean.Lede, Body: clean.Body, Images: entity.Images, Lang: s.Site.Texts.First(),
		Headings: clean.Headings, Draft: entity.Draft,
	}
	if lang, ok := s.Site.Texts.Parse(entity.Lang); ok {
		text.Lang = lang
	}
	return text, nil
}

// inlinePicture finds the pictures inside a back end's text, which are 38em wide at most.
func inlinePicture(page *views.Page) func(src string) richtext.Picture {
	return func(src string) richtext.Picture {
		sources := page.Pictures.Sources(agency.Picture{File: src}, agency.Whole, false)
		return richtext.Picture{Sources: sources, Sizes: "(min-width: 1024px) 38em, " + ui.FullWidth}
	}
}

// showAbout shows the agency's own text and its people.
func (s *server) showAbout(w http.ResponseWriter, r *http.Request) error {
	page := s.page(r)
	text, err := s.text(r.Context(), page, "about")
	if err != nil {
		return err
	}
	page.Title = page.T("nav.about")
	page.Description = page.T("about.about", "agency", s.Site.Name)
	page.StructuredData = views.AgencyThings(page, "AboutPage")
	return s.renderPage(w, r, page, views.About(page, text))
}

// showText shows privacy and safety: long texts with a table of contents.
func (s *server) showText(w http.ResponseWriter, r *http.Request) error {
	page, text, err := s.textPage(r)
	if err != nil {
		return err
	}
	return s.renderPage(w, r, page, views.TextPage(page, text))
}

func (s *server) textPage(r *http.Request) (*views.Page, views.Text, error) {
	page := s.page(r)
	text, err := s.textOf(r.Context(), page)
	return page, text, err
}

// textOf is the text of a page about privacy or safety, with what the site itself says there.
func (s *server) textOf(ctx context.Context, page *views.Page) (views.Text, error) {
	text, err := s.text(ctx, page, string(page.Screen))
	if err != nil {
		return text, err
	}
	if page.Screen == routes.Safety {
		page.Title, page.SearchTitle = page.T("nav.safety"), page.T("title.safety")
		page.Description = page.T("safety.about", "agency", s.Site.Name)
		text.Note = s.minorsNote(page)
		if !s.Official.IsEmpty() {
			text.SenderCheck = &views.SenderCheck{}
		}
	} else {
		page.Title, page.SearchTitle = page.T("nav.privacy"), page.T("title.privacy")
		page.Description = page.T("privacy.about", "agency", s.Site.Name)
		if address := s.Site.Address; address != "" {
			text.Facts = append(text.Facts, page.T("privacy.address", "agency", s.Site.Name, "address", address))
		}
		text.Facts = append(text.Facts, page.T("privacy.digest"))
		if s.Site.Panel {
			text.Facts = append(text.Facts, page.T("privacy.digest.panel"))
		}
		text.Note = s.guardianNote(page)
	}
	return text, nil
}

// showLikeness shows what the agency agrees to with whom it represents.
func (s *server) showLikeness(w http.ResponseWriter, r *http.Request) error {
	page := s.page(r)
	page.Title, page.SearchTitle = page.T("nav.likeness"), page.T("title.likeness")
	page.Description = page.T("likeness.about", "agency", s.Site.Name)
	return s.renderPage(w, r, page, views.Likeness(page))
}

// checkMessage says on the safety page whether a sender is the agency's. What was pasted appears in the bodies of
// request and answer only, never in an address, a cache or a log.
func (s *server) checkMessage(w http.ResponseWriter, r *http.Request) error {
	if s.Official.IsEmpty() {
		return agency.ErrNotFound
	}
	if !s.parsePost(w, r, s.Limits.checks) {
		return nil
	}
	page, text, err := s.textPage(r)
	if err != nil {
		return err
	}
	pasted := strings.TrimSpace(strings.ToValidUTF8(r.PostForm.Get("sender"), ""))
	status := http.StatusOK
	text.SenderCheck.Sender, text.SenderCheck.Verdict = pasted, s.ownContacts(r).Check(pasted)
	if text.SenderCheck.Verdict == agency.Unrecognized {
		text.SenderCheck.Error, status = page.T("safety.check.unread"), http.StatusUnprocessableEntity
	}
	page.NoIndex = true
	return s.renderForm(w, r, status, views.TextPage(page, text))
}

// ownContacts are the agency's contacts, with its profiles elsewhere.
func (s *server) ownContacts(r *http.Request) agency.Official {
	contacts := s.Official
	if profiles, err := s.Catalog.SocialMedias(r.Context()); err == nil {
		for _, profile := range profiles {
			contacts = contacts.With(profile.URL)
		}
	}
	return contacts
}

// minorsNote says what is shown of a minor. The site writes it, not the panel: it follows MINOR_MEASURES.
func (s *server) minorsNote(page *views.Page) views.Note {
	shown := page.T("safety.minors.safe")
	if s.FullMeasures {
		shown = page.T("safety.minors.full")
	}
	return views.Note{Heading: page.T("safety.minors"), Paragraphs: []string{shown, page.T("safety.minors.kept")}}
}

// guardianNote says how a parent or guardian confirms an application. The site writes it, not the panel: it depends on
// whether there is a mail server.
func (s *server) guardianNote(page *views.Page) views.Note {
	note := views.Note{Heading: page.T("privacy.guardian")}
	switch {
	case s.Site.MinimumAge >= agency.AdultAge:
		return views.Note{}
	case s.AskGuardians:
		note.Paragraphs = []string{page.T("privacy.guardian.mail"), page.T("privacy.guardian.mail.kept")}
	default:
		note.Paragraphs = []string{page.T("privacy.guardian.call")}
	}
	if !s.Site.Panel || s.AskGuardians { // else the panel has it already
		note.Paragraphs = append(note.Paragraphs, page.T("privacy.guardian.erased"))
	}
	return note
}

// facesShown is how many new faces the future face page presents.
const facesShown = 6

// showFutureFace presents new faces; while the roster is unavailable it leaves them out.
func (s *server) showFutureFace(w http.ResponseWriter, r *http.Request) error {
	page := s.page(r)
	text, err := s.text(r.Context(), page, "future-face")
	if err != nil {
		return err
	}
	var faces []*agency.Talent
	if roster, err := s.Catalog.Roster(r.Context()); err == nil {
		faces = roster.NewFaces(facesShown)
	} else {
		web.MarkIncomplete(r.Context())
	}
	page.Title = page.T("nav.future-face")
	page.Description = page.T("future-face.about", "agency", s.Site.Name)
	return s.renderPage(w, r, page, views.FutureFace(page, text, faces, s.sheet(r)))
}
