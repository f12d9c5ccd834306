package app

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/folder"
	"zedcard/internal/testkit"
)

func TestNoLinkLeadsOutOfTheContentFolder(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "content")
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(parent, "secret"), []byte("secret"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "page.md"), []byte("page"), 0o600))
	require.NoError(t, os.Symlink("../secret", filepath.Join(dir, "out")))
	require.NoError(t, os.Symlink("page.md", filepath.Join(dir, "in")))

	content := contentDir(dir)
	data, err := fs.ReadFile(content, "in")
	require.NoError(t, err)
	assert.Equal(t, "page", string(data))
	_, err = fs.ReadFile(content, "out")
	require.Error(t, err)
	entries, err := fs.ReadDir(content, ".")
	require.NoError(t, err)
	assert.Len(t, entries, 3)

	require.NoError(t, os.Rename(dir, dir+".old"))
	require.NoError(t, os.Mkdir(dir, 0o700))
	_, err = fs.ReadFile(content, "page.md")
	require.ErrorIs(t, err, fs.ErrNotExist, "after a rename the new folder is read")
}

// A pipe waits for its writer: it is a fault by name, edits go on, and so does the next start.
func TestAPipeInTheContentFolderIsNeverOpened(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, testkit.SmallContent(t)))
	now := time.Now()
	backend, err := folder.Open(contentDir(dir), folder.Config{Now: func() time.Time { return now }})
	require.NoError(t, err)
	pipes := []string{"pages/more.md", "queue", "talents/010-agata/more.jpg"}
	for _, pipe := range pipes {
		require.NoError(t, syscall.Mkfifo(filepath.Join(dir, pipe), 0o600))
		_, err := contentDir(dir).Open(pipe)
		require.ErrorIs(t, err, fs.ErrInvalid)
	}
	file := filepath.Join(dir, "talents/020-bo/talent.yaml")
	require.NoError(t, os.WriteFile(file, []byte("id: 102\nname: Bob\ncategories: [creative]\n"), 0o600))
	now = now.Add(2 * time.Second)
	talents, err := backend.Content(t.Context()).Talents(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "Bob", talents[1].Name)
	var named []string
	for _, fault := range backend.Faults() {
		if fault.Key == "fault.file-plain" {
			named = append(named, fault.File)
		}
	}
	assert.Equal(t, pipes, named)
	_, err = folder.Open(contentDir(dir), folder.Config{})
	require.NoError(t, err)
}
