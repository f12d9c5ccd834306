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
	"zedcard/internal/database/databasetest"
)

var (
	comment  = regexp.MustCompile(`--[^\n]*`)
	addition = regexp.MustCompile(`^(CREATE TABLE|CREATE INDEX|ALTER TABLE \w+ ADD COLUMN \w+ \w+ NOT NULL DEFAULT) `)
)

func TestADatabaseOfAnotherBuildIsRefused(t *testing.T) {
	refused := func(url, spoil string) {
		db, err := database.Open(t.Context(), url, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		_, err = db.Exec(spoil)
		require.NoError(t, err)
		require.NoError(t, db.Close())
		_, err = database.Open(t.Context(), url, slog.New(slog.DiscardHandler))
		require.ErrorIs(t, err, database.ErrOtherBuild)
		assert.NotContains(t, err.Error(), "\n")
		assert.ErrorIs(t, database.Check(t.Context(), url, store), database.ErrOtherBuild)
	}
	const renamed, first = "UPDATE migrations SET name = ", " WHERE name LIKE '001%'"
	for name, spoil := range map[string]string{
		"before there were fingerprints": renamed + "'migrations/001_initial.sql'" + first,
		"another first migration":        renamed + "'001_initial.sql 0123456789abcdef01234567'" + first,
		"one that was never released":    "INSERT INTO migrations (name) VALUES ('000_try.sql 0123')",
	} {
		t.Run(name, func(t *testing.T) { refused("sqlite:"+filepath.Join(t.TempDir(), "zedcard.db"), spoil) })
	}
	refused(databasetest.Postgres(t).URL(), renamed+"'migrations/001_initial.sql'"+first)
}

func TestANewerDatabaseIsTaken(t *testing.T) {
	url := "sqlite:" + filepath.Join(t.TempDir(), "zedcard.db")
	_, err := open(t, url).Exec("INSERT INTO migrations (name) VALUES ('999_later.sql 0123456789abcdef01234567')")
	require.NoError(t, err)
	assert.NoError(t, open(t, url).Ready(), "the version after this one has been tried, and this one is back")
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
