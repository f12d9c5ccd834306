package app

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"zedcard/handlers"
	"zedcard/internal/catalog"
	"zedcard/internal/config"
	"zedcard/internal/database"
	"zedcard/internal/forms"
	"zedcard/internal/intake"
	"zedcard/internal/media"
	"zedcard/internal/picture"
	"zedcard/internal/remote"
	"zedcard/internal/site"
	"zedcard/internal/web"
	"zedcard/views"
)

// Parts are what the screens are made of.
type Parts struct {
	Config   config.Config
	Log      *slog.Logger
	BackEnds BackEnds
	Content  *catalog.Catalog
	Cached   *remote.Content // what Content reads of external back ends; nil: a folder
	Pictures *media.Store
	Keys     database.Keys
	Intake   *intake.Intake
	Worker   *picture.Worker
	Limits   *handlers.Limits
}

// website is the public site.
type website struct {
	Parts
	metrics *web.Metrics
}

// live is the site as it is at each request: a request is answered by the handlers of one site, which are made when the
// first one asks after the site has changed.
func (s website) live() http.Handler {
	var (
		mu      sync.Mutex
		made    *site.Site
		current http.Handler
	)
	live := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now := s.BackEnds.Site()
		mu.Lock()
		if made != now {
			made, current = now, s.handler(now)
		}
		handler := current
		mu.Unlock()
		handler.ServeHTTP(w, r)
	})
	if s.Config.Public() {
		return live
	}
	return web.WarnOfHost(s.Log, config.IsPublic)(live)
}

// pageCacheBytes is the memory for cached pages: some 5,000 pages in the encodings of browsers.
const pageCacheBytes = 64 << 20

// handler is the handlers of a site with the middleware around them.
func (s website) handler(decided *site.Site) http.Handler {
	c := s.Config
	maxAge := remote.DefaultFreshFor // so that the back ends are asked
	if s.BackEnds.embedded != nil {
		maxAge = 24 * time.Hour // the version says when the folder has changed
	}
	var pages *web.PageCache
	if !c.Dev { // where texts and scripts change
		pages = web.NewPageCache(web.PageCacheOptions{
			MaxBytes: pageCacheBytes,
			MaxAge:   maxAge,
			Version: func(now time.Time) web.PageVersion {
				content := s.Content.Version() + s.Pictures.Version()
				return web.PageVersion{Content: content, Year: now.Year(), Day: now.YearDay()}
			},
			Now: time.Now,
		})
	}
	all, fail := s.Screens(decided, pages)
	return web.Chain(all,
		web.RequestLog(s.Log, s.metrics.Observe, c.TrustedProxies),
		web.WarnOfProxy(s.Log, c.TrustedProxies),
		web.StrictTransport(c.HTTPS(), c.TrustedProxies),
		web.ContentUsage(decided.ContentUsage()),
		pages.Serve,
		web.Recover(s.Log, fail),
		web.CrossOrigin(c.BaseURL, fail),
	)
}

// Screens are the handlers of a site, without the middleware. Pages are kept in a cache, if there is one.
func (p Parts) Screens(decided *site.Site, pages *web.PageCache) (all http.Handler, fail web.ErrorPage) {
	c, isEmbedded := p.Config, p.BackEnds.embedded != nil
	var visit func(context.Context) context.Context
	if p.Cached != nil {
		visit = p.Cached.Visit
	}
	phones := forms.Phones(decided.Phones)
	if phones == forms.InternationalPhones && decided.Country != "" {
		phones = forms.Phones(decided.Country)
	}
	return handlers.New(handlers.Services{
		Site: views.Site{
			Site: decided, BaseURL: c.BaseURL, Dev: c.Dev, Panel: !c.Embedded(),
			Pictures: pictures{p.Pictures, storageRoot}, Slides: pictures{p.Pictures, slidesRootOf(c)},
		},
		Content: handlers.Content{
			Catalog: p.Content, Visit: visit, Folder: p.BackEnds.Folder(c), Composites: p.BackEnds.Composites,
			Pictures: pictures{p.Pictures, storageRoot}, FullMeasures: c.MinorMeasures == config.MeasuresFull,
			Pages: pages, CDNMaxAge: c.CDNMaxAge,
		},
		Forms: handlers.Forms{
			Intake: p.Intake, Worker: p.Worker, TempDir: c.DataDir, AskGuardians: c.SMTPURL != "",
			Phones: phones, AskSkinColor: c.AskSkinColor, Official: c.OfficialContacts(decided.Site),
		},
		Editors: handlers.Editors{
			PreviewToken: string(c.PreviewToken), EditorsOpen: c.Dev, HasDrafts: isEmbedded,
		},
		Client:        func(r *http.Request) string { return web.ClientIP(r, c.TrustedProxies) },
		Limits:        p.Limits,
		OtherHandlers: map[string]http.Handler{media.Prefix: p.Pictures.Handler()},
		Keys:          p.Keys.For("session"),
		HTTPS:         func(r *http.Request) bool { return c.HTTPS() || web.Secure(r, c.TrustedProxies) },
		Now:           time.Now,
		Log:           p.Log,
	})
}
