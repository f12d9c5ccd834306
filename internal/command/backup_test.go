package command_test

import (
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestABackupOfTheRunningSiteHoldsWhatWasSent, sealed: after a restore it can be read only with the keys.
func TestABackupOfTheRunningSiteHoldsWhatWasSent(t *testing.T) {
	t.Chdir(t.TempDir())
	env := map[string]string{
		"LISTEN_ADDR": "127.0.0.1:0", "ADMIN_ADDR": "off", "SESSION_KEYS": "kept elsewhere",
		"DATABASE_URL": "sqlite:own/site.db",
	}
	p := start(t, 1, nil, env)
	require.Equal(t, http.StatusSeeOther, sendMessage(t, p.site))
	backup := func(file string) int { return run(t.Context(), []string{"backup", file}, env, io.Discard, io.Discard) }
	require.Zero(t, backup("copy.db"))
	assert.Equal(t, 1, backup("copy.db"), "an existing file is not overwritten")
	require.Equal(t, http.StatusSeeOther, sendMessage(t, p.site, "message", "sent after the backup"),
		"the site still accepts messages")
	assert.Zero(t, p.stop())

	info, err := os.Stat("copy.db")
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	data, err := os.ReadFile("copy.db")
	require.NoError(t, err)
	assert.NotContains(t, string(data), "julia@example.com")

	// The folder is lost; the backup is put in its place.
	require.NoError(t, os.RemoveAll("own"))
	require.NoError(t, os.Mkdir("own", 0o700))
	require.NoError(t, os.Rename("copy.db", "own/site.db"))
	list := func() string {
		var out strings.Builder
		run(t.Context(), []string{"inbox", "list"}, env, &out, &out)
		return out.String()
	}
	assert.Equal(t, 1, strings.Count(list(), "julia@example.com"), "the backup has only the first message")
	env["SESSION_KEYS"] = "other keys"
	assert.NotContains(t, list(), "julia@example.com")

	env["DATABASE_URL"] = "postgres://zedcard@127.0.0.1:1/zedcard"
	var errs strings.Builder
	assert.Equal(t, 1, run(t.Context(), []string{"backup", "other.db"}, env, io.Discard, &errs))
	assert.Contains(t, errs.String(), "pg_dump")
	assert.NoFileExists(t, "other.db")
}
