package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/backend/embedded"
)

// boardCovers finds the smallest JPEG of a list's covers; the version in it is 0 until the original was read.
var boardCovers = regexp.MustCompile(`"(/media/[^/]+/[^/]+/([0-9a-f]+)/c\d+\.jpg)`)

func TestFirstPicturesAreMadeBeforeAVisitorAsks(t *testing.T) {
	t.Chdir(t.TempDir())
	content := t.TempDir()
	require.NoError(t, os.CopyFS(content, embedded.Demo()))
	require.NoError(t, os.WriteFile(filepath.Join(content, "slides.yaml"), nil, 0o600))
	p := start(t, 1, nil, map[string]string{"LISTEN_ADDR": "127.0.0.1:0", "ADMIN_ADDR": "off", "DATA_DIR": t.TempDir(), "CONTENT_DIR": content})
	require.Eventually(t, func() bool {
		_, page := get(t, p.site+"/models")
		first := boardCovers.FindStringSubmatch(page)
		return first[2] != "0"
	}, 2*time.Minute, 100*time.Millisecond)
	assert.Zero(t, p.stop(), "the rest is left")
}
