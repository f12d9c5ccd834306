package app

import (
	"bytes"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"zedcard/internal/config"
)

// newLog opens the log. What was logged is written when out is closed.
func newLog(c config.Config, w io.Writer) (log *slog.Logger, out *lineWriter) {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	out = &lineWriter{to: w, wake: make(chan struct{}, 1), done: make(chan struct{})}
	if c.LogFormat == "json" {
		log = slog.New(slog.NewJSONHandler(out, options))
	} else {
		log = slog.New(slog.NewTextHandler(out, options))
	}
	go out.run(log)
	return log, out
}

const (
	maxPending = 1 << 20     // bytes of lines that wait for a reader that stalls; further ones are lost
	closeWait  = time.Second // for that reader, at the end
)

// lineWriter writes lines in a goroutine of its own, so that no visitor waits for the log's reader.
type lineWriter struct {
	to      io.Writer
	wake    chan struct{} // there are pending lines, or the writer is closed
	done    chan struct{}
	dropped atomic.Int64 // lines that were never written

	mu      sync.Mutex // guards pending and closed
	pending []byte
	closed  bool
}

// Write takes a line. It never waits, and never fails: nobody could handle the error.
func (w *lineWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || len(w.pending)+len(line) > maxPending {
		w.dropped.Add(1)
		return len(line), nil
	}
	w.pending = append(w.pending, line...)
	select {
	case w.wake <- struct{}{}:
	default: // run is about to take this line, too
	}
	return len(line), nil
}

// run writes each line at once, with those that were logged during the write before it.
func (w *lineWriter) run(log *slog.Logger) {
	defer close(w.done)
	var spare []byte
	var reported int64
	for range w.wake {
		w.mu.Lock()
		lines := w.pending
		w.pending = spare[:0]
		w.mu.Unlock()
		if _, err := w.to.Write(lines); err != nil {
			w.dropped.Add(int64(bytes.Count(lines, []byte("\n"))))
		} else if lost := w.dropped.Load(); lost > reported {
			log.Warn("log lines were lost", "lines", lost-reported)
			reported = lost
		}
		spare = lines
	}
}

// Close writes the pending lines, unless the reader stalls. Later lines are lost.
func (w *lineWriter) Close() {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.wake)
	}
	w.mu.Unlock()
	select {
	case <-w.done:
	case <-time.After(closeWait):
	}
}

// metric counts the lines that were lost.
func (w *lineWriter) metric() prometheus.Collector {
	return prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "zedcard_log_lines_lost_total", Help: "Lines that the reader of the log did not take.",
	}, func() float64 { return float64(w.dropped.Load()) })
}
