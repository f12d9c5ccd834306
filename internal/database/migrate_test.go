package database_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	comment  = regexp.MustCompile(`--[^\n]*`)
	addition = regexp.MustCompile(`^(CREATE TABLE|CREATE INDEX|ALTER TABLE \w+ ADD COLUMN \w+ \w+ NOT NULL DEFAULT) `)
)

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
