package config

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the table of docs/settings.md anew")

// TestSettingsPageListsEverySetting compares the table of docs/settings.md with what --help says:
// go test ./internal/config -run SettingsPage -update
func TestSettingsPageListsEverySetting(t *testing.T) {
	const file = "../../docs/settings.md"
	const begin, end = "|---|---|---|\n", "\n## "
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, _ := strings.Cut(string(page), begin)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found, "the table's end mark exists")

	var table strings.Builder
	for _, s := range settings(new(Config)) {
		value := s.unset
		if s.fallback != "" {
			value = "`" + s.fallback + "`"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", s.name, s.meaning, value)
	}
	want := before + begin + table.String() + end + after
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
		return
	}
	assert.Equal(t, want, string(page))
}
