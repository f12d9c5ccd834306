package app

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"
)

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

	mu     sync.Mutex
	change chan struct{} // closed at a change, and replaced
}

// newReloader makes a reloader for these sources; see Run.
func newReloader(log *slog.Logger, sources ...source) *reloader {
	return &reloader{sources: sources, log: log, runID: rand.Text(), change: make(chan struct{})}
}

// Run loads the sources, and again when they change, until ctx ends.
func (l *reloader) Run(ctx context.Context) {
	versions := make([]string, len(l.sources))
	l.loadChanged(versions)
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if l.loadChanged(versions) {
			l.notify()
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

func (l *reloader) notify() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.change)
	l.change = make(chan struct{})
}

func (l *reloader) nextChange() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.change
}

// ServeHTTP is the event stream: "run" with the process's id at first, "reload" at every change.
func (l *reloader) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	controller := http.NewResponseController(w)
	if err := controller.SetWriteDeadline(time.Time{}); err != nil {
		l.log.Warn("livereload: the stream will end early", "error", err)
	}
	change := l.nextChange()
	send := func(event, data string) error {
		if _, err := fmt.Fprintf(w, "retry: 150\nevent: %s\ndata: %s\n\n", event, data); err != nil {
			return err
		}
		return controller.Flush()
	}
	for err := send("run", l.runID); err == nil; err = send("reload", l.runID) {
		select {
		case <-change:
			change = l.nextChange()
		case <-r.Context().Done():
			return
		}
	}
}

// fingerprint is a text that changes when a file of the folder that matches the pattern is added, removed or written.
func fingerprint(folder fs.FS, pattern string) string {
	var stamp strings.Builder
	names, err := fs.Glob(folder, pattern)
	if err != nil {
		return err.Error()
	}
	for _, name := range names {
		if info, err := fs.Stat(folder, name); err == nil {
			_, _ = io.WriteString(&stamp, fmt.Sprint(name, info.Size(), info.ModTime().UnixNano(), "\n")) // never fails
		}
	}
	return stamp.String()
}
