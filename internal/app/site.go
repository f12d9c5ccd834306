package app

import (
	"net/http"
	"sync"
	"time"

	"zedcard/handlers"
	"zedcard/internal/admission"
	"zedcard/internal/catalog"
	"zedcard/internal/compress"
	"zedcard/internal/config"
	"zedcard/internal/forms"
	"zedcard/internal/intake"
	"zedcard/internal/media"
	"zedcard/internal/middleware"
	"zedcard/internal/pagecache"
	"zedcard/internal/picture"
	"zedcard/internal/server"
	"zedcard/internal/site"
	"zedcard/static"
	"zedcard/views"
)

// website is everything that the public handler needs.
type website struct {
	*App
	content   *catalog.Catalog
	pictures  *media.Store
	intake    *intake.Intake
	metrics   *server.Metrics
	worker    *picture.Worker
	admission *admission.Desk
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
		now := s.site()
		mu.Lock()
		if made != now {
			made, current = now, s.handler(now, made)
		}
		handler := current
		mu.Unlock()
		handler.ServeHTTP(w, r)
	})
	if s.Config.Public() {
		return live
	}
	return middleware.WarnOfHost(s.Log, config.IsPublic)(live)
}

// pageCacheBytes is the memory for cached pages: some 5,000 pages in the encodings of browsers.
const pageCacheBytes = 64 << 20

// handler is the handlers of a site with the middleware around them; before is the site that it replaces, or nil.
func (s website) handler(decided, before *site.Site) http.Handler {
	c := s.Config
	maxAge := catalog.DefaultFreshFor // so that the catalogue asks the back ends
	if s.backEnds.embedded != nil {
		maxAge = 24 * time.Hour // the version says when the folder has changed
	}
	var pages *pagecache.Cache
	if !c.Dev { // where texts and scripts change
		pages = pagecache.New(pagecache.Options{
			MaxBytes: pageCacheBytes,
			MaxAge:   maxAge,
			Version: func(now time.Time) pagecache.Version {
				content := s.content.Version() + s.pictures.Version()
				return pagecache.Version{Content: content, Year: now.Year(), Day: now.YearDay()}
			},
			Now: time.Now,
		})
	}
	phones := forms.Phones(decided.Phones)
	if forms.Phones(decided.Phones) == forms.InternationalPhones && decided.Country != "" {
		phones = forms.Phones(decided.Country)
	}
	var filesBefore *static.Files
	if before != nil {
		filesBefore = before.Look.Files
	}
	all, fail := handlers.New(handlers.Services{
		FilesBefore: filesBefore,
		Site: views.Site{
			Site: decided, BaseURL: c.BaseURL, Dev: c.Dev, Panel: !c.Embedded(),
			Pictures: pictures{s.pictures, storageRoot}, Slides: pictures{s.pictures, slidesRootOf(c)},
		},
		Catalog:       s.content,
		Pages:         pages,
		Composites:    s.backEnds.Integration,
		TempDir:       c.DataDir,
		Pictures:      pictures{s.pictures, storageRoot},
		Keys:          s.Keys.For("session"),
		Intake:        s.intake,
		Worker:        s.worker,
		AskGuardians:  c.SMTPURL != "",
		Client:        func(r *http.Request) string { return middleware.ClientIP(r, c.TrustedProxies) },
		HTTPS:         func(r *http.Request) bool { return c.HTTPS() || middleware.Secure(r, c.TrustedProxies) },
		CDNMaxAge:     c.CDNMaxAge,
		FullMeasures:  c.MinorMeasures == config.MeasuresFull,
		Phones:        phones,
		Official:      c.OfficialContacts(decided.Site),
		Admission:     s.admission,
		AskSkinColor:  c.AskSkinColor,
		PreviewToken:  string(c.PreviewToken),
		EditorsOpen:   c.Dev,
		NoAICrawlers:  !c.AICrawlers,
		Now:           time.Now,
		Log:           s.Log,
		Folder:        s.backEnds.Folder(c),
		HasDrafts:     s.backEnds.embedded != nil,
		OtherHandlers: map[string]http.Handler{media.Prefix: s.pictures.Handler()},
	})
	return middleware.Chain(all,
		middleware.RequestLog(s.Log, s.metrics.Observe, c.TrustedProxies),
		middleware.WarnOfProxy(s.Log, c.TrustedProxies),
		middleware.StrictTransport(c.HTTPS(), c.TrustedProxies),
		pages.Serve(middleware.SetScreen),
		middleware.Limits(middleware.DefaultMaxBody),
		compress.Middleware,
		middleware.Recover(s.Log, fail),
		middleware.CrossOrigin(c.BaseURL, fail),
	)
}
