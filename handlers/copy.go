package handlers

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"

	"github.com/gorilla/sessions"

	"zedcard/internal/agency"
	"zedcard/internal/routes"
	"zedcard/internal/web"
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
func (s *server) exchangeToken(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		token := query.Get(previewQuery)
		isForEditors := r.URL.Path == routes.Copy || r.URL.Path == routes.Content || query.Get("copy") == "keys"
		if token == "" || s.PreviewToken == "" || !isForEditors || s.Limits.tokens.exceeded(w, r, s.Client(r)) ||
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

func (s *server) isFingerprint(text string) bool {
	return subtle.ConstantTimeCompare([]byte(text), []byte(fingerprint(s.PreviewToken))) == 1
}

// preview is the editor's session; one that can't be read starts empty.
func (s *server) preview(r *http.Request) (*sessions.Session, error) {
	store, err := s.sessions(r)
	if err != nil {
		return nil, err
	}
	store.MaxAge(previewHours * 60 * 60)
	session, err := store.New(r, s.cookieName(r, previewName))
	if err != nil {
		session.Values = map[any]any{}
	}
	return session, nil
}

// hasPreview reports whether the request carries the cookie, whatever is in it.
func (s *server) hasPreview(r *http.Request) bool {
	_, err := r.Cookie(s.cookieName(r, previewName))
	return err == nil
}

// mayPreview reports whether the visitor is an editor.
func (s *server) mayPreview(r *http.Request) bool {
	if s.EditorsOpen || web.FromHere(r) {
		return true
	}
	if !s.hasPreview(r) || s.PreviewToken == "" {
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
func (s *server) showsKeys(r *http.Request) bool {
	return r.URL.Query().Get("copy") == "keys" && s.mayPreview(r)
}

// keepPrivate keeps an answer out of every cache and search engine.
func keepPrivate(w http.ResponseWriter) {
	w.Header().Set("X-Robots-Tag", "noindex, nofollow")
	w.Header().Set("Cache-Control", "private, no-store")
}

// showCopy lists every text in all languages, unfinished ones first, with ?q= those that have it. Everybody but editors
// gets a 404.
func (s *server) showCopy(w http.ResponseWriter, r *http.Request) error {
	if !s.mayPreview(r) {
		return agency.ErrNotFound
	}
	page := s.editorsPage(w, r)
	page.Title = page.T("copy.title")
	return s.renderPage(w, r, page, views.CopyPage(page, views.NewCopyDesk(s.Site.Texts, r.URL.Query().Get("q"))))
}

// editorsPage is a page for editors alone.
func (s *server) editorsPage(w http.ResponseWriter, r *http.Request) *views.Page {
	keepPrivate(w)
	if !s.hasPreview(r) { // from now on the editor sees drafts, too
		http.SetCookie(w, &http.Cookie{
			Name: s.cookieName(r, previewName), Value: "here", Path: "/", Secure: s.HTTPS(r), HttpOnly: true,
			SameSite: http.SameSiteLaxMode,
		})
	}
	page := s.page(r)
	page.Screen, page.Address, page.NoIndex, page.ForEditors = "", nil, true, true
	return page
}
