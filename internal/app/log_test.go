package app

import (
	"bytes"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/config"
)

// reader is what reads the log: it takes nothing while it is stalled, and each write fails once it has died.
type reader struct {
	stalled chan struct{} // closed: it goes on
	mu      sync.Mutex
	died    error
	lines   bytes.Buffer
	writes  int
}

func (r *reader) Write(p []byte) (int, error) {
	if r.stalled != nil {
		<-r.stalled
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.died != nil {
		return 0, r.died
	}
	r.writes++
	return r.lines.Write(p)
}

func (r *reader) die(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.died = err
}

func (r *reader) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lines.String()
}

func TestALineIsWrittenAtOnceAndThoseBehindItTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var to reader
		log, lines := newLog(config.Config{}, &to)
		log.Info("first")
		synctest.Wait()
		assert.Contains(t, to.text(), "msg=first\n")
		for range 100 {
			log.Info("behind")
		}
		time.Sleep(writeEvery)
		synctest.Wait()
		assert.Equal(t, 100, strings.Count(to.text(), "msg=behind\n"))
		assert.Equal(t, 2, to.writes)
		log.Info("last")
		lines.Close()
		assert.Contains(t, to.text(), "msg=last\n")
		assert.Zero(t, lines.dropped.Load())
	})
}

func TestAReaderThatStallsStopsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := reader{stalled: make(chan struct{})}
		log, lines := newLog(config.Config{}, &to)
		for range 3 * maxPending / 100 {
			log.Info(strings.Repeat("x", 100))
		}
		assert.LessOrEqual(t, lines.pending.Load(), int64(maxPending))
		assert.Positive(t, lines.dropped.Load())

		lines.Close() // gives up after a while
		log.Info("logged after the end")
		close(to.stalled)
		synctest.Wait()
		assert.NotContains(t, to.text(), "logged after the end")
	})
}

func TestLostLinesAreCountedAndLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var to reader
		log, lines := newLog(config.Config{}, &to)
		to.die(errors.New("broken pipe"))
		for range 3 {
			log.Info("lost")
			time.Sleep(2 * writeEvery)
		}
		assert.EqualValues(t, 3, lines.dropped.Load())
		to.die(nil)
		for range 2 {
			log.Info("written")
			time.Sleep(2 * writeEvery)
		}
		lines.Close()
		assert.NotContains(t, to.text(), "msg=lost")
		assert.Equal(t, 2, strings.Count(to.text(), "msg=written\n"))
		assert.Equal(t, 1, strings.Count(to.text(), `msg="log lines were lost" lines=3`))
	})
}
