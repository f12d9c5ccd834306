package handlers

import (
	"net/http"

	"github.com/gorilla/mux"

	"zedcard/i18n"
	"zedcard/internal/admission"
	"zedcard/internal/cache"
	"zedcard/internal/pagecache"
	"zedcard/internal/routes"
	"zedcard/static"
)

// handler answers a request or returns an error having written nothing.
type handler func(w http.ResponseWriter, r *http.Request) error

// New is the handler of the whole site, with every screen of the routes table. fail writes the error page, for the
// middleware.
func New(services Services) (all http.Handler, fail func(http.ResponseWriter, *http.Request, int)) {
	s := &site{
		Services: services, sharePictures: newSharePictures(),
		contactLimits: newLimits(30, 300), applyLimits: newLimits(30, 120), previewLimits: newLimits(30, 300),
		guardianLimits: newLimits(30, 300), checkLimits: newLimits(30, 300),
		busyPages: cache.New(cache.Options[busyPageKey, *pagecache.Answer]{MaxEntries: 100}),
	}
	if s.Admission == nil {
		s.Admission = admission.New()
	}
	pages := map[routes.Screen]handler{
		routes.Home:       s.showHome,
		routes.AllTalents: s.showList,
		routes.Profile:    s.showProfile,
		routes.Misplaced:  s.showProfile,
		routes.Frames:     s.showFrames,
		routes.About:      s.showAbout,
		routes.Privacy:    s.showText,
		routes.Safety:     s.showText,
		routes.FutureFace: s.showFutureFace,
		routes.Blog:       s.showBlog,
		routes.BlogType:   s.showBlog,
		routes.Post:       s.showPost,
		routes.Feed:       s.showFeed,
		routes.Offline:    s.showOffline,
		routes.Favorites:  s.showFavorites,
		routes.Compare:    s.showCompare,
		routes.Dock:       s.showDock,
	}
	for _, list := range routes.Lists() {
		pages[list] = s.showList
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
	for screen, answer := range pages {
		screens[screen] = s.admitted(screen, answer)
	}
	posts := map[routes.Screen]handler{
		routes.Favorites: s.changeFavorites,
		routes.Contact:   s.submitContact,
		routes.Apply:     s.submitApply,
		routes.Guardian:  s.confirmGuardian,
		routes.Safety:    s.checkMessage,
	}

	router := mux.NewRouter().SkipClean(true).UseEncodedPath()
	router.PathPrefix(static.Prefix).Handler(
		static.Handler(pagecache.Negotiate, pagecache.CompressWell, s.notFound))
	for prefix, other := range s.OtherHandlers {
		router.PathPrefix(prefix).Handler(other)
	}
	handle := func(pattern string, get, post http.Handler) {
		router.Handle(pattern, s.byMethod(get, post))
	}
	for _, route := range routes.All() {
		answer, ok := screens[route.Screen]
		if !ok {
			continue
		}
		var post http.Handler
		if answer, ok := posts[route.Screen]; ok {
			post = s.do(route, answer)
		}
		handle(route.Pattern, s.do(route, answer), post)
	}
	for pattern, answer := range s.crawlers() {
		route := routes.Route{Screen: crawlerScreen, Lang: i18n.EN, Pattern: pattern}
		handle(pattern, s.do(route, s.admitted(crawlerScreen, answer)), nil)
	}
	copyRoute := routes.Route{Screen: "copy", Lang: i18n.EN, Pattern: routes.Copy}
	handle(routes.Copy, s.do(copyRoute, s.admitted(copyRoute.Screen, s.showCopy)), nil)
	for pattern, answers := range s.inboxRoutes() {
		route := routes.Route{Screen: inboxScreen, Lang: i18n.EN, Pattern: pattern}
		var post http.Handler
		if answers[1] != nil {
			post = s.do(route, answers[1])
		}
		handle(pattern, s.do(route, answers[0]), post)
	}
	router.NotFoundHandler = http.HandlerFunc(s.notFound)
	contentRoute := routes.Route{Screen: "copy", Lang: i18n.First(), Pattern: routes.Content}
	handle(routes.Content, s.do(contentRoute, s.admitted(contentRoute.Screen, s.showFaults)), nil)
	return s.exchangeToken(s.withPreview(s.withOwn(s.redirectSpellings(router)))), s.fail
}

// byMethod answers a request with the handler of its method; post may be nil. The router would try a pattern again for
// each method, and most requests pass most patterns.
func (s *site) byMethod(get, post http.Handler) http.Handler {
	allow := "GET, HEAD"
	if post != nil {
		allow += ", POST"
	}
	notAllowed := s.methodNotAllowed(allow)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet || r.Method == http.MethodHead:
			get.ServeHTTP(w, r)
		case r.Method == http.MethodPost && post != nil:
			post.ServeHTTP(w, r)
		default:
			notAllowed.ServeHTTP(w, r)
		}
	})
}

// redirectSpellings redirects other spellings of an address to its canonical one, with the query.
func (s *site) redirectSpellings(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to, moved := routes.Redirect(r.URL.EscapedPath())
		if !moved {
			next.ServeHTTP(w, r)
			return
		}
		if r.URL.RawQuery != "" {
			to += "?" + r.URL.RawQuery
		}
		redirect(w, to)
	})
}
