package handlers

import (
	"net/http"

	"github.com/gorilla/mux"

	"zedcard/i18n"
	"zedcard/internal/admission"
	"zedcard/internal/agency"
	"zedcard/internal/brand"
	"zedcard/internal/cache"
	"zedcard/internal/routes"
	"zedcard/static"
)

// handler answers a request or returns an error having written nothing.
type handler func(w http.ResponseWriter, r *http.Request) error

// New is the handler of the whole site, with every screen of the routes table. fail writes the error page, for the
// middleware.
func New(services Services) (all http.Handler, fail func(http.ResponseWriter, *http.Request, int)) {
	s := &site{
		Services:      services,
		contactLimits: newLimits(30, 300), applyLimits: newLimits(30, 120), previewLimits: newLimits(30, 300),
		guardianLimits: newLimits(30, 300), checkLimits: newLimits(30, 300),
		sharePictures: cache.New(cache.Options[shareKey, []byte]{MaxEntries: shareCards, TTL: shareCardTTL}),
	}
	if s.Admission == nil {
		s.Admission = admission.New()
	}
	if s.Site.Texts == nil {
		s.Site.Texts = i18n.New(nil, nil)
		s.Site.Boards = agency.NewBoards(nil)
		s.Site.Routes = routes.New(s.Site.Texts, s.Site.Boards)
	}
	if s.Site.Look == nil {
		s.Site.Look = brand.Of(nil)
	}
	// The same for every visitor without a cookie. Forms are not: each page has a token of its own.
	shared := map[routes.Screen]handler{
		routes.Home:       s.showHome,
		routes.Profile:    s.showProfile,
		routes.About:      s.showAbout,
		routes.Privacy:    s.showText,
		routes.Safety:     s.showText,
		routes.FutureFace: s.showFutureFace,
		routes.Blog:       s.showBlog,
		routes.BlogType:   s.showBlog,
		routes.Post:       s.showPost,
		routes.Feed:       s.showFeed,
	}
	for _, list := range s.Site.Routes.Lists() {
		shared[list] = s.showList
	}
	pages := map[routes.Screen]handler{
		routes.AllTalents: s.showList,
		routes.Misplaced:  s.showProfile,
		routes.Frames:     s.showFrames,
		routes.Favorites:  s.showFavorites,
		routes.Compare:    s.showCompare,
		routes.Dock:       s.showDock,
	}
	// Forms are never refused, and downloads have limits of their own.
	screens := map[routes.Screen]handler{
		routes.Contact:     s.showContact,
		routes.Apply:       s.showApply,
		routes.KeptPhoto:   s.showKeptPhoto,
		routes.Guardian:    s.showGuardian,
		routes.Composite:   s.downloadComposite,
		routes.Composites:  s.downloadComposites,
		routes.ShareScreen: s.shareScreen,
		routes.ShareTalent: s.shareTalent,
	}
	for screen, answer := range shared {
		screens[screen] = s.admitted(s.Pages, screen, answer)
	}
	for screen, answer := range pages {
		screens[screen] = s.admitted(nil, screen, answer)
	}
	posts := map[routes.Screen]handler{
		routes.Favorites: s.changeFavorites,
		routes.Contact:   s.submitContact,
		routes.Apply:     s.submitApply,
		routes.Guardian:  s.confirmGuardian,
		routes.Safety:    s.checkMessage,
	}

	router := mux.NewRouter().SkipClean(true).UseEncodedPath()
	router.PathPrefix(static.Prefix).Handler(static.Handler(s.notFound))
	for prefix, other := range s.OtherHandlers {
		router.PathPrefix(prefix).Handler(other)
	}
	handle := func(route routes.Route, get, post handler) {
		var take http.Handler
		if post != nil {
			take = s.do(route, post)
		}
		router.Handle(route.Pattern, s.byMethod(s.do(route, get), take))
	}
	for _, route := range s.Site.Routes.All() {
		if answer, ok := screens[route.Screen]; ok {
			handle(route, answer, posts[route.Screen])
		}
	}
	english := s.Site.Texts.In(i18n.EN)
	outside := func(screen routes.Screen, lang *i18n.Language, pattern string, get, post handler) {
		handle(routes.Route{Screen: screen, Lang: lang, Pattern: pattern}, get, post)
	}
	for pattern, answer := range s.crawlers() {
		outside(crawlerScreen, english, pattern, s.admitted(s.Pages, crawlerScreen, answer), nil)
	}
	outside(copyScreen, english, routes.Copy, s.admitted(nil, copyScreen, s.showCopy), nil)
	outside(copyScreen, s.Site.Texts.First(), routes.Content, s.admitted(nil, copyScreen, s.showFaults), nil)
	if !s.Site.Panel { // else the panel has an inbox of its own
		outside(inboxScreen, english, routes.Inbox, s.showInbox, nil)
		outside(inboxScreen, english, routes.InboxSubmission, s.showSubmission, s.changeSubmission)
		outside(inboxScreen, english, routes.InboxPhoto, s.showInboxPhoto, nil)
	}
	router.NotFoundHandler = http.HandlerFunc(s.notFound)
	return s.exchangeToken(s.withDrafts(s.withOwn(s.redirectSpellings(router)))), s.fail
}

// byMethod answers a request with the handler of its method; post may be nil. The router would try a pattern again for
// each method, and most requests pass most patterns.
func (s *site) byMethod(get, post http.Handler) http.Handler {
	allow := "GET, HEAD"
	if post != nil {
		allow += ", POST"
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet || r.Method == http.MethodHead:
			get.ServeHTTP(w, r)
		case r.Method == http.MethodPost && post != nil:
			post.ServeHTTP(w, r)
		default:
			w.Header().Set("Allow", allow)
			s.fail(w, r, http.StatusMethodNotAllowed)
		}
	})
}

// redirectSpellings redirects other spellings of an address to its canonical one, with the query.
func (s *site) redirectSpellings(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to, moved := s.Site.Routes.Redirect(r.URL.EscapedPath())
		if !moved {
			next.ServeHTTP(w, r)
			return
		}
		if r.URL.RawQuery != "" {
			to += "?" + r.URL.RawQuery
		}
		redirect(w, http.StatusPermanentRedirect, to)
	})
}
