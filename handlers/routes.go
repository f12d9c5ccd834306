package handlers

import (
	"context"
	"net/http"
	"os"

	"github.com/gorilla/mux"
	"github.com/zeebo/xxh3"

	"zedcard/i18n"
	"zedcard/internal/cache"
	"zedcard/internal/routes"
	"zedcard/internal/web"
	"zedcard/static"
	"zedcard/views"
)

// handler answers a request or returns an error having written nothing.
type handler func(w http.ResponseWriter, r *http.Request) error

// How an answer is made.
type making int

const (
	shared making = iota // the same for every visitor without a cookie: made when there is room, and kept
	single               // made when there is room, for one visitor
	always               // never refused: forms, and downloads and pictures, which have limits of their own
)

// row is a screen of the site. Its addresses are those of internal/routes, or the only one that stands here.
type row struct {
	screen    routes.Screen
	address   string
	making    making
	get, post handler
}

// screens is the map of the site.
func (s *server) screens() []row {
	all := []row{
		{routes.Home, "", shared, s.showHome, nil},
		{routes.Profile, "", shared, s.showProfile, nil},
		{routes.Misplaced, "", single, s.showProfile, nil},
		{routes.Frames, "", single, s.showFrames, nil},
		{routes.Composite, "", always, s.downloadComposite, nil},
		{routes.AllTalents, "", single, s.showList, nil},

		{routes.Favorites, "", single, s.showFavorites, s.changeFavorites},
		{routes.Composites, "", always, s.downloadComposites, nil},
		{routes.Pack, "", always, s.downloadPack, nil},
		{routes.Compare, "", single, s.showCompare, nil},
		{routes.Dock, "", single, s.showDock, nil},

		{routes.Contact, "", always, s.showContact, s.submitContact},
		{routes.Apply, "", always, s.showApply, s.submitApply},
		{routes.KeptPhoto, "", always, s.showKeptPhoto, nil},
		{routes.Guardian, "", always, s.showGuardian, s.confirmGuardian},

		{routes.About, "", shared, s.showAbout, nil},
		{routes.Privacy, "", shared, s.showText, nil},
		{routes.Safety, "", shared, s.showText, s.checkMessage},
		{routes.FutureFace, "", shared, s.showFutureFace, nil},
		{routes.Blog, "", shared, s.showBlog, nil},
		{routes.BlogType, "", shared, s.showBlog, nil},
		{routes.Post, "", shared, s.showPost, nil},
		{routes.Feed, "", shared, s.showFeed, nil},

		{crawlerScreen, "/robots.txt", shared, s.showRobots, nil},
		{crawlerScreen, routes.Security, shared, s.showSecurity, nil},
		{crawlerScreen, routes.Sitemap, shared, s.showSitemapIndex, nil},
		{crawlerScreen, "/sitemap-{part}", shared, s.showSitemap, nil},
		{crawlerScreen, routes.Manifest, shared, s.showManifest, nil},
		{crawlerScreen, "/favicon.ico", shared, s.moveToIcon, nil},
		{crawlerScreen, "/apple-touch-icon.png", shared, s.moveToIcon, nil},
		{copyScreen, routes.Copy, single, s.showCopy, nil},
		{copyScreen, routes.Content, single, s.showFaults, nil},
	}
	for _, list := range s.Site.Routes.Lists() {
		all = append(all, row{list, "", shared, s.showList, nil})
	}
	if s.Site.NoTraining {
		all = append(all, row{routes.Likeness, "", shared, s.showLikeness, nil})
	}
	if !s.Site.Panel { // else the panel has an inbox of its own
		all = append(all,
			row{inboxScreen, routes.Inbox, always, s.showInbox, nil},
			row{inboxScreen, routes.InboxSubmission, always, s.showSubmission, s.changeSubmission},
			row{inboxScreen, routes.InboxPhoto, always, s.showInboxPhoto, nil},
			row{inboxScreen, routes.InboxPolicy, always, s.showInboxPolicy, nil})
	}
	return all
}

// serve answers the requests for a row's address.
func (s *server) serve(route routes.Route, row row) http.Handler {
	get := row.get
	switch row.making {
	case shared:
		get = s.admitted(s.Pages, row.screen, row.get)
	case single:
		get = s.admitted(nil, row.screen, row.get)
	case always:
	}
	var post http.Handler
	if row.post != nil {
		post = s.do(route, row.post)
	}
	return s.byMethod(s.do(route, get), post)
}

// New is the handler of the whole site, with every screen of the routes table. fail writes the error page, for the
// middleware.
func New(services Services) (all http.Handler, fail func(http.ResponseWriter, *http.Request, int)) {
	s := &server{
		Services:    services,
		packs:       cache.New(cache.Options[xxh3.Uint128, *os.File]{MaxEntries: keptPacks, TTL: keptPackTime}),
		policies:    cache.New(cache.Options[policyKey, string]{MaxEntries: 64}),
		formOptions: cache.New(cache.Options[optionsKey, views.Options]{MaxEntries: 20}),
	}
	if s.Limits == nil {
		s.Limits = NewLimits()
	}
	if s.Visit == nil {
		s.Visit = func(ctx context.Context) context.Context { return ctx }
	}
	router := mux.NewRouter().SkipClean(true).UseEncodedPath()
	router.PathPrefix(static.Prefix).Handler(s.Site.Look.Handler(web.Coding, s.notFound))
	for prefix, other := range s.OtherHandlers {
		router.PathPrefix(prefix).Handler(other)
	}
	table, rows := s.screens(), map[routes.Screen]row{}
	for _, row := range table {
		if row.address == "" {
			rows[row.screen] = row
		}
	}
	for _, route := range s.Site.Routes.All() {
		if row, ok := rows[route.Screen]; ok {
			router.Handle(route.Pattern, s.serve(route, row))
		}
	}
	english := s.Site.Texts.In(i18n.EN)
	for _, row := range table {
		if row.address != "" {
			router.Handle(row.address, s.serve(routes.Route{Screen: row.screen, Lang: english}, row))
		}
	}
	router.NotFoundHandler = http.HandlerFunc(s.notFound)
	s.all = s.exchangeToken(s.withDrafts(s.withOwn(s.redirectSpellings(router))))
	return s.all, s.fail
}

// byMethod answers a request with the handler of its method; post may be nil. The router would try a pattern again for
// each method, and most requests pass most patterns.
func (s *server) byMethod(get, post http.Handler) http.Handler {
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
func (s *server) redirectSpellings(next http.Handler) http.Handler {
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
