package app

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/config"
)

// slowWriter holds its first write until it may go on.
type slowWriter struct {
	begun, goOn chan struct{}
	writes      int
	bytes.Buffer
}

func (w *slowWriter) Write(p []byte) (int, error) {
	if w.writes++; w.writes == 1 {
		close(w.begun)
		<-w.goOn
	}
	return w.Buffer.Write(p)
}

func TestLinesLoggedDuringAWriteAreBatched(t *testing.T) {
	to := &slowWriter{begun: make(chan struct{}), goOn: make(chan struct{})}
	log, lines := newLog(config.Config{}, to)
	log.Info("first")
	<-to.begun
	var logging sync.WaitGroup
	for i := range 100 {
		logging.Go(func() { log.Info("later", "line", fmt.Sprintf("<%d>", i)) })
	}
	logging.Wait() // no caller waits for the disk
	close(to.goOn)
	require.NoError(t, lines.Close())
	log.Info("last")
	written := to.String()
	assert.Equal(t, 102, strings.Count(written, "\n"))
	for i := range 100 {
		assert.Contains(t, written, fmt.Sprintf("line=<%d>\n", i))
	}
	assert.Contains(t, written, "msg=last")
	assert.LessOrEqual(t, to.writes, 4)
}

// writes takes what is written, write by write.
type writes chan string

func (w writes) Write(p []byte) (int, error) {
	w <- string(p)
	return len(p), nil
}

func TestALineIsWrittenAtOnceAndLaterOnesAreBatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := make(writes, 10)
		log, lines := newLog(config.Config{}, to)
		log.Info("first")
		assert.Contains(t, <-to, "msg=first")
		log.Info("second")
		log.Info("third")
		synctest.Wait()
		assert.Empty(t, to)
		time.Sleep(writeEvery)
		assert.Regexp(t, "msg=second\n.*msg=third\n", <-to)
		require.NoError(t, lines.Close())
	})
}
