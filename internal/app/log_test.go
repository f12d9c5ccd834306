package app

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/config"
)

func TestLinesAreWrittenTogetherAndAnErrorAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var to bytes.Buffer
		log, lines := newLog(config.Config{}, &to)
		log.Info("first")
		log.Info("behind")
		assert.Empty(t, to.String())
		time.Sleep(2 * flushAfter)
		synctest.Wait()
		assert.Regexp(t, "msg=first\n.*msg=behind\n$", to.String())
		log.Error("broken")
		assert.Contains(t, to.String(), "msg=broken\n")
		log.Info("last")
		lines.Flush()
		assert.Contains(t, to.String(), "msg=last\n")
	})
}
