package command_test

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheSiteOutlivesTheReaderOfItsLog(t *testing.T) {
	program, log, site, admin := serve(t, t.TempDir())
	require.NoError(t, log.Close())
	for range 3 {
		assert.Equal(t, http.StatusOK, statusOf(t, site+"/about"))
	}
	require.Eventually(t, func() bool {
		_, metrics := get(t, admin+"/metrics")
		return strings.Contains(metrics, "\nzedcard_log_lines_lost_total ") &&
			!strings.Contains(metrics, "\nzedcard_log_lines_lost_total 0")
	}, 5*time.Second, 10*time.Millisecond)
	require.NoError(t, program.Process.Signal(syscall.SIGTERM))
	assert.NoError(t, program.Wait())
}

func TestAFormIsAnsweredAlthoughNobodyReadsTheLog(t *testing.T) {
	program, _, site, admin := serve(t, t.TempDir())
	long := site + "/" + strings.Repeat("x", 8<<10)
	for range (maxPendingLog + pipeBuffer) >> 13 {
		assert.Equal(t, http.StatusNotFound, statusOf(t, long))
	}
	res, err := withoutRedirects.PostForm(site+"/contact", messageForm(t, site))
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, http.StatusUnprocessableEntity, res.StatusCode, "too quick, but answered")
	_, metrics := get(t, admin+"/metrics")
	assert.NotContains(t, metrics, "\nzedcard_log_lines_lost_total 0")
	require.NoError(t, program.Process.Signal(syscall.SIGTERM))
	assert.NoError(t, program.Wait(), "it does not wait for the reader")
}

const (
	maxPendingLog = 1 << 20 // lines in memory
	pipeBuffer    = 1 << 20 // a pipe holds less
)
