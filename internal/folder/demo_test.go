package folder_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/folder"
)

func TestDemoContentHasNoFaults(t *testing.T) {
	for _, fault := range faults(folder.Demo()) {
		t.Error(fault)
	}
}

// A board of the demo agency shows faces, and a creative's portfolio something.
func TestEveryTalentOfTheDemoHasACoverAndPictures(t *testing.T) {
	backend, err := folder.Open(folder.Demo(), folder.Config{})
	require.NoError(t, err)
	listed, err := backend.Content(t.Context()).Talents(t.Context())
	require.NoError(t, err)
	require.Len(t, listed, 42)
	for _, talent := range listed {
		assert.NotEmpty(t, talent.Cover.File, talent.Name)
		profile, err := backend.Content(t.Context()).Profile(t.Context(), talent.ID)
		require.NoError(t, err)
		assert.Positive(t, len(profile.Book)+len(profile.Video), talent.Name)
	}
}

// Only the demo's own site shows the demo agency's words where every agency must write its own.
func TestTheDemosPolicyHasNoBrackets(t *testing.T) {
	copied := t.TempDir()
	require.NoError(t, os.CopyFS(copied, folder.Demo()))
	for dir, brackets := range map[fs.FS]bool{folder.Demo(): false, os.DirFS(copied): true} {
		backend, err := folder.Open(dir, folder.Config{})
		require.NoError(t, err)
		for _, lang := range []string{"en", "pt", "es"} {
			policy, err := backend.Content(t.Context()).Entity(t.Context(), "privacy", lang)
			require.NoError(t, err)
			assert.Equal(t, brackets, strings.ContainsAny(policy.Body, "[]"), lang)
			assert.Contains(t, policy.Body, "Best Management Ltda.")
		}
	}
}
