package handlers

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/routes"
	"zedcard/views"
)

// Folder is what the agency's folder adds to the site.
type Folder interface {
	Own(context.Context) *agency.Own
	OpenFile(name string) (fs.File, error)
	// Faults are what zedcard check says of it; status is what the site answers to an address.
	Faults(lang *i18n.Language, status func(address string) int) []views.Fault
}

// own are the addresses that the folder adds; none without a folder.
func (s *server) own(ctx context.Context) *agency.Own {
	if s.Folder == nil {
		return &agency.Own{}
	}
	return s.Folder.Own(ctx)
}

// withOwn answers the addresses that the folder adds: files, old addresses and pages.
func (s *server) withOwn(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		own := s.own(r.Context())
		if file, ok := own.Files[r.URL.Path]; ok {
			s.serveOwnFile(w, r, file)
			return
		}
		if to, ok := own.Redirects.Find(r.URL.Path); ok {
			s.redirectOld(w, r, to)
			return
		}
		lang := s.Site.Routes.Language(r.URL.Path)
		name := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, lang.Prefix()), "/")
		if page, ok := own.Pages[name]; ok {
			route := routes.Route{Screen: routes.Own, Lang: lang}
			show := func(w http.ResponseWriter, r *http.Request) error { return s.showOwnPage(w, r, name, page) }
			s.byMethod(s.do(route, s.admitted(nil, route.Screen, show)), nil).ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *server) serveOwnFile(w http.ResponseWriter, r *http.Request, name string) {
	file, err := s.Folder.OpenFile(name)
	if err != nil || r.Header.Get("Service-Worker") != "" { // a script of the folder must not take over the site
		s.notFound(w, r)
		return
	}
	defer file.Close()
	info, err := file.Stat()
	content, seekable := file.(io.ReadSeeker)
	if err != nil || !seekable {
		s.notFound(w, r)
		return
	}
	kind := cmp.Or(mime.TypeByExtension(path.Ext(name)), "text/plain; charset=utf-8")
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "public, max-age=60") // an editor may put another file in its place
	http.ServeContent(w, r, path.Base(name), info.ModTime(), content)
}

// redirectOld leads from an old address to its new one: a path, another site, a talent, or nowhere.
func (s *server) redirectOld(w http.ResponseWriter, r *http.Request, to string) {
	id, isTalent := strings.CutPrefix(to, agency.TalentTarget)
	switch {
	case to == agency.Gone:
		s.fail(w, r, http.StatusGone)
	case isTalent:
		lang := s.Site.Routes.Language(r.URL.Path)
		s.do(routes.Route{Screen: routes.Misplaced, Lang: lang}, func(_ http.ResponseWriter, r *http.Request) error {
			talent, err := s.Catalog.Talent(r.Context(), id)
			if err != nil {
				return err
			}
			return moved{to: s.Site.Routes.Talent(lang, &talent), naming: true}
		}).ServeHTTP(w, r)
	default:
		redirect(w, http.StatusPermanentRedirect, to)
	}
}

// showOwnPage shows a page that the agency has beside the site's.
func (s *server) showOwnPage(w http.ResponseWriter, r *http.Request, name string, own agency.OwnPage) error {
	page := s.page(r)
	text, err := s.text(r.Context(), page, name)
	if err != nil {
		return err
	}
	page.Title, page.Description = text.Title, own.TitleIn(page.Lang)+" – "+s.Site.Name
	page.Address = func(lang *i18n.Language) string { return routes.OwnPath(lang, name) }
	if own.Titles[string(page.Lang.Lang)] == "" { // it is the page of the first language
		page.Canonical = func(*i18n.Language) string { return routes.OwnPath(s.Site.Texts.First(), name) }
	}
	return s.renderPage(w, r, page, views.TextPage(page, text))
}

// footerPages are the own pages that every page has a link to.
func (s *server) footerPages(ctx context.Context, lang *i18n.Language) (links []views.OwnLink) {
	pages := s.own(ctx).Pages
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		if page := pages[name]; page.Footer {
			links = append(links, views.OwnLink{Title: page.TitleIn(lang), Address: routes.OwnPath(lang, name)})
		}
	}
	return links
}

// withDrafts answers editors with drafts, too.
func (s *server) withDrafts(next http.Handler) http.Handler {
	if !s.HasDrafts {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.hasPreview(r) || !s.mayPreview(r) {
			next.ServeHTTP(w, r)
			return
		}
		keepPrivate(w)
		next.ServeHTTP(private{w}, r.WithContext(agency.WithDrafts(r.Context())))
	})
}

// private keeps an answer out of every cache, whatever its handler says.
type private struct{ http.ResponseWriter }

// WriteHeader sends the status with the header that forbids storing.
func (p private) WriteHeader(status int) {
	keepPrivate(p.ResponseWriter)
	p.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (p private) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// showFaults lists what editors should correct in the folder. Everybody else gets a 404.
func (s *server) showFaults(w http.ResponseWriter, r *http.Request) error {
	if !s.mayPreview(r) || s.Folder == nil {
		return agency.ErrNotFound
	}
	page := s.editorsPage(w, r)
	page.Lang = s.Site.Texts.First()
	if lang, ok := s.Site.Texts.Parse(r.URL.Query().Get("lang")); ok {
		page.Lang = lang
	}
	page.Title = page.T("content.title")
	return s.renderPage(w, r, page, views.ContentPage(page, s.Folder.Faults(page.Lang, func(address string) int {
		return Status(context.Background(), s.all, s.Site.Routes, address) // as a visitor, who sees no drafts
	})))
}
