package intake_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/database"
	"zedcard/internal/intake"
)

// Each folder of testdata has the database that a release made, with its key: one application, one message that is
// done, one application of a minor that a guardian has confirmed, a message that waits for a panel, and one that is
// held. From a release on it is never changed; the next one adds its own.
func TestTheDatabaseOfEachReleaseIsReadAndWritten(t *testing.T) {
	releases, err := filepath.Glob("testdata/*")
	require.NoError(t, err)
	require.NotEmpty(t, releases)
	for _, release := range releases {
		t.Run(filepath.Base(release), func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.CopyFS(dir, os.DirFS(release)))
			db, err := database.Open(t.Context(), "sqlite:"+filepath.Join(dir, "zedcard.db"), silent)
			require.NoError(t, err)
			defer func() { require.NoError(t, db.Close()) }()
			in := intake.New(db, db.Keys(), intake.Options{})
			var said bytes.Buffer
			require.NoError(t, in.List(t.Context(), &said))
			assert.Equal(t, 5, strings.Count(said.String(), "\n"))
			_, application, err := in.Find(t.Context(), "a0a001")
			require.NoError(t, err)
			assert.Equal(t, ana("").Fields, application.Fields)
			assert.Len(t, application.Files, len(ana("").Files))
			minor, _, err := in.Find(t.Context(), "c0c003")
			require.NoError(t, err)
			assert.False(t, minor.Confirmed.IsZero())
			message, _, err := in.Find(t.Context(), "e0e002")
			require.NoError(t, err)
			assert.False(t, message.Done.IsZero())
			require.NoError(t, in.Put(t.Context(), ana("new")))
		})
	}
}
