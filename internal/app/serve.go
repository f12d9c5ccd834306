package app

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"iter"
	"net/http"
	"net/url"
	"path/filepath"
	"time"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/admission"
	"zedcard/internal/agency"
	"zedcard/internal/brand"
	"zedcard/internal/catalog"
	"zedcard/internal/config"
	"zedcard/internal/forms"
	"zedcard/internal/intake"
	"zedcard/internal/media"
	"zedcard/internal/middleware"
	"zedcard/internal/pagecache"
	"zedcard/internal/picture"
	"zedcard/internal/server"
	"zedcard/static"
	"zedcard/views"
)

// Serve opens the program and runs the site until ctx ends. It listens before any back end has answered. The log is
// written to logTo.
func Serve(ctx context.Context, c config.Config, logTo io.Writer, build Build) error {
	a, err := Open(ctx, c, logTo)
	if err != nil {
		return err
	}
	defer a.Close()
	log, workers := a.Log, newWorkers()
	defer closeLogged(log, "picture workers", workers)
	log.Info("zedcard", "version", build.Name(), "embedded", c.Embedded())
	if c.Embedded() && c.ContentDir == "" {
		log.Info("this is the demo agency's site; to make it your own: zedcard init lumen, " +
			"then zedcard serve --content-dir lumen")
	}
	a.warnOfWeakSecrets()
	for _, unknown := range c.Unknown {
		log.Warn("a variable is not read: " + unknown)
	}
	a.warnOfDemo()
	for _, fault := range i18n.Check() {
		log.Warn("a text of the site is faulty; where one is missing, the English one is shown", "text", fault)
	}
	if server.IsPublic(c.AdminAddr) {
		log.Warn("ADMIN_ADDR can be reached from outside: keep metrics and profiles private",
			"addr", c.AdminAddr)
	}
	if !static.Built() {
		log.Warn("scripts and styles are not in this program: see make build")
	}

	if c.TracesEndpoint != "" {
		stop, err := startTracing(ctx, c.TracesEndpoint, build.Name(), log)
		if err != nil {
			return err
		}
		defer stop()
	}

	submissions, err := a.Intake()
	if err != nil {
		return err
	}
	backEnds, err := OpenBackEnds(c, log, submissions, workers.Pictures)
	if err != nil {
		return err
	}
	a.backEnds = &backEnds
	go func() { // so that the first visitor needn't wait for it
		for _, err := range backEnds.SignIn(ctx) {
			log.Warn("sign-in to a back end failed; the first call tries again", "error", err)
		}
	}()
	defer runInBackground(ctx, func(ctx context.Context) { submissions.Run(ctx, backEnds.Panel) })()

	var content, drafts *catalog.Catalog
	shown := func(ctx context.Context, id string) iter.Seq[media.PictureSpec] {
		return talentPictures(ctx, id, content, drafts)
	}
	store, err := a.openPictures(ctx, backEnds, workers, shown)
	if err != nil {
		return err
	}
	defer closeLogged(log, "pictures", store)

	options := catalog.Options{
		FreshFor: backEnds.maxAge, Wait: c.BackEndWait, Languages: i18n.Codes(), Snapshot: backEnds.snapshot,
		HiddenFile:     filepath.Join(c.DataDir, "hidden.json"),
		KidsEverywhere: c.KidsListed == config.KidsEverywhere, Log: log,
		Pictures: store,
	}
	if backEnds.embedded != nil {
		options.Drafts = backEnds.embedded.DraftPictures
	}
	content = catalog.New(backEnds.Panel, backEnds.Integration, options)
	defer content.Close()
	if drafts = newDrafts(c, backEnds, options); drafts != nil {
		defer drafts.Close()
	}
	content.Warm()
	defer preparePictures(ctx, c, content, store)()

	served := server.NewMetrics(build.Name())
	served.Registry.MustRegister(metrics{submissions, content, store, a.lines})
	live := newLive(ctx, site{
		App: a, build: build, backEnds: backEnds, content: content, pictures: store, intake: submissions,
		metrics: served, drafts: drafts, workers: workers, admission: admission.New(),
	})
	var public http.Handler = live
	if c.Dev {
		public = liveReload(ctx, log, backEnds, content, public)
	}
	return server.Serve(ctx, log,
		server.Endpoint{
			Setting: "LISTEN_ADDR", Addr: c.ListenAddr, Handler: public, Unreadable: live.unreadable,
		},
		server.Endpoint{Setting: "ADMIN_ADDR", Addr: c.AdminAddr, Handler: server.Admin(ctx, server.AdminConfig{
			Ready: content.Ready, Forms: a.DB.Ready, Metrics: served, Forget: forgetHandler{c.BaseURL, content},
		})})
}

// site is everything that the public handler needs.
type site struct {
	*App
	build    Build
	backEnds BackEnds
	content  *catalog.Catalog
	pictures *media.Store
	workers  picture.Workers
	intake   *intake.Intake
	metrics  *server.Metrics
	drafts   *catalog.Catalog // with drafts, for editors; nil: nobody may see them

	admission *admission.Desk
}

// pageCacheBytes is the memory for cached pages: some 5,000 pages in the encodings of browsers.
const pageCacheBytes = 64 << 20

// pageCache is the cache of whole pages; nil in development, where texts and scripts change.
func (s site) pageCache() *pagecache.Cache {
	if s.Config.Dev {
		return nil
	}
	return pagecache.New(pagecache.Options{
		MaxBytes: pageCacheBytes,
		MaxAge:   cmp.Or(s.backEnds.maxAge, catalog.DefaultFreshFor),
		Version:  func(now time.Time) pagecache.Version { return pagecache.VersionAt(s.content.Version(), now) },
		Now:      time.Now,
	})
}

// publicHandler is the site's handlers with the middleware around them.
func publicHandler(s site) *answers {
	c, decided := s.Config, s.backEnds.Site(s.Config)
	kinds, names := decided.BlogKinds()
	look := brand.Of(decided.Brand)
	static.Replace(look.Files)
	pages := s.pageCache()
	all, fail := handlers.New(s.withDrafts(handlers.Services{
		Site: views.Site{
			Agency: decided.Name, Look: look, PostalAddress: decided.Address, Phone: decided.Phone,
			BookingsEmail: decided.Bookings, AccountingEmail: decided.Accounting,
			PoweredByName: decided.PoweredBy.Name, PoweredByURL: decided.PoweredBy.URL,
			BaseURL: c.BaseURL, BlogTypes: kinds, BlogNames: names, BlogLang: decided.BlogLang,
			Home: decided.Home, Dev: c.Dev,
			Panel:    !c.Embedded(),
			Pictures: pictures{s.pictures, storageRoot}, Slides: pictures{s.pictures, slidesRootOf(c)},
			Storage: c.StorageURL,
		},
		Catalog:       s.content,
		Pages:         pages,
		Composites:    s.backEnds.Integration,
		TempDir:       s.Config.DataDir,
		Pictures:      pictures{s.pictures, storageRoot},
		Keys:          s.Keys.For("session"),
		Intake:        s.intake,
		Workers:       s.workers,
		AskGuardians:  c.SMTPURL != "",
		GuardianFirst: c.AsksGuardiansFirst(),
		Client:        func(r *http.Request) string { return middleware.ClientIP(r, c.TrustedProxies) },
		HTTPS:         func(r *http.Request) bool { return c.HTTPS() || middleware.Secure(r, c.TrustedProxies) },
		CDNMaxAge:     c.CDNMaxAge,
		FullMeasures:  c.MinorMeasures == config.MeasuresFull,
		Metric:        decided.Metric,
		Phones:        phones(decided),
		MinimumAge:    decided.MinimumAge,
		Official:      c.OfficialContacts(decided),
		Admission:     s.admission,
		AskSkinColor:  c.AskSkinColor,
		PreviewToken:  string(c.PreviewToken),
		NoAICrawlers:  !c.AICrawlers,
		Now:           time.Now,
		Log:           s.Log,
		OtherHandlers: map[string]http.Handler{media.Prefix: s.pictures.Handler()},
	}))
	headers := middleware.SecurityHeaders(middleware.Security{
		PictureOrigins: c.PictureOrigins(), VideoOrigins: c.VideoOrigins(),
		HTTPS: c.HTTPS(), TrustedProxies: c.TrustedProxies,
	})
	layers := []func(http.Handler) http.Handler{middleware.RequestLog(s.Log, s.metrics.Observe)}
	if c.TracesEndpoint != "" {
		layers = append(layers, middleware.Trace)
	}
	return &answers{middleware.Chain(all, append(layers,
		middleware.WarnOfProxy(s.Log, c.TrustedProxies),
		headers,
		pages.Serve(middleware.SetScreen),
		middleware.Limits(middleware.DefaultMaxBody),
		middleware.Compress,
		middleware.Recover(s.Log, fail),
		middleware.CrossOrigin(c.BaseURL, fail),
	)...), unreadable(headers, fail)}
}

// phones are the numbers that applicants may have.
func phones(decided agency.Site) forms.Phones {
	if decided.Phones == config.InternationalPhone && decided.Country != "" {
		return forms.Phones(decided.Country)
	}
	return forms.Phones(decided.Phones)
}

// unreadable gives the error pages of requests that reach no handler, in the language of their path.
func unreadable(headers func(http.Handler) http.Handler, fail middleware.ErrorPage) server.ErrorPage {
	return func(path string, status int) *http.Response {
		var page pagecache.Buffer
		headers(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fail(w, r, status) })).
			ServeHTTP(&page, &http.Request{URL: &url.URL{Path: path}})
		_, header, body := page.Result()
		return &http.Response{
			ProtoMajor: 1, ProtoMinor: 1, StatusCode: status, Header: header, Close: true,
			Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
		}
	}
}

// ServeBackEnd runs the embedded back end alone until ctx ends. It has no admin address, so that it can run beside the
// site on one machine.
func (a *App) ServeBackEnd(ctx context.Context) error {
	a.warnOfWeakSecrets()
	a.backEndAlone = true
	received, err := a.Intake()
	if err != nil {
		return err
	}
	workers := newWorkers()
	defer closeLogged(a.Log, "picture workers", workers)
	backEnd, err := openEmbedded(a.Config, a.Log, received, workers.Pictures)
	if err != nil {
		return err
	}
	a.backEnds = &BackEnds{folder: backEnd}
	defer runInBackground(ctx, func(ctx context.Context) { received.Run(ctx, nil) })()
	fail := func(w http.ResponseWriter, _ *http.Request, status int) {
		http.Error(w, http.StatusText(status), status)
	}
	handler := middleware.Chain(backEnd.Handler(),
		middleware.RequestLog(a.Log, nil), middleware.Compress, middleware.Recover(a.Log, fail))
	public := server.Endpoint{Setting: "LISTEN_ADDR", Addr: a.Config.ListenAddr, Handler: handler}
	return server.Serve(ctx, a.Log, public, server.Endpoint{})
}
