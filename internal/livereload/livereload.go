// Package livereload reloads the pages that are open in a browser while the site is worked on. It
// looks at what can change without a new program – texts, built files, the content folder – and
// tells the open pages through an event stream. It is a part of the development server only.
package livereload

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

// PollInterval is how often everything is looked at.
const PollInterval = 200 * time.Millisecond

// Source is something that can change. Version is another text after every change; Changed takes
// the change in, before the pages are told.
type Source struct {
	Name    string
	Version func() string
	Changed func() error
}

// Reloader tells open pages to load anew.
type Reloader struct {
	sources []Source
	log     *slog.Logger
	run     string // of this program; a page that comes back to another one loads anew

	mu   sync.Mutex
	news chan struct{} // closed at a change, and replaced
}

// New makes a Reloader for these sources; see Run.
func New(log *slog.Logger, sources ...Source) *Reloader {
	return &Reloader{sources: sources, log: log, run: rand.Text(), news: make(chan struct{})}
}

// Run takes the sources in as they are, and again when they change, until ctx ends.
func (l *Reloader) Run(ctx context.Context) {
	versions := make([]string, len(l.sources))
	l.look(versions)
	tick := time.NewTicker(PollInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if l.look(versions) {
			l.tell()
		}
	}
}

// look takes in what has another version than these, and reports whether there was any.
func (l *Reloader) look(versions []string) (changed bool) {
	for i, s := range l.sources {
		version := s.Version()
		if version == versions[i] {
			continue
		}
		versions[i] = version
		if err := s.Changed(); err != nil {
			l.log.Warn("livereload: not read again, the last state is used", "of", s.Name, "error", err)
			continue
		}
		changed = true
	}
	return changed
}

func (l *Reloader) tell() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.news)
	l.news = make(chan struct{})
}

func (l *Reloader) next() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.news
}

// ServeHTTP is the event stream: "run" with the program's id at first, "reload" at every change.
func (l *Reloader) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	control := http.NewResponseController(w)
	if err := control.SetWriteDeadline(time.Time{}); err != nil {
		l.log.Warn("livereload: the stream will end early", "error", err)
	}
	news := l.next()
	send := func(event, data string) error {
		if _, err := fmt.Fprintf(w, "retry: 150\nevent: %s\ndata: %s\n\n", event, data); err != nil {
			return err
		}
		return control.Flush()
	}
	for err := send("run", l.run); err == nil; err = send("reload", l.run) {
		select {
		case <-news:
			news = l.next()
		case <-r.Context().Done():
			return
		}
	}
}

// Stamp is a text that is another one when a file of the folder that matches the pattern is
// added, removed or written.
func Stamp(folder fs.FS, pattern string) string {
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
