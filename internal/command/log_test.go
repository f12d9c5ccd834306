package command_test

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// startWithLog runs the program as a process whose log the test reads no further than to the addresses.
func startWithLog(t *testing.T) (program *exec.Cmd, log io.Closer, site, admin string) {
	t.Helper()
	program = exec.Command(os.Args[0], "serve")
	program.Env = append(os.Environ(), testProgram+"=1", "LISTEN_ADDR=127.0.0.1:0", "ADMIN_ADDR=127.0.0.1:0",
		"DATA_DIR="+t.TempDir(), "DATABASE_URL=sqlite:"+t.TempDir()+"/zedcard.db", "MEDIA_PREPARE=false")
	pipe, err := program.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, program.Start())
	t.Cleanup(func() { _ = program.Process.Kill() }) // does nothing after Wait
	addr := map[string]string{}
	for lines := bufio.NewScanner(pipe); len(addr) < 2 && lines.Scan(); {
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			addr[found[1]] = "http://" + found[2]
		}
	}
	require.Len(t, addr, 2, "the program ended before it listened")
	return program, pipe, addr["LISTEN_ADDR"], addr["ADMIN_ADDR"]
}

func TestTheSiteOutlivesTheReaderOfItsLog(t *testing.T) {
	program, log, site, admin := startWithLog(t)
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
	program, _, site, admin := startWithLog(t)
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
