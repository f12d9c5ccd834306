package handlers

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"slices"

	"github.com/gorilla/sessions"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/catalog"
	"zedcard/internal/copydesk"
	"zedcard/internal/routes"
	"zedcard/views"
)

// An editor opens the view of the texts with PREVIEW_TOKEN in an address (?token=). A redirect removes it from the
// address at once, and the browser gets a cookie for a day's work instead.
const (
	previewName  = "preview"
	previewValue = "token" // a hash of it: another token ends every preview
	previewQuery = "token"
	previewHours = 12
)

// exchangeToken exchanges a token in the address of /_copy, or of a page with ?copy=keys, for the cookie. A wrong token
// is ignored.
func (s *site) exchangeToken(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		token := query.Get(previewQuery)
		isForEditors := r.URL.Path == routes.Copy || r.URL.Path == routes.Content || query.Get("copy") == "keys"
		if token == "" || s.PreviewToken == "" || !isForEditors || s.previewLimits.exceeded(w, r, s.Client(r)) ||
			!s.isFingerprint(fingerprint(token)) {
			next.ServeHTTP(w, r)
			return
		}
		session, err := s.preview(r)
		if err == nil {
			session.Values[previewValue] = fingerprint(token)
			err = session.Save(r, w)
		}
		if err != nil {
			s.Log.ErrorContext(r.Context(), "preview session not saved", "error", err)
			s.fail(w, r, http.StatusServiceUnavailable)
			return
		}
		query.Del(previewQuery)
		to := r.URL.EscapedPath()
		if rest := query.Encode(); rest != "" {
			to += "?" + rest
		}
		redirect(w, http.StatusSeeOther, to)
	})
}

// fingerprint is a token as the cookie holds it.
func fingerprint(token string) string {
	sum := sha256.Sum256([]byte("zedcard preview " + token))
	return hex.EncodeToString(sum[:])
}

func (s *site) isFingerprint(text string) bool {
	return subtle.ConstantTimeCompare([]byte(text), []byte(fingerprint(s.PreviewToken))) == 1
}

// preview is the editor's session; one that can't be read starts empty.
func (s *site) preview(r *http.Request) (*sessions.Session, error) {
	store, err := s.sessions(r)
	if err != nil {
		return nil, err
	}
	store.MaxAge(previewHours * 60 * 60)
	session, err := store.New(r, previewName)
	if err != nil {
		session.Values = map[any]any{}
	}
	return session, nil
}

// mayPreview reports whether the visitor is an editor.
func (s *site) mayPreview(r *http.Request) bool {
	if s.Site.Dev {
		return true
	}
	if _, err := r.Cookie(previewName); err != nil || s.PreviewToken == "" {
		return false
	}
	session, err := s.preview(r)
	if err != nil {
		s.Log.WarnContext(r.Context(), "preview session not read", "error", err)
		return false
	}
	given, _ := session.Values[previewValue].(string)
	return s.isFingerprint(given)
}

// showsKeys reports whether an editor asks for the page with the keys of its texts.
func (s *site) showsKeys(r *http.Request) bool {
	return r.URL.Query().Get("copy") == "keys" && s.mayPreview(r)
}

// keepPrivate keeps an answer out of every cache and search engine.
func keepPrivate(w http.ResponseWriter) {
	w.Header().Set("X-Robots-Tag", "noindex, nofollow")
	w.Header().Set("Cache-Control", "private, no-store")
}

// withKeys shows the keys of a page's texts, and lists all of them at its end: those in
// attributes, and those that only a script shows, too.
func (s *site) withKeys(r *http.Request, body []byte) ([]byte, error) {
	body, found := copydesk.Reveal(body)
	end := bytes.LastIndex(body, []byte("</body>"))
	if end < 0 {
		return body, nil // a part of a page
	}
	page := s.page(r)
	page.ShowKeys = false
	var list bytes.Buffer
	if err := views.CopyTextsOnPage(page, found).Render(r.Context(), &list); err != nil {
		return nil, err
	}
	return slices.Concat(body[:end], list.Bytes(), body[end:]), nil
}

// showCopy lists every text in all languages, unfinished ones first: with ?screen= those of one screen, with ?only=open
// those that are unfinished, with ?q= those that have it, with ?lang= beside the first language one alone. Everybody
// but editors gets a 404.
func (s *site) showCopy(w http.ResponseWriter, r *http.Request) error {
	if !s.mayPreview(r) {
		return agency.ErrNotFound
	}
	page := s.editorsPage(w, r)
	page.Title = page.T("copy.title")
	query := r.URL.Query()
	desk := views.NewCopyDesk(copydesk.Uses(), s.pageOf(r), views.CopyFilter{
		Screen: query.Get("screen"), Open: query.Get("only") == "open", Search: query.Get("q"),
		Lang: i18n.Lang(query.Get("lang")),
	})
	return s.renderPage(w, r, page, views.CopyPage(page, desk))
}

// editorsPage is a page for editors alone.
func (s *site) editorsPage(w http.ResponseWriter, r *http.Request) *views.Page {
	keepPrivate(w)
	page := s.page(r)
	page.Screen, page.Address, page.NoIndex, page.ForEditors = "", nil, true, true
	return page
}

// pageOf gives the address of a page that shows a screen: the screen's own, or that of the first talent or post; empty
// where there is none.
func (s *site) pageOf(r *http.Request) func(lang i18n.Lang, screen string) string {
	var talents []*agency.Talent
	if roster, err := s.Catalog.Roster(r.Context()); err == nil { // else those links are left out
		talents = roster.All()[:min(2, roster.Len())]
	}
	kind := s.Site.BlogTypes[0]
	posts, _, err := s.Catalog.Posts(r.Context(), kind, catalog.FirstPosts)
	if err != nil {
		posts = nil
	}
	return func(lang i18n.Lang, screen string) string {
		switch screen := routes.Screen(screen); {
		case screen == copydesk.EveryPage:
			return routes.Path(lang, routes.Contact)
		case screen == copydesk.EditorsView:
			return routes.Copy
		case screen == copydesk.ErrorPage:
			return routes.Path(lang, routes.Models) + "/0/0"
		case screen == routes.Profile && len(talents) > 0:
			return routes.Talent(lang, talents[0])
		case screen == routes.Compare && len(talents) > 1:
			return routes.TalentsPath(lang, routes.Compare, []string{talents[0].ID, talents[1].ID})
		case screen == routes.BlogType:
			return routes.PostListPath(lang, kind)
		case screen == routes.Post && len(posts) > 0:
			return routes.PostPath(lang, kind, posts[0].Slug)
		case slices.Contains(fixedScreens, screen), slices.Contains(routes.Lists(), screen):
			return routes.Path(lang, screen)
		}
		return ""
	}
}

// fixedScreens are the screens whose address has no variable part.
var fixedScreens = []routes.Screen{
	routes.Home, routes.Apply, routes.About, routes.Contact, routes.FutureFace, routes.Privacy, routes.Safety,
	routes.Blog, routes.Favorites,
}
