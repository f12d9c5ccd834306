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
	sources := []source{
		watchFolder("texts", os.DirFS("i18n"), "*.json", i18n.Use),
		watchFolder("built files", os.DirFS("static/dist"), "manifest.json", static.Use),
	}
	if backEnds.embedded != nil {
		forget := func() error { content.Clear(); return nil }
		sources = append(sources,
			source{Name: "content", Version: backEnds.embedded.Version, Reload: forget})
	}
	reloader := newReloader(log, sources...)
	go reloader.Run(ctx)
	mux := http.NewServeMux()
	mux.Handle("/_live", reloader)
	mux.Handle("/", next)
	return mux
}

// watchFolder is a folder that is loaded again when a file that matches the pattern changes.
func watchFolder(name string, folder fs.FS, pattern string, use func(fs.FS) error) source {
	return source{
		Name:    name,
		Version: func() string { return fingerprint(folder, pattern) },
		Reload:  func() error { return use(folder) },
	}
}

// pollInterval is how often the sources are checked.
const pollInterval = 200 * time.Millisecond

// source is something that can change without a new build of the program: texts, built files, the content folder.
// Version differs after every change; Reload loads the change, before the pages reload.
type source struct {
	Name    string
	Version func() string
	Reload  func() error
}

// reloader makes the pages that are open in a browser reload during development: an event stream notifies them.
type reloader struct {
	sources []source
	log     *slog.Logger
	runID   string // id of this process; a page that reconnects to another one reloads

	change atomic.Pointer[chan struct{}] // closed at a change, and replaced
}

// newReloader makes a reloader for these sources; see Run.
func newReloader(log *slog.Logger, sources ...source) *reloader {
	l := &reloader{sources: sources, log: log, runID: rand.Text()}
	l.change.Store(new(make(chan struct{})))
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
			close(*l.change.Swap(new(make(chan struct{}))))
		}
	}
}

// loadChanged loads the sources whose version has changed, and reports whether there were any.
func (l *reloader) loadChanged(versions []string) (changed bool) {
	for i, s := range l.sources {
		version := s.Version()
		if version == versions[i] {
			continue
		}
		versions[i] = version
		if err := s.Reload(); err != nil {
			l.log.Warn("livereload: loading failed, the last state is used", "of", s.Name, "error", err)
			continue
		}
		changed = true
	}
	return changed
}

// ServeHTTP is the event stream: "run" with the process's id at first, "reload" at every change.
func (l *reloader) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	controller := http.NewResponseController(w)
	if err := controller.SetWriteDeadline(time.Time{}); err != nil {
		l.log.Warn("livereload: the stream will end early", "error", err)
	}
	change := l.change.Load()
	send := func(event, data string) error {
		if _, err := fmt.Fprintf(w, "retry: 150\nevent: %s\ndata: %s\n\n", event, data); err != nil {
			return err
		}
		return controller.Flush()
	}
	for err := send("run", l.runID); err == nil; err = send("reload", l.runID) {
		select {
		case <-*change:
			change = l.change.Load()
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
