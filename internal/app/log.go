package app

import (
	"io"
	"log/slog"
	"sync"
	"time"

	"zedcard/internal/config"
)

// newLog opens the log. Everything logged is written by the time out is closed.
func newLog(c config.Config, w io.Writer) (log *slog.Logger, out io.Closer) {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	lines := newLineWriter(w)
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(lines, options)), lines
	}
	return slog.New(slog.NewTextHandler(lines, options)), lines
}

// maxPending is how many bytes of lines wait to be written; beyond it the logging goroutine waits.
const maxPending = 1 << 20

// writeEvery is the time between two writes of lines. Lines of that time are lost if the process is killed.
const writeEvery = 10 * time.Millisecond

// lineWriter writes a line at once and batches those that arrive within writeEvery after it: waking up and a system
// call for each line would cost a fifth of serving a cached page.
type lineWriter struct {
	to      io.Writer
	wake    chan struct{}
	closing chan struct{}
	done    chan struct{}

	mu     sync.Mutex // guards lines and closed
	lines  []byte
	closed bool

	flushing sync.Mutex
	spare    []byte // the next buffer for lines
}

func newLineWriter(to io.Writer) *lineWriter {
	w := &lineWriter{
		to: to, wake: make(chan struct{}, 1), closing: make(chan struct{}), done: make(chan struct{}),
	}
	go w.run()
	return w
}

func (w *lineWriter) run() {
	defer close(w.done)
	for {
		select {
		case <-w.wake:
		case <-w.closing:
			return
		}
		w.flush()
		select {
		case <-time.After(writeEvery):
		case <-w.closing:
			return
		}
	}
}

// Write takes a line. It never fails: nobody could handle the error.
func (w *lineWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	w.lines = append(w.lines, line...)
	flushNow := w.closed || len(w.lines) > maxPending
	if !w.closed {
		select {
		case w.wake <- struct{}{}:
		default: // the pending flush takes this line, too
		}
	}
	w.mu.Unlock()
	if flushNow {
		w.flush()
	}
	return len(line), nil
}

func (w *lineWriter) flush() {
	w.flushing.Lock()
	defer w.flushing.Unlock()
	w.mu.Lock()
	lines := w.lines
	w.lines = w.spare[:0]
	w.mu.Unlock()
	if len(lines) > 0 {
		_, _ = w.to.Write(lines)
	}
	w.spare = lines
}

// Close writes the pending lines. Later lines are written at once.
func (w *lineWriter) Close() error {
	w.mu.Lock()
	first := !w.closed
	w.closed = true
	if first {
		close(w.closing)
	}
	w.mu.Unlock()
	<-w.done
	w.flush()
	return nil
}
