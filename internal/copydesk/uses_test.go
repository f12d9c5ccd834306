package copydesk_test

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/i18n"
)

var update = flag.Bool("update", false, "write uses.json anew")

// Keys are written out in the sources, so that missing and unused ones can be found.
func TestEveryTextExistsAndIsUsed(t *testing.T) {
	sources, err := readSources(os.DirFS("../.."))
	require.NoError(t, err)
	assert.Empty(t, sources.faults())
	used := map[string]bool{}
	for _, d := range sources.declared {
		for key := range d.keys {
			used[key] = true
		}
	}
	for _, key := range i18n.Keys(i18n.EN) {
		assert.True(t, used[key], "%s is used nowhere", key)
	}
}

// Editors see where a text is used without the program having its sources.
func TestUsesMatchTheSources(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	sources, err := readSources(os.DirFS("../.."))
	require.NoError(t, err)
	uses := sources.uses()
	lines := make([]string, 0, len(uses))
	for _, key := range slices.Sorted(maps.Keys(uses)) {
		assert.NotEmpty(t, uses[key].Screens, "%s: no screen; was a function of frames renamed?", key)
		line, err := json.Marshal(uses[key])
		require.NoError(t, err)
		lines = append(lines, strconv.Quote(key)+": "+string(line))
	}
	written := "{\n" + strings.Join(lines, ",\n") + "\n}\n"
	if *update {
		require.NoError(t, os.WriteFile("uses.json", []byte(written), 0o600))
		return
	}
	kept, err := os.ReadFile("uses.json")
	require.NoError(t, err)
	assert.Equal(t, written, string(kept), "uses.json is out of date: run go generate ./internal/copydesk")
}
