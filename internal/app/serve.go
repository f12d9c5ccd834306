package app

import (
	"context"
	"io"
	"net/http"
	"path/filepath"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/internal/api"
	"zedcard/internal/catalog"
	"zedcard/internal/config"
	"zedcard/internal/remote"
	"zedcard/internal/web"
)

// Serve opens the program and runs the site until ctx ends. It listens before any back end has answered. The log is
// written to logTo.
func Serve(ctx context.Context, c config.Config, logTo io.Writer, build Build) error {
	a, err := Open(ctx, c, logTo)
	if err != nil {
		return err
	}
	defer a.Close()
	log, worker := a.Log, newWorker()
	defer closeLogged(log, "picture worker", worker)
	log.Info("zedcard", "version", build.Name(), "embedded", c.Embedded())
	if c.Dev {
		a.useWorkTree()
	}
	a.warn()

	submissions, err := a.Intake()
	if err != nil {
		return err
	}
	a.DB.Watch(ctx, submissions.Probe)
	backEnds, err := OpenBackEnds(c, log, submissions, worker)
	if err != nil {
		return err
	}
	a.backEnds = &backEnds
	go func() { // so that the first visitor needn't wait for it
		for _, err := range backEnds.SignIn(ctx) {
			log.Warn("sign-in to a back end failed; the first call tries again", "error", err)
		}
	}()
	defer runInBackground(ctx, func(ctx context.Context) { submissions.Run(ctx, backEnds.Inbox) })()

	store, err := a.openPictures(ctx, backEnds, worker)
	if err != nil {
		return err
	}
	defer closeLogged(log, "pictures", store)

	source, cached := backEnds.Content(remote.Options{
		Snapshot: filepath.Join(c.DataDir, "catalog.snapshot"), Held: a.tellOfVanished, Log: log,
	})
	ready := func(context.Context) error { return nil }
	if cached != nil {
		ready = cached.Ready
		cached.Warm()
		defer cached.Close()
	}
	content := catalog.Open(source, catalog.Options{
		Boards:         func() *agency.Boards { return backEnds.Site().Boards },
		Dir:            c.DataDir,
		KidsEverywhere: c.KidsListed == config.KidsEverywhere, Log: log,
		Pictures: store,
	})
	defer runInBackground(ctx, content.Run)()
	defer runInBackground(ctx, func(ctx context.Context) { preparePictures(ctx, c, content, store) })()

	served := web.NewMetrics(build.Name(),
		metrics{submissions, cached, store, backEnds.folder, a.DB.Ready}.write)
	public := website{Parts{
		Config: c, Log: log, BackEnds: backEnds, Content: content, Cached: cached, Pictures: store, Keys: a.Keys,
		Intake: submissions, Worker: worker, Limits: handlers.NewLimits(),
	}, served}.live()
	if c.Dev {
		public = liveReload(public)
	}
	return web.Serve(ctx, log,
		web.Endpoint{Setting: "LISTEN_ADDR", Addr: c.ListenAddr, Handler: web.SecurityHeader(public)},
		web.Endpoint{Setting: "ADMIN_ADDR", Addr: c.AdminAddr, Handler: web.Admin(ctx, web.AdminConfig{
			Ready: ready, Forms: a.DB.Ready, Metrics: served,
			Forget: forgetHandler{c.BaseURL, content, backEnds.Site},
		})})
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
	a.DB.Watch(ctx, received.Probe)
	worker := newWorker()
	defer closeLogged(a.Log, "picture worker", worker)
	backEnd, err := openEmbedded(a.Config, a.Log, received, worker)
	if err != nil {
		return err
	}
	a.backEnds = &BackEnds{folder: backEnd}
	defer runInBackground(ctx, func(ctx context.Context) { received.Run(ctx, nil) })()
	fail := func(w http.ResponseWriter, _ *http.Request, status int) {
		http.Error(w, http.StatusText(status), status)
	}
	content := func() api.Content { return backEnd.Content(ctx) }
	handler := web.Chain(api.New(content, backEnd, api.Config{
		PanelSalt: string(a.Config.PanelSalt), APIToken: string(a.Config.PanelAPIToken),
		IntegrationSalt: string(a.Config.IntegrationSalt), APIKey: string(a.Config.IntegrationAPIKey),
		Pictures: backEnd.Pictures(), TempDir: a.Config.DataDir, Log: a.Log,
	}),
		web.RequestLog(a.Log, nil, a.Config.TrustedProxies), web.Recover(a.Log, fail))
	public := web.Endpoint{Setting: "LISTEN_ADDR", Addr: a.Config.ListenAddr, Handler: handler}
	return web.Serve(ctx, a.Log, public, web.Endpoint{})
}
