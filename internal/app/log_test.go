package app

import (
	"bytes"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/config"
)

func TestLinesAreWrittenTogetherAndAnErrorAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var to guarded
		log, lines := newLog(config.Config{}, &to)
		log.Info("first")
		log.Info("behind")
		assert.Empty(t, to.String())
		time.Sleep(2 * flushAfter)
		assert.Regexp(t, "msg=first\n.*msg=behind\n$", to.String())
		log.Error("broken")
		assert.Contains(t, to.String(), "msg=broken\n")
		log.Info("last")
		lines.Flush()
		assert.Contains(t, to.String(), "msg=last\n")
	})
}

// guarded is a file that the log writes while a test reads it.
type guarded struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (g *guarded) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.text.Write(p)
}

func (g *guarded) String() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.text.String()
}
