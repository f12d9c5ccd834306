package command_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/backend/embedded"
)

func TestMediaWarm(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	t.Chdir(t.TempDir())
	content, data := t.TempDir(), t.TempDir()
	require.NoError(t, os.CopyFS(content, embedded.Demo()))
	require.NoError(t, os.WriteFile(filepath.Join(content, "slides.yaml"), nil, 0o600))
	talents, err := os.ReadDir(filepath.Join(content, "talents"))
	require.NoError(t, err)
	for _, talent := range talents[2:] {
		require.NoError(t, os.RemoveAll(filepath.Join(content, "talents", talent.Name())))
	}
	env := map[string]string{"CONTENT_DIR": content, "DATA_DIR": data}
	said := output(t, env, "media", "warm", "--covers")
	assert.Contains(t, said, "] 1 of 2 pictures\r[")
	assert.True(t, strings.HasSuffix(said, strings.Repeat("#", 40)+"] 2 of 2 pictures\n"), said)
	made := written(t, data)
	ends := map[string]int{}
	for name := range made {
		_, size, _ := strings.Cut(name, "-")
		ends[filepath.Ext(size)]++
	}
	assert.GreaterOrEqual(t, ends[".avif"], 2*3, "AVIF files of each cover in each width up to its own")
	assert.Equal(t, ends[".avif"], ends[".jpg"], "JPEG files of the same sizes")

	output(t, env, "media", "warm", "--covers")
	assert.Equal(t, made, written(t, data), "existing files are not made again")
}

// written says when each picture below a folder was written.
func written(t *testing.T, dir string) map[string]time.Time {
	t.Helper()
	times := map[string]time.Time{}
	require.NoError(t,
		filepath.WalkDir(filepath.Join(dir, "media", "files"), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			info, err := entry.Info()
			times[entry.Name()] = info.ModTime()
			return err
		}))
	return times
}
