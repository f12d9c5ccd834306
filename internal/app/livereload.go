package app

import (
	"context"
	"crypto/rand"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"zedcard/i18n"
	"zedcard/internal/catalog"
	"zedcard/static"
)

// liveReload is the development server's middleware: it reads texts and built files from the work tree, loads them
// again when they change, and then reloads open pages. The content folder makes pages reload, too.
func liveReload(
	ctx context.Context, log *slog.Logger, backEnds BackEnds, content *catalog.Catalog, next http.Handler,
) http.Handler {
	texts, built := os.DirFS("i18n"), os.DirFS("static/dist")
	sources := []source{
		{"texts", func() string { return fingerprint(texts, "*.json") }, func() error { return i18n.Use(texts) }},
		{
			"built files", func() string { return fingerprint(built, "manifest.json") },
			func() error { return static.Use(built) },
		},
	}
	if backEnds.embedded != nil {
		forget := func() error { content.Clear(); return nil }
		sources = append(sources, source{"content", backEnds.embedded.Version, forget})
	}
	reloader := newReloader(log, sources...)
	go reloader.Run(ctx)
	mux := http.NewServeMux()
	mux.Handle("/_live", reloader)
	mux.Handle("/", next)
	return mux
}

// pollInterval is how often the sources are checked.
const pollInterval = 200 * time.Millisecond

// source is something that can change without a new build of the program: texts, built files, the content folder.
// version differs after every change; reload loads the change, before the pages reload.
type source struct {
	name    string
	version func() string
	reload  func() error
}

// reloader makes the pages that are open in a browser reload during development: an event stream notifies them.
type reloader struct {
	sources []source
	log     *slog.Logger
	state   atomic.Pointer[loaded]
}

// loaded is what the sources were when they were last loaded.
type loaded struct {
	id    string // a page that hears of another one reloads
	stale chan struct{}
}

// newReloader makes a reloader for these sources; see Run.
func newReloader(log *slog.Logger, sources ...source) *reloader {
	l := &reloader{sources: sources, log: log}
	l.state.Store(&loaded{rand.Text(), make(chan struct{})})
	return l
}

// Run loads the sources, and again when they change, until ctx ends.
func (l *reloader) Run(ctx context.Context) {
	versions := make([]string, len(l.sources))
	l.loadChanged(versions)
	for tick := time.Tick(pollInterval); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
		if l.loadChanged(versions) {
			close(l.state.Swap(&loaded{rand.Text(), make(chan struct{})}).stale)
		}
	}
}

// loadChanged loads the sources whose version has changed, and reports whether there were any.
func (l *reloader) loadChanged(versions []string) (changed bool) {
	for i, s := range l.sources {
		version := s.version()
		if version == versions[i] {
			continue
		}
		versions[i] = version
		if err := s.reload(); err != nil {
			l.log.Warn("livereload: loading failed, the last state is used", "of", s.name, "error", err)
			continue
		}
		changed = true
	}
	return changed
}

// ServeHTTP is the event stream: "run" with what is loaded, at first and at every change.
func (l *reloader) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	for {
		now := l.state.Load()
		_, err := fmt.Fprintf(w, "retry: 150\nevent: run\ndata: %s\n\n", now.id)
		if err != nil || http.NewResponseController(w).Flush() != nil {
			return
		}
		select {
		case <-now.stale:
		case <-r.Context().Done():
			return
		}
	}
}

// fingerprint is a text that changes when a file of the folder that matches the pattern is added, removed or written.
func fingerprint(folder fs.FS, pattern string) string {
	names, _ := fs.Glob(folder, pattern) // fails only for a malformed pattern
	stamp := ""
	for _, name := range names {
		if info, err := fs.Stat(folder, name); err == nil {
			stamp += fmt.Sprint(name, info.Size(), info.ModTime().UnixNano(), "\n")
		}
	}
	return stamp
}
