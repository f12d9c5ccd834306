package database_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/database"
	"zedcard/internal/testkit/databasetest"
)

var (
	comment  = regexp.MustCompile(`--[^\n]*`)
	addition = regexp.MustCompile(`^(CREATE TABLE|CREATE INDEX|ALTER TABLE \w+ ADD COLUMN \w+ \w+ NOT NULL DEFAULT) `)
)

func TestADatabaseOfANewerBuildIsRefused(t *testing.T) {
	for _, url := range []string{
		"sqlite:" + filepath.Join(t.TempDir(), "zedcard.db"), databasetest.Postgres(t).URL(),
	} {
		_, err := open(t, url).Exec("INSERT INTO migrations (name) VALUES ('999_later.sql')")
		require.NoError(t, err)
		_, err = database.Open(t.Context(), url, slog.New(slog.DiscardHandler))
		require.ErrorIs(t, err, database.ErrNewer)
		assert.NotContains(t, err.Error(), "\n")
		assert.ErrorIs(t, database.Check(t.Context(), url, store), database.ErrNewer)
	}
}

// The version before inserts rows without the new columns, and must find everything that it knows.
func TestMigrationsOnlyAdd(t *testing.T) {
	files, err := filepath.Glob("migrations/*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		script, err := os.ReadFile(file)
		require.NoError(t, err)
		for statement := range strings.SplitSeq(comment.ReplaceAllString(string(script), ""), ";") {
			if statement = strings.TrimSpace(statement); statement != "" {
				assert.Regexp(t, addition, statement, file)
			}
		}
	}
}
