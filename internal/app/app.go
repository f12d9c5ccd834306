// Package app joins the parts of the program: settings → log → database → back ends → forms → pictures → site →
// servers. It is the only package that knows all of them. The commands stand here, too; each that is more than a call
// has a file of its own.
package app

import (
	"context"
	"io"
	"log/slog"
	"runtime/debug"
	"slices"

	"zedcard/internal/agency"
	"zedcard/internal/config"
	"zedcard/internal/database"
	"zedcard/internal/folder"
	"zedcard/internal/web"
	"zedcard/static"
)

// App is what every command that uses the database opens first.
type App struct {
	Config config.Config
	Log    *slog.Logger
	DB     *database.DB
	Keys   database.Keys // SESSION_KEYS, or the key in the database

	lines        *logWriter
	backEndAlone bool      // it serves no pages
	backEnds     *BackEnds // nil: not open
}

// Open opens the log, which is written to logTo, the database and the keys. A PostgreSQL that is down is no error.
// The App must be closed.
func Open(ctx context.Context, c config.Config, logTo io.Writer) (*App, error) {
	log, lines := newLog(c, logTo)
	db, err := database.Open(ctx, string(c.DatabaseURL), log)
	if err != nil {
		lines.Flush()
		if ctx.Err() == nil {
			err = c.SettingError("DATABASE_URL", err)
		}
		return nil, err
	}
	var configured []string
	for _, key := range c.SessionKeys {
		configured = append(configured, string(key))
	}
	return &App{Config: c, Log: log, DB: db, Keys: db.Keys(configured...), lines: lines}, nil
}

// Close closes the database and writes the rest of the log.
func (a *App) Close() {
	closeLogged(a.Log, "database", a.DB)
	a.lines.Flush()
}

func (a *App) warnOfWeakSecrets() {
	for _, name := range a.Config.WeakSecrets() {
		a.Log.Warn(name + " has fewer than 16 characters, which can be guessed")
	}
}

// warn logs what an operator should know about a site that starts.
func (a *App) warn() {
	c, log := a.Config, a.Log
	if c.Embedded() && c.ContentDir == "" {
		log.Info("this is the demo agency's site; to make it your own: zedcard init lumen, " +
			"then zedcard serve --content-dir lumen")
	}
	a.warnOfWeakSecrets()
	if c.Public() && c.Embedded() {
		a.warnOfDemo()
	}
	if web.IsPublic(c.AdminAddr) {
		log.Warn("ADMIN_ADDR can be reached from outside: keep metrics and profiles private", "addr", c.AdminAddr)
	}
	if !static.Built() {
		log.Warn("scripts and styles are not in this program: see make build")
	}
}

// warnOfDemo warns once if visitors can reach a site that still has something of the demo agency.
func (a *App) warnOfDemo() {
	var left []string
	for _, fault := range folder.LeftOfDemo(ContentFolder(a.Config)) {
		left = append(left, fault.String())
	}
	site := a.site()
	left = append(left, slices.DeleteFunc([]string{site.Phone, site.Bookings, site.Accounting},
		func(contact string) bool { return !agency.IsDemos(contact) })...)
	if len(left) > 0 {
		a.Log.Warn("the site is public, and has something of the demo agency or a text in brackets; zedcard check "+
			"names all of it", "first", left[0], "count", len(left))
	}
}

// Build is the program's version as the linker set it; it may be empty.
type Build struct{ Version string }

// Name is the version, from the linker or else the module system.
func (b Build) Name() string {
	if b.Version != "" {
		return b.Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

// runInBackground runs a function until ctx ends or stop is called; stop waits until it has returned.
func runInBackground(ctx context.Context, run func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		run(ctx)
	}()
	return func() { cancel(); <-done }
}

// closeLogged closes a part at the end of the program and logs an error, which nobody could handle any more.
func closeLogged(log *slog.Logger, what string, c io.Closer) {
	if err := c.Close(); err != nil {
		log.Error("not closed", "part", what, "error", err)
	}
}
