package app

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNoLinkLeadsOutOfTheContentFolder(t *testing.T) {
	parent := t.TempDir()
	folder := filepath.Join(parent, "content")
	require.NoError(t, os.Mkdir(folder, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(parent, "secret"), []byte("secret"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "page.md"), []byte("page"), 0o600))
	require.NoError(t, os.Symlink("../secret", filepath.Join(folder, "out")))
	require.NoError(t, os.Symlink("page.md", filepath.Join(folder, "in")))

	content := contentDir(folder)
	data, err := fs.ReadFile(content, "in")
	require.NoError(t, err)
	assert.Equal(t, "page", string(data))
	_, err = fs.ReadFile(content, "out")
	require.Error(t, err)
	entries, err := fs.ReadDir(content, ".")
	require.NoError(t, err)
	assert.Len(t, entries, 3)

	require.NoError(t, os.Rename(folder, folder+".old"))
	require.NoError(t, os.Mkdir(folder, 0o700))
	_, err = fs.ReadFile(content, "page.md")
	require.ErrorIs(t, err, fs.ErrNotExist, "after a rename the new folder is read")
}
