package disk_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/disk"
)

func TestAFolderIsWritableBeforeItExists(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, path := range []string{dir, dir + "/", filepath.Join(dir, "a", "b"), "data", ".", ""} {
		require.NoError(t, disk.Writable(path), path)
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left, "the check leaves no files")
}

func TestAnUnwritableFolderIsNamedWithTheReason(t *testing.T) {
	dir := t.TempDir()
	file, nowhere := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.NoError(t, os.Symlink(filepath.Join(dir, "gone"), nowhere))
	for path, want := range map[string]string{
		file: file + ": not a directory", filepath.Join(file, "a/"): file + ": not a directory",
		nowhere: nowhere + ": no such file", nowhere + "/a": nowhere + ": no such file",
	} {
		assert.ErrorContains(t, disk.Writable(path), "nothing can be made in "+want)
	}
	if _, err := os.Stat("/proc/self"); err == nil { // refuses root, too
		assert.ErrorContains(t, disk.Writable("/proc/x/y"), "nothing can be made in /proc: ")
	}
}
