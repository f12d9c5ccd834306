package handlers

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/gorilla/mux"
	"github.com/zeebo/xxh3"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/requestid"
	"zedcard/internal/routes"
	"zedcard/internal/web"
	"zedcard/views"
	"zedcard/views/ui"
)

// optionalWait is how long a page waits for optional content, such as the links to social media.
const optionalWait = 300 * time.Millisecond

type routeKey struct{}

// moved is the error of a handler whose content has another address. No cache stores one that carries a name: a talent
// may be a minor, or be forgotten.
type moved struct {
	to     string
	naming bool
}

func (m moved) Error() string { return "moved to " + m.to }

// do runs the handler of a screen and turns its error into a page.
func (s *server) do(route routes.Route, answer handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		web.SetScreen(r.Context(), string(route.Screen))
		ctx := context.WithValue(r.Context(), routeKey{}, route)
		r = r.WithContext(s.Visit(ctx))
		err := answer(w, r)
		var redirected moved
		switch {
		case err == nil:
		case errors.As(err, &redirected):
			if redirected.naming {
				w.Header().Set("Cache-Control", "no-store")
			}
			redirect(w, http.StatusPermanentRedirect, redirected.to)
		case errors.Is(err, agency.ErrGone):
			s.fail(w, r, http.StatusGone)
		case errors.Is(err, agency.ErrNotFound):
			s.fail(w, r, http.StatusNotFound)
		case errors.Is(err, errBusy):
			s.failPlainly(w, r, http.StatusServiceUnavailable)
		case errors.Is(err, agency.ErrUnavailable):
			s.Log.WarnContext(r.Context(), "content unavailable", "screen", route.Screen, "error", err)
			s.fail(w, r, http.StatusServiceUnavailable)
		case errors.Is(err, context.Canceled) && r.Context().Err() != nil:
			// The visitor has gone. Returning would send an empty page with status 200.
			panic(http.ErrAbortHandler)
		default:
			s.Log.ErrorContext(r.Context(), "handler failed", "screen", route.Screen, "error", err)
			s.fail(w, r, http.StatusInternalServerError)
		}
	})
}

// What stands beside the screens, without a language, in the log and in metrics: the files of crawlers, the editors'
// pages, and the agency's inbox.
const (
	crawlerScreen routes.Screen = "crawlers"
	copyScreen    routes.Screen = "copy"
	inboxScreen   routes.Screen = "inbox"
)

// routeOf is the route of a request; for a 404 only its language is set.
func (s *server) routeOf(r *http.Request) routes.Route {
	if route, ok := r.Context().Value(routeKey{}).(routes.Route); ok {
		return route
	}
	return routes.Route{Lang: s.Site.Routes.Language(r.URL.Path)}
}

// variable is a part of the address, unescaped; mux matches escaped paths.
func variable(r *http.Request, name string) string {
	unescaped, _ := url.PathUnescape(mux.Vars(r)[name]) // net/http refuses a path that can't be
	return unescaped
}

// wantsPart reports whether htmx asks for a part of a page, which a script puts into one that is shown.
func wantsPart(r *http.Request) bool { return r.Header.Get("HX-Request-Type") == "partial" }

// page is what every view of the request's screen needs.
func (s *server) page(r *http.Request) *views.Page {
	route := s.routeOf(r)
	ctx, cancel := context.WithTimeout(r.Context(), optionalWait)
	defer cancel()
	social, err := s.Catalog.SocialMedias(ctx)
	if err != nil {
		social = nil // the footer goes without
		web.MarkIncomplete(r.Context())
	}
	site, saves := &s.Site, web.SavesData(r)
	if saves {
		site = new(s.Site)
		site.Pictures, site.Slides = ui.Smallest{Pictures: site.Pictures}, ui.Smallest{Pictures: site.Slides}
	}
	return &views.Page{
		Site:          site,
		SavesData:     saves,
		Lang:          route.Lang,
		Screen:        route.Screen,
		Address:       func(lang *i18n.Language) string { return s.Site.Routes.Path(lang, route.Screen) },
		Social:        social,
		OwnPages:      s.footerPages(r.Context(), route.Lang),
		Year:          s.Now().Year(),
		Saved:         s.savedIDs(r),
		Empty:         s.emptyBoards(ctx, r),
		HasSafetyPage: !s.Catalog.EntityMissing(agency.SafetyPage),
		ShowKeys:      s.showsKeys(r),
	}
}

// emptyBoards are the site's own boards and parts with nobody on them; none while the talents are not available.
func (s *server) emptyBoards(ctx context.Context, r *http.Request) (empty []*agency.Group) {
	if !s.Site.Boards.Own() {
		return nil
	}
	roster, err := s.Catalog.Roster(ctx)
	if err != nil {
		web.MarkIncomplete(r.Context())
		return nil
	}
	for _, group := range s.Site.Boards.Groups() {
		if roster.IsEmpty(group) {
			empty = append(empty, group)
		}
	}
	return empty
}

// sheet formats measures; without the options hair and eyes stay as the back end gave them.
func (s *server) sheet(r *http.Request) agency.MeasureFormatter {
	sheet := agency.MeasureFormatter{Today: s.Now(), Full: s.FullMeasures, Metric: s.Site.Metric}
	ctx, cancel := context.WithTimeout(r.Context(), optionalWait)
	defer cancel()
	if options, err := s.Catalog.Options(ctx, string(i18n.EN), ""); err == nil {
		sheet.Hair, sheet.Eyes, sheet.Sizes = options.Hair, options.Eyes, options.Sizes
	} else {
		web.MarkIncomplete(r.Context())
	}
	return sheet
}

// renderPage renders a whole page before the first byte is sent, with an ETag of its content. The page may be cached
// under its own address, except a minor's, which crawlers that collect training data must not get.
func (s *server) renderPage(w http.ResponseWriter, r *http.Request, page *views.Page, view templ.Component) error {
	if page.Address != nil && !page.ShowKeys && !page.NoImageIndex {
		web.MarkCacheable(r.Context(), page.Address(page.Lang))
	}
	return s.renderPart(w, r, view)
}

// renderPart renders a page, or a part of one for a script.
func (s *server) renderPart(w http.ResponseWriter, r *http.Request, view templ.Component) error {
	return s.render(w, r, view, func(body []byte) error { return s.send(w, r, htmlType, body) })
}

const htmlType = "text/html; charset=utf-8"

// render renders a page, and then writes it.
func (s *server) render(
	w http.ResponseWriter, r *http.Request, view templ.Component, write func(body []byte) error,
) error {
	buffer := templ.GetBuffer()
	defer templ.ReleaseBuffer(buffer)
	if err := view.Render(r.Context(), buffer); err != nil {
		return err
	}
	if s.showsKeys(r) {
		keepPrivate(w)
	}
	return write(buffer.Bytes())
}

// send writes an answer that caches may store but must revalidate, unless the handler has set Cache-Control.
func (s *server) send(w http.ResponseWriter, r *http.Request, kind string, body []byte) error {
	etag := `"` + strconv.FormatUint(xxh3.Hash(body), 36) + `"`
	header := w.Header()
	header.Add("Vary", "Cookie") // hearts and their count follow the session, where there is one
	header.Add("Vary", "Save-Data")
	switch {
	case header.Get("Cache-Control") != "":
	case s.hasSession(r):
		header.Set("Cache-Control", "private, no-cache")
	default:
		header.Set("Cache-Control", s.cacheControl())
	}
	header.Set("ETag", etag)
	if web.Matches(r.Header.Get("If-None-Match"), etag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	header.Set("Content-Type", kind)
	_, _ = w.Write(body) // #nosec G705 -- escaped when it was made; fails only if the visitor has left
	return nil
}

// sendXML writes a document for programs.
func (s *server) sendXML(w http.ResponseWriter, r *http.Request, kind string, write func(io.Writer) error) error {
	var body bytes.Buffer
	if err := write(&body); err != nil {
		return err
	}
	return s.sendFile(w, r, kind+"; charset=utf-8", body.Bytes())
}

// sendFile sends a file for programs. It is the same for everybody and has one address, so it may be cached.
func (s *server) sendFile(w http.ResponseWriter, r *http.Request, kind string, body []byte) error {
	web.MarkCacheable(r.Context(), r.URL.EscapedPath())
	return s.send(w, r, kind, body)
}

// cacheControl is the Cache-Control of answers that are the same for everybody. Browsers revalidate each time. A CDN
// may keep them longer, and serve them while the site is down (RFC 5861).
func (s *server) cacheControl() string {
	const browser = "public, max-age=0, "
	const revalidate = "stale-while-revalidate=60"
	if s.CDNMaxAge <= 0 {
		return browser + revalidate
	}
	return fmt.Sprintf("%ss-maxage=%d, %s, stale-if-error=86400", browser, int(s.CDNMaxAge.Seconds()), revalidate)
}

// detached detaches a request's context once the body was read. A body that stalls or breaks off cancels the
// context, although the answer may still arrive.
func detached(r *http.Request) *http.Request {
	return r.WithContext(context.WithoutCancel(r.Context()))
}

// bodyFailed answers a request whose body could not be read.
func (s *server) bodyFailed(w http.ResponseWriter, r *http.Request, err error) {
	s.fail(w, detached(r), readStatus(err))
}

// readStatus is the status of the answer to a request whose body could not be read.
func readStatus(err error) int {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout
	case errors.As(err, &tooLarge), errors.Is(err, multipart.ErrMessageTooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, errBusy):
		return http.StatusServiceUnavailable
	}
	return http.StatusBadRequest
}

// fail answers with the error page of a status, or with a plain one: if that fails or panics, and where it is programs
// that send too much.
func (s *server) fail(w http.ResponseWriter, r *http.Request, status int) {
	if status == http.StatusRequestTimeout || status == http.StatusTooManyRequests {
		s.failPlainly(w, r, status)
		return
	}
	write := func(body []byte) error { return writeUnstored(w, r, status, htmlType, body) }
	err := withoutPanic(func() error { return s.render(w, r, s.failure(r, status), write) })
	if err != nil {
		s.Log.ErrorContext(r.Context(), "error page failed", "error", err)
		s.failPlainly(w, r, status)
	}
}

// failPlainly answers with the plain page of a status.
func (s *server) failPlainly(w http.ResponseWriter, r *http.Request, status int) {
	lang := s.routeOf(r).Lang
	var plain bytes.Buffer
	_ = views.Plain(lang, lang.T(messageKeys[status])).Render(r.Context(), &plain) // a Buffer takes all
	_ = writeUnstored(w, r, status, htmlType, plain.Bytes())
}

// writeUnstored writes an answer that nobody may store, unless its Cache-Control says otherwise.
func writeUnstored(w http.ResponseWriter, r *http.Request, status int, kind string, body []byte) error {
	header := w.Header()
	if kind == htmlType {
		body = web.Compress(r, header, body)
	}
	header.Set("Cache-Control", cmp.Or(header.Get("Cache-Control"), "no-store"))
	if status == http.StatusServiceUnavailable {
		header.Set("Retry-After", "30")
	}
	header.Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = w.Write(body) // #nosec G705 -- templ escaped it, or it is a picture; fails only if the visitor has left
	return nil
}

// withoutPanic turns a panic into an error without its value, which may hold what a visitor typed.
func withoutPanic(answer func() error) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic of kind %T", reason)
		}
	}()
	return answer()
}

// failure is the error page of a status.
func (s *server) failure(r *http.Request, status int) templ.Component {
	page := s.page(r)
	page.Screen, page.Address, page.NoIndex = "", nil, true
	key := messageKeys[status]
	if status == http.StatusServiceUnavailable {
		key = cmp.Or(unavailableKeys[s.routeOf(r).Screen], key)
	}
	page.Title = page.T(key)
	failure := views.Failure{Status: status, Message: page.Title, Retry: status >= http.StatusInternalServerError}
	if failure.Retry {
		failure.Reference = requestid.Of(r.Context())
	}
	return views.Error(page, failure)
}

// unavailableKeys are the keys of what error pages say of an unavailable download.
var unavailableKeys = map[routes.Screen]string{
	routes.Composite: "error.composite", routes.Composites: "error.composites", routes.Pack: "error.composites",
}

// messageKeys are the keys of what error pages say.
var messageKeys = map[int]string{
	http.StatusBadRequest:            "error.400",
	http.StatusForbidden:             "error.403",
	http.StatusNotFound:              "error.404",
	http.StatusMethodNotAllowed:      "error.405",
	http.StatusRequestTimeout:        "error.408",
	http.StatusGone:                  "error.410",
	http.StatusRequestEntityTooLarge: "error.413",
	http.StatusTooManyRequests:       "error.429",
	http.StatusInternalServerError:   "error.500",
	http.StatusServiceUnavailable:    "error.503",
}

func (s *server) notFound(w http.ResponseWriter, r *http.Request) {
	s.fail(w, r, http.StatusNotFound)
}

// redirect sends the browser to another address: after a form with 303, so that a reload sends nothing again.
func redirect(w http.ResponseWriter, status int, to string) {
	header := w.Header()
	header.Set("Location", to)
	switch {
	case status == http.StatusSeeOther:
		header.Set("Cache-Control", "no-store")
	case header.Get("Cache-Control") == "":
		header.Set("Cache-Control", "public, max-age=3600")
	}
	w.WriteHeader(status)
}
