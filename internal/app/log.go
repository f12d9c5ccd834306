package app

import (
	"bytes"
	"io"
	"log/slog"
	"sync"
	"time"

	"zedcard/internal/config"
	"zedcard/internal/requestid"
)

func newLog(c config.Config, to io.Writer) (*slog.Logger, *logWriter) {
	out, options := &logWriter{to: to}, &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(requestid.Handler{Handler: slog.NewJSONHandler(out, options)}), out
	}
	return slog.New(requestid.Handler{Handler: slog.NewTextHandler(out, options)}), out
}

// flushAfter is how long a line waits for others: a system call for each would be a tenth of the processor time of a
// kept page. Lines of that time are lost if the process is killed; an error waits for nothing.
const flushAfter = 10 * time.Millisecond

// logWriter writes lines together. Nobody could handle its errors: without a reader the lines are lost.
type logWriter struct {
	mu    sync.Mutex
	to    io.Writer
	lines bytes.Buffer
}

func (w *logWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lines.Len() == 0 {
		time.AfterFunc(flushAfter, w.Flush)
	}
	w.lines.Write(line)
	if bytes.Contains(line, []byte("ERROR")) {
		w.flush()
	}
	return len(line), nil
}

// Flush writes the lines that wait.
func (w *logWriter) Flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush()
}

func (w *logWriter) flush() {
	if w.lines.Len() == 0 {
		return
	}
	_, _ = w.to.Write(w.lines.Bytes())
	w.lines.Reset()
}
