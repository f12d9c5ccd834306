package app_test

import (
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
	env := map[string]string{"SESSION_KEYS": "kept elsewhere", "DATABASE_URL": "sqlite:own/site.db"}
	p := start(t, env)
	form := messageForm(t, p.site)
	require.Equal(t, http.StatusSeeOther, sendForm(t, p.site, form))
	output(t, env, "backup", "copy.db")
	code, _, _ := run(t, env, "backup", "copy.db")
	assert.Equal(t, 1, code, "an existing file is not overwritten")
	require.Equal(t, http.StatusSeeOther, sendForm(t, p.site, form, "message", "sent after the backup"),
		"the site still accepts messages")
	p.stop()

	info, err := os.Stat("copy.db")
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	data := read(t, "copy.db")
	assert.NotContains(t, data, "julia@example.com")

	// The folder is lost; the backup is put in its place.
	require.NoError(t, os.RemoveAll("own"))
	require.NoError(t, os.Mkdir("own", 0o700))
	require.NoError(t, os.Rename("copy.db", "own/site.db"))
	assert.Equal(t, 1, strings.Count(output(t, env, "inbox", "list"), "julia@example.com"),
		"the backup has only the first message")
	env["SESSION_KEYS"] = "other keys"
	code, listed, errs := run(t, env, "inbox", "list")
	assert.NotContains(t, listed, "julia@example.com")
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "1 of 1 submissions can't be read")

	env["DATABASE_URL"] = "postgres://zedcard@127.0.0.1:1/zedcard"
	code, _, errs = run(t, env, "backup", "other.db")
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "pg_dump")
	assert.NoFileExists(t, "other.db")
}
