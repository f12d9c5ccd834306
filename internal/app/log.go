package app

import (
	"io"
	"log/slog"
	"sync"

	"zedcard/internal/config"
)

// newLog opens the log. What was logged is written when out is closed, at the latest.
func newLog(c config.Config, w io.Writer) (log *slog.Logger, out io.Closer) {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	lines := newLineWriter(w)
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(lines, options)), lines
	}
	return slog.New(slog.NewTextHandler(lines, options)), lines
}

// mostWaiting is in bytes; whoever logs more at once waits until it is written.
const mostWaiting = 1 << 20

// lineWriter writes the lines that came during a write with the next one, together: a kept page costs little more than
// the system call that its line would be. A line waits for nothing else.
type lineWriter struct {
	to    io.Writer
	wake  chan struct{}
	ended chan struct{}

	mu     sync.Mutex // of what waits
	lines  []byte
	closed bool

	writing sync.Mutex
	spare   []byte // room for what waits next
}

func newLineWriter(to io.Writer) *lineWriter {
	w := &lineWriter{to: to, wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go w.run()
	return w
}

func (w *lineWriter) run() {
	defer close(w.ended)
	for range w.wake {
		w.flush()
	}
}

// Write takes a line; that it can't be written is nobody's to hear.
func (w *lineWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	w.lines = append(w.lines, line...)
	now := w.closed || len(w.lines) > mostWaiting
	if !w.closed {
		select {
		case w.wake <- struct{}{}:
		default: // it will find this line, too
		}
	}
	w.mu.Unlock()
	if now {
		w.flush()
	}
	return len(line), nil
}

func (w *lineWriter) flush() {
	w.writing.Lock()
	defer w.writing.Unlock()
	w.mu.Lock()
	lines := w.lines
	w.lines = w.spare[:0]
	w.mu.Unlock()
	if len(lines) > 0 {
		_, _ = w.to.Write(lines)
	}
	w.spare = lines
}

// Close writes what waits. Later lines are written at once.
func (w *lineWriter) Close() error {
	w.mu.Lock()
	first := !w.closed
	w.closed = true
	if first {
		close(w.wake)
	}
	w.mu.Unlock()
	<-w.ended
	w.flush()
	return nil
}
