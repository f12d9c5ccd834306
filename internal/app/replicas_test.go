package app_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/testkit/databasetest"
)

// TestTwoReplicasAreRestartedOneAfterTheOtherWithoutALostRequest runs deploy/several/replicas.sh, as an operator does.
// Both replicas start at once on an empty database, so that one migrates it while the other waits.
func TestTwoReplicasAreRestartedOneAfterTheOtherWithoutALostRequest(t *testing.T) {
	for _, tool := range []string{"bash", "caddy", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed, so deploy/several/replicas.sh did not run", tool)
		}
	}
	script, err := filepath.Abs("../../deploy/several/replicas.sh")
	require.NoError(t, err)
	state := t.TempDir()
	t.Chdir(state)
	port := freePort(t, "127.0.0.1")
	env := append(os.Environ(), testProgram+"=1", "ZEDCARD="+os.Args[0], "STATE="+state, "PORT="+port,
		"REPLICA_PORT="+freePort(t, "127.0.0.11"), "READY_PORT="+freePort(t, "127.0.0.12"),
		"DATABASE_URL="+databasetest.Postgres(t).URL(), "SESSION_KEYS=a key of the replicas")
	run := exec.Command(script)
	run.Env = env
	run.Stderr = os.Stderr
	said, err := run.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, run.Start())
	lines := bufio.NewScanner(said)
	require.True(t, lines.Scan(), "the script prints a line once it has started")
	require.Contains(t, lines.Text(), "serving")

	t.Cleanup(func() {
		for _, name := range []string{"1.log", "2.log", "caddy.log"} {
			log, _ := os.ReadFile(filepath.Join(state, name))
			for line := range strings.Lines(string(log)) {
				if t.Failed() && (strings.Contains(line, "level=WARN") || strings.Contains(line, "level=ERROR") ||
					strings.Contains(line, `"level":"error"`)) {
					t.Log(name, line)
				}
			}
		}
	})
	site := "http://127.0.0.1:" + port
	ctx, stop := context.WithCancel(t.Context())
	var load sync.WaitGroup
	var answered, sent atomic.Int64
	for _, path := range []string{"/", "/models", "/pt/mulheres", "/models/101/benedita-nascimento"} {
		load.Go(func() {
			for ctx.Err() == nil {
				answer, err := http.Get(site + path)
				if !assert.NoError(t, err) {
					return
				}
				_, err = io.Copy(io.Discard, answer.Body)
				assert.NoError(t, err)
				_ = answer.Body.Close()
				assert.Equal(t, http.StatusOK, answer.StatusCode, path)
				answered.Add(1)
			}
		})
	}
	load.Go(func() {
		for n := byte(1); ctx.Err() == nil; n++ { // from one client after the other, of which each may send 30 a minute
			form := strings.NewReader(messageForm(t, site).Encode())
			request, err := http.NewRequest(http.MethodPost, site+"/contact", form)
			if !assert.NoError(t, err) {
				return
			}
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, n)}}
			answer, err := (&http.Transport{DialContext: from.DialContext, DisableKeepAlives: true}).RoundTrip(request)
			if !assert.NoError(t, err) {
				return
			}
			_ = answer.Body.Close()
			assert.Equal(t, http.StatusSeeOther, answer.StatusCode)
			sent.Add(1)
		}
	})
	begun := time.Now()
	require.NoError(t, run.Process.Signal(syscall.SIGUSR1))
	require.True(t, lines.Scan())
	require.Equal(t, "restarted", lines.Text())
	stop()
	load.Wait()
	t.Logf("%d pages and %d messages in %v", answered.Load(), sent.Load(), time.Since(begun).Round(time.Second))
	assert.Positive(t, answered.Load())
	assert.Positive(t, sent.Load())

	list := exec.Command(os.Args[0], "inbox", "list")
	list.Env = env
	messages, err := list.Output()
	require.NoError(t, err)
	assert.Equal(t, int(sent.Load()), strings.Count(string(messages), "julia@example.com"))
	require.NoError(t, run.Process.Signal(syscall.SIGTERM))
	require.NoError(t, run.Wait())
}

func freePort(t *testing.T, host string) string {
	t.Helper()
	listener, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	require.NoError(t, err)
	defer func() { _ = listener.Close() }()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	return port
}
