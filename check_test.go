package main

import (
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// runWith runs a command that ends by itself and gives its code and what it printed.
func runWith(t *testing.T, command string, env map[string]string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr strings.Builder
	code = run(t.Context(), []string{command}, func(name string) string { return env[name] }, &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func TestShortSessionKeysAreWarnedOfAndNotShown(t *testing.T) {
	t.Chdir(t.TempDir())
	taken, err := net.Listen("tcp", "127.0.0.1:0") // so that both end once they have started
	require.NoError(t, err)
	defer func() { _ = taken.Close() }()
	env := map[string]string{"LISTEN_ADDR": taken.Addr().String(), "ADMIN_ADDR": "off", "MEDIA_PREPARE": "false"}
	for keys, warned := range map[string]int{"tiny-one,tiny-two": 1, "long-enough-0123456789": 0, "": 0} {
		env["SESSION_KEYS"] = keys
		for _, command := range []string{"serve", "backend"} {
			_, _, log := runWith(t, command, env)
			assert.Equal(t, warned, strings.Count(log, "level=WARN msg=\"SESSION_KEYS"), log)
			assert.NotContains(t, log, "tiny")
		}
	}
	code, out, _ := runWith(t, "check", map[string]string{"SESSION_KEYS": "a,b"})
	assert.Zero(t, code, out)
}
