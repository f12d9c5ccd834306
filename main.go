// Command zedcard is the website of a model and talent agency. main.go joins its parts; it is the
// only file that knows all of them.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/internal/backend/embedded"
	"zedcard/internal/backend/integration"
	"zedcard/internal/backend/panel"
	"zedcard/internal/catalog"
	"zedcard/internal/compcard"
	"zedcard/internal/config"
	"zedcard/internal/database"
	"zedcard/internal/live"
	"zedcard/internal/media"
	"zedcard/internal/middleware"
	"zedcard/internal/server"
	"zedcard/static"
	"zedcard/views"
)

// version is set by the linker (make build).
var version string

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr))
}

// program is what a command may touch of the world.
type program struct {
	args   []string // behind the command's name
	env    func(string) string
	stdout io.Writer
	stderr io.Writer
}

// command is one of the program's; one without an about is not for people. run ends with ctx. Its error is shown, one line for each that
// it joins.
type command struct {
	name  string
	about string
	run   func(ctx context.Context, p program) error
}

func commands() []command {
	return []command{
		{"serve", "serves the site (also without a command)", serve},
		{"backend", "serves the embedded back end alone on LISTEN_ADDR, with both APIs and the pictures", serveBackend},
		{"inbox", "what the forms received: list [--json] | show ID | deliver ID (refused or suspected) | confirm ID (a minor, by an adult) | export DIR (CSV, JSON, photos)", showInbox},
		{"check", "names the faults of configuration, database, content folder and back ends, one a line; exits 1 where there are any", check},
		{"media", "media warm makes every size of the roster's pictures beforehand; --covers: of slides and covers only", warmMedia},
		{"version", "says the version", sayVersion},
		{encodeAVIFCommand, "", encodeAVIF},
	}
}

// errFaults ends check, which has named the faults by then.
var errFaults = errors.New("faults found")

// run runs the command that args begin with and gives the exit code: 2 for a command line that
// nobody knows, 1 for everything else that went wrong.
func run(ctx context.Context, args []string, env func(string) string, stdout, stderr io.Writer) int {
	name := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	all := commands()
	i := slices.IndexFunc(all, func(c command) bool { return c.name == name || name == "" && c.name == "serve" })
	if i < 0 {
		complain(stderr, fmt.Errorf("%w: unknown command %q", config.ErrUsage, name))
		return 2
	}
	err := all[i].run(ctx, program{args: args, env: env, stdout: stdout, stderr: stderr})
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		if name != "" {
			all = all[i : i+1]
		}
		if err := help(stdout, all); err != nil {
			return 1
		}
		return 0
	case errors.Is(err, errFaults):
		return 1
	case errors.Is(err, config.ErrUsage):
		complain(stderr, err)
		return 2
	}
	complain(stderr, err)
	return 1
}

func complain(w io.Writer, err error) {
	hint := ""
	if errors.Is(err, config.ErrUsage) {
		hint = " (zedcard --help explains)"
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		_, _ = fmt.Fprintf(w, "zedcard: %s%s\n", line, hint) // nowhere else to say it
	}
}

func help(w io.Writer, shown []command) error {
	var b strings.Builder
	b.WriteString("zedcard is the website of a model and talent agency.\n\nUsage: zedcard [COMMAND] [--FLAG VALUE]…\n\n")
	for _, c := range shown {
		if c.about == "" {
			continue
		}
		fmt.Fprintf(&b, "  zedcard %-8s %s\n", c.name, c.about)
	}
	b.WriteString("\nSettings, as variable or flag; the flag says more than the variable. Give secrets as variables:\na flag can be read by everybody on the machine.\n\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return config.WriteHelp(w)
}

func sayVersion(_ context.Context, p program) error {
	if _, err := config.Load(p.args, p.env); errors.Is(err, flag.ErrHelp) || errors.Is(err, config.ErrUsage) {
		return err
	}
	_, err := fmt.Fprintf(p.stdout, "zedcard %s (%s)\n", programVersion(), runtime.Version())
	return err
}

// programVersion is what the linker or the module system said.
func programVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

func newLog(c config.Config, w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// serve runs the site. It listens before any back end has answered.
func serve(ctx context.Context, p program) error {
	c, err := config.Load(p.args, p.env)
	if err != nil {
		return err
	}
	log := newLog(c, p.stderr)
	log.Info("zedcard", "version", programVersion(), "embedded", c.Embedded())
	warnOfKeys(c, log)
	if !static.Built() {
		log.Warn("scripts and styles are not in this program: see make build")
	}
	db, err := openDatabase(ctx, c, log)
	if err != nil {
		return err
	}
	defer closeDatabase(db, log)

	box, err := received(c, db, log)
	if err != nil {
		return err
	}
	defer behind(ctx, box.Run)()
	ends, err := openBackEnds(c, log, box)
	if err != nil {
		return err
	}
	go ends.signIn(ctx, log)

	forms, err := openForms(c, db, ends.panel, log)
	if err != nil {
		return err
	}
	defer forms.close(log)
	defer behind(ctx, forms.outbox.Run)()

	site := catalog.New(ends.panel, ends.integration, catalog.Options{Fresh: ends.fresh, Snapshot: ends.snapshot, Log: log})
	defer site.Close()
	site.Warm(ctx)

	keys := secretKeys(c, db)
	store, err := openMedia(ctx, c, log, ends, keys)
	if err != nil {
		return err
	}
	defer closeMedia(store, log)
	defer prepareMedia(ctx, c, site, store)()

	metrics := server.NewMetrics(programVersion())
	metrics.Registry.MustRegister(outboxMetrics{forms.outbox})
	public, err := publicHandler(c, log, metrics, ends, site, store, keys, forms)
	if err != nil {
		return err
	}
	if c.Dev {
		public = reloading(ctx, log, ends, site, public)
	}
	return server.Serve(ctx, log,
		server.Endpoint{Setting: "LISTEN_ADDR", Addr: c.ListenAddr, Handler: public},
		server.Endpoint{Setting: "ADMIN_ADDR", Addr: c.AdminAddr, Handler: server.Admin(ctx, site.Ready, metrics)})
}

func closeDatabase(db *database.DB, log *slog.Logger) {
	if err := db.Close(); err != nil {
		log.Error("the database did not close", "error", err)
	}
}

// secretKeys are SESSION_KEYS, or the key that the database keeps.
func secretKeys(c config.Config, db *database.DB) database.Keys {
	configured := make([]string, len(c.SessionKeys))
	for i, key := range c.SessionKeys {
		configured[i] = string(key)
	}
	return db.Keys(configured...)
}

func warnOfKeys(c config.Config, log *slog.Logger) {
	if short := c.ShortKeys(); short > 0 {
		log.Warn("SESSION_KEYS has keys of less than 16 characters, which can be guessed", "short", short)
	}
}

// publicHandler is the site with everything around it.
func publicHandler(c config.Config, log *slog.Logger, metrics *server.Metrics, ends backEnds, site *catalog.Catalog, store *media.Store, keys database.Keys, forms formServices) (http.Handler, error) {
	all, fail := handlers.New(handlers.Services{
		Site: views.Site{
			Agency: c.AgencyName, Phone: c.ContactPhone, BookingsEmail: c.BookingsEmail, AccountingEmail: c.AccountingEmail,
			PoweredByName: c.PoweredByName, PoweredByURL: c.PoweredByURL, BaseURL: c.BaseURL, BlogTypes: c.BlogTypes, Dev: c.Dev,
			Pictures: pictures{store, storageRoot}, Slides: pictures{store, slidesOf(c)},
		},
		Catalog:       site,
		Composites:    ends.integration,
		Keys:          keys,
		Outbox:        forms.outbox,
		Photos:        forms.photos,
		Client:        forms.client,
		HTTPS:         func(r *http.Request) bool { return c.HTTPS() || middleware.Secure(r, c.TrustedProxies) },
		FullMeasures:  c.MinorMeasures == config.Full,
		PreviewToken:  string(c.PreviewToken),
		NoAICrawlers:  !c.AICrawlers,
		Sources:       sources,
		Now:           time.Now,
		Log:           log,
		OtherHandlers: map[string]http.Handler{media.Prefix: store.Handler()},
	})
	crossOrigin, err := middleware.CrossOrigin(c.BaseURL, fail)
	if err != nil {
		return nil, fmt.Errorf("BASE_URL: %w", err)
	}
	return middleware.Chain(all,
		middleware.RequestLog(log, metrics.Observe),
		middleware.SecurityHeaders(middleware.Security{PictureOrigins: c.PictureOrigins(), HTTPS: c.HTTPS(), TrustedProxies: c.TrustedProxies}),
		middleware.Limits(middleware.DefaultBody),
		middleware.Compress,
		middleware.Recover(log, fail),
		crossOrigin,
	), nil
}

// backEnds are the two clients and, where the site has its own back end, that one behind both.
type backEnds struct {
	panel       *panel.Client
	integration *integration.Client
	embedded    *embedded.Backend // nil: the back ends are elsewhere
	fresh       time.Duration     // how long answers are served without asking again; 0: the catalogue's own measure
	snapshot    string            // where the catalogue keeps its last good answers; empty: nowhere
}

func openBackEnds(c config.Config, log *slog.Logger, box embedded.Inbox) (backEnds, error) {
	var transport http.RoundTripper // nil: the network
	ends := backEnds{snapshot: filepath.Join(c.DataDir, "catalog.snapshot")}
	panelURL, integrationURL := c.PanelURL, c.IntegrationURL
	if c.Embedded() {
		own, err := openEmbedded(c, log, box)
		if err != nil {
			return backEnds{}, err
		}
		// The host is never resolved. What is in the program or in a folder beside it needs no snapshot.
		panelURL, integrationURL = "http://embedded", "http://embedded"
		transport, ends.embedded, ends.snapshot = own.Transport(), own, ""
		ends.fresh = time.Second // an editor's change shows with the next visit
	}
	ends.panel = panel.New(panel.Config{
		BaseURL: panelURL, Salt: string(c.PanelSalt), APIToken: string(c.PanelAPIToken), Transport: transport, Log: log,
	})
	ends.integration = integration.New(integration.Config{
		BaseURL: integrationURL, DownloadURL: c.DownloadURL, Salt: string(c.IntegrationSalt), APIKey: string(c.IntegrationAPIKey),
		Transport: transport, Log: log,
	})
	return ends, nil
}

// signIn signs in to both, so that the first visitor needn't wait for it. Where it fails the
// clients try again with the first call.
func (ends backEnds) signIn(ctx context.Context, log *slog.Logger) {
	for _, err := range ends.trySignIn(ctx) {
		log.Warn("a back end could not be signed in to; the site goes on", "error", err)
	}
}

// trySignIn gives one error for each back end that doesn't let us in.
func (ends backEnds) trySignIn(ctx context.Context) []error {
	var errs []error
	for _, end := range []interface{ SignIn(context.Context) error }{ends.panel, ends.integration} {
		if err := end.SignIn(ctx); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

func openEmbedded(c config.Config, log *slog.Logger, box embedded.Inbox) (*embedded.Backend, error) {
	settings := embedded.Config{
		PanelSalt: string(c.PanelSalt), APIToken: string(c.PanelAPIToken),
		IntegrationSalt: string(c.IntegrationSalt), APIKey: string(c.IntegrationAPIKey),
		Inbox: box,
		Log:   log, Card: newCard(c, log),
	}
	if c.Dev {
		settings.LookEvery = live.LookEvery
	}
	own, err := embedded.Open(contentFolder(c), settings)
	if err != nil {
		return nil, contentFault(c, err)
	}
	return own, nil
}

// newCard makes the composite cards of the embedded back end.
func newCard(c config.Config, log *slog.Logger) func(context.Context, agency.Talent, func(string) ([]byte, error)) ([]embedded.NamedFile, error) {
	maker := compcard.NewMaker(compcard.Config{
		Agency: c.AgencyName, Phone: c.ContactPhone, Email: c.BookingsEmail, Website: compcard.Website(c.BaseURL),
		FullMeasures: c.MinorMeasures == config.Full, Now: time.Now, Log: log,
	})
	return func(ctx context.Context, t agency.Talent, open func(string) ([]byte, error)) ([]embedded.NamedFile, error) {
		made, err := maker.Card(ctx, t, open)
		files := make([]embedded.NamedFile, len(made))
		for i, file := range made {
			files[i] = embedded.NamedFile(file)
		}
		return files, err
	}
}

func contentFolder(c config.Config) fs.FS {
	if c.ContentDir == "" {
		return embedded.Demo()
	}
	return contentDir(c.ContentDir)
}

// contentDir is a folder out of which no symbolic link leads. It is looked up anew each time, so that an editor may put
// another one in its place.
type contentDir string

// Open opens a file of the folder as it is now.
func (dir contentDir) Open(name string) (fs.File, error) {
	root, err := os.OpenRoot(string(dir))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.FS().Open(name)
}

// serveBackend runs the embedded back end alone. It has no admin address, so that it can run
// beside the site on one machine.
func serveBackend(ctx context.Context, p program) error {
	c, err := config.Load(p.args, p.env)
	if err != nil {
		return err
	}
	log := newLog(c, p.stderr)
	warnOfKeys(c, log)
	db, err := openDatabase(ctx, c, log)
	if err != nil {
		return err
	}
	defer closeDatabase(db, log)
	box, err := received(c, db, log)
	if err != nil {
		return err
	}
	defer behind(ctx, box.Run)()
	own, err := openEmbedded(c, log, box)
	if err != nil {
		return err
	}
	fail := func(w http.ResponseWriter, _ *http.Request, status int) {
		http.Error(w, http.StatusText(status), status)
	}
	handler := middleware.Chain(own.Handler(), middleware.RequestLog(log, nil), middleware.Compress, middleware.Recover(log, fail))
	return server.Serve(ctx, log, server.Endpoint{Setting: "LISTEN_ADDR", Addr: c.ListenAddr, Handler: handler}, server.Endpoint{})
}
