package app_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lumen is the folder of an agency, with these files beside its pages.
func lumen(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for _, page := range []string{"about", "privacy", "future-face"} {
		put(t, folder, "pages/"+page+".md", "---\ntitle: "+page+"\n---\n\nUm texto.\n")
	}
	for file, text := range files {
		put(t, folder, file, text)
	}
	return folder
}

func put(t *testing.T, folder, file, text string) {
	t.Helper()
	write(t, filepath.Join(folder, filepath.FromSlash(file)), text)
}

// write writes a file, and the folder that it is in.
func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// startLumen runs a site of a folder.
func startLumen(t *testing.T, folder string, variables map[string]string) started {
	t.Helper()
	env := map[string]string{"CONTENT_DIR": folder, "DATABASE_URL": "sqlite:" + filepath.Join(t.TempDir(), "z.db")}
	maps.Copy(env, variables)
	return start(t, env)
}

// eventually waits until a page says something; changes of the folder show within 3 seconds.
func eventually(t *testing.T, url string, says func(status int, page string) bool) {
	t.Helper()
	assert.Eventually(t, func() bool { return says(get(t, url)) }, time.Minute, 50*time.Millisecond)
}
