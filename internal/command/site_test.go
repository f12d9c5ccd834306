package command_test

import (
	"os"
	"path/filepath"
	"strings"
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
	path := filepath.Join(folder, filepath.FromSlash(file))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

// startLumen runs a site of a folder.
func startLumen(t *testing.T, folder string, variables map[string]string) started {
	t.Helper()
	data := t.TempDir()
	env := map[string]string{
		"LISTEN_ADDR": "127.0.0.1:0", "ADMIN_ADDR": "off", "CONTENT_DIR": folder, "DATA_DIR": data,
		"DATABASE_URL": "sqlite:" + filepath.Join(data, "z.db"),
	}
	for name, value := range variables {
		env[name] = value
	}
	site := start(t, 1, nil, env)
	t.Cleanup(func() { assert.Zero(t, site.stop()) })
	return site
}

// eventually waits until a page says something; changes of the folder show within 3 seconds.
func eventually(t *testing.T, url string, says func(status int, page string) bool) {
	t.Helper()
	assert.Eventually(t, func() bool { return says(get(t, url)) }, 10*time.Second, 50*time.Millisecond)
}

func TestTheFolderSaysWhoseSiteItIs(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	folder := lumen(t, map[string]string{"agency.yaml": `
name: Studio Lumen
phone: +351 222 000 111
mail: {bookings: bookings@studiolumen.example}
address: Rua de Cedofeita 100, 4050-174 Porto, Portugal
social: [{name: Instagram, url: https://instagram.com/studiolumen}]
apply: {minimum_age: 16, phones: international}
blog: {language: en, types: {studio: {en: From the studio}}}
official: [studiolumen.example]
`})
	site := startLumen(t, folder, map[string]string{"POWERED_BY_NAME": ""})
	_, page := get(t, site.site+"/contact")
	for _, own := range []string{
		"Studio Lumen", "+351 222 000 111", "bookings@studiolumen.example", "Rua de Cedofeita 100",
		"https://instagram.com/studiolumen",
	} {
		assert.Contains(t, page, own)
	}
	for _, others := range []string{"Best Management", "best.example", "zedcard.example", "Accounting", "tiktok"} {
		assert.NotContains(t, page, others, "what agency.yaml leaves out is not shown")
	}
	_, apply := get(t, site.site+"/be-a-model")
	assert.Contains(t, apply, "You can apply from the age of 16.")
	assert.Contains(t, apply, "+351 912 345 678", "an example of an international number")
	_, blog := get(t, site.site+"/blog")
	assert.Contains(t, blog, "From the studio")
	assert.NotContains(t, blog, "Portuguese")

	text, err := os.ReadFile(filepath.Join(folder, "agency.yaml"))
	require.NoError(t, err)
	put(t, folder, "agency.yaml", strings.Replace(string(text), "Studio Lumen", "Studio Aurora", 1))
	eventually(t, site.site+"/contact", func(_ int, page string) bool {
		return strings.Contains(page, "Studio Aurora")
	})
	put(t, folder, "agency.yaml", "name: Studio Broken\nphon: 1\n")
	_, page = get(t, site.site+"/contact")
	assert.Contains(t, page, "Studio Aurora", "a file with a fault is not taken")
}
