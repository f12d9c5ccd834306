package app

import (
	"bytes"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"zedcard/internal/config"
	"zedcard/internal/requestid"
)

// newLog opens the log. What was logged is written when out is closed.
func newLog(c config.Config, w io.Writer) (log *slog.Logger, out *lineWriter) {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	out = &lineWriter{to: w, lines: make(chan []byte, maxLines), end: make(chan struct{}), done: make(chan struct{})}
	log = slog.New(requestid.Handler{Handler: slog.NewTextHandler(out, options)})
	if c.LogFormat == "json" {
		log = slog.New(requestid.Handler{Handler: slog.NewJSONHandler(out, options)})
	}
	go out.run(log)
	return log, out
}

const (
	maxPending = 1 << 20 // bytes of lines that wait for a reader that stalls; further ones are lost
	maxLines   = 8192    // of them
	// writeEvery is the time between two writes: waking up and a system call for each line would be a fifth of the
	// processor time of a kept page. Lines of that time are lost if the process is killed.
	writeEvery = 10 * time.Millisecond
	closeWait  = time.Second // for that reader, at the end
)

// lineWriter writes lines in a goroutine of its own, so that no visitor waits for the log's reader.
type lineWriter struct {
	to      io.Writer
	lines   chan []byte
	end     chan struct{} // closed: no further lines
	done    chan struct{} // closed: all lines are written
	pending atomic.Int64  // bytes in lines
	dropped atomic.Int64  // lines that were never written
	closing sync.Once
}

// Write takes a line. It never waits, and never fails: nobody could handle the error.
func (w *lineWriter) Write(line []byte) (int, error) {
	size := int64(len(line))
	if w.pending.Add(size) <= maxPending {
		select {
		case w.lines <- bytes.Clone(line):
			return len(line), nil
		default:
		}
	}
	w.pending.Add(-size)
	w.dropped.Add(1)
	return len(line), nil
}

func (w *lineWriter) run(log *slog.Logger) {
	defer close(w.done)
	var reported int64
	for {
		select {
		case line := <-w.lines:
			count := int64(1 + len(w.lines))
			for range count - 1 {
				line = append(line, <-w.lines...)
			}
			w.pending.Add(-int64(len(line)))
			if _, err := w.to.Write(line); err != nil {
				w.dropped.Add(count)
			} else if lost := w.dropped.Load(); lost > reported {
				log.Warn("log lines were lost", "lines", lost-reported)
				reported = lost
			}
			select {
			case <-time.After(writeEvery):
			case <-w.end:
			}
		case <-w.end:
			if len(w.lines) == 0 {
				return
			}
		}
	}
}

// Close writes the pending lines, unless the reader stalls. Later lines are lost.
func (w *lineWriter) Close() {
	w.closing.Do(func() { close(w.end) })
	select {
	case <-w.done:
	case <-time.After(closeWait):
	}
}
