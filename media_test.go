package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/backend/embedded"
	"zedcard/internal/config"
	"zedcard/internal/media"
	"zedcard/views/ui"
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

func TestCheckAsksTheImageServerForAPicture(t *testing.T) {
	t.Chdir(t.TempDir())
	backend := start(t, 1, []string{"backend", "--listen", "127.0.0.1:0"}, nil)
	var kind string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		original, err := http.Get(r.URL.Query().Get("u"))
		if !assert.NoError(t, err) {
			return
		}
		defer func() { _ = original.Body.Close() }()
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(original.StatusCode)
		_, _ = io.Copy(w, original.Body)
	}))
	defer server.Close()
	check := func(mediaURL string) (int, string) {
		var said strings.Builder
		env := map[string]string{"PANEL_URL": backend.site, "INTEGRATION_URL": backend.site, "MEDIA_URL": mediaURL}
		return run(t.Context(), []string{"check"}, func(name string) string { return env[name] }, &said, io.Discard), said.String()
	}

	kind = "image/jpeg"
	code, said := check(server.URL + "/{width}/{format}?u={url}")
	assert.Zero(t, code, said)
	kind = "text/html"
	code, said = check(server.URL + "/{width}/{format}?u={url}")
	assert.Equal(t, 1, code)
	assert.Equal(t, 2, strings.Count(said, "instead of a picture"), "of each format: %s", said)
	server.Close()
	_, said = check(server.URL + "/{width}/{format}?u={url}")
	assert.Contains(t, said, "connection refused")
	assert.Zero(t, backend.stop())
}

func TestPicturesComeFromTheStoragesAndTheBackEndsAndFromNowhereElse(t *testing.T) {
	env := map[string]string{
		"PANEL_URL": "https://panel.example", "INTEGRATION_URL": "https://integration.example/v1/", "SLIDES_URL": "https://cdn.example/slides/",
	}
	c, err := config.Load(nil, func(name string) string { return env[name] })
	require.NoError(t, err)
	roots, err := mediaRoots(c, backEnds{})
	require.NoError(t, err)
	store, err := media.Open(media.Config{Dir: t.TempDir(), Roots: roots})
	require.NoError(t, err)
	defer func() { assert.NoError(t, store.Close()) }()
	known := func(file string) bool {
		return !strings.Contains(pictures{store, storageRoot}.Sources(file, ui.Card, false).Src, "/missing/")
	}
	for _, file := range []string{
		"a.jpg", "https://panel.example/storage/a.jpg", "https://panel.example/uploads/a.jpg", "https://integration.example/v1/a.jpg", "https://cdn.example/slides/a.jpg",
	} {
		assert.True(t, known(file), file)
	}
	for _, file := range []string{"http://panel.example/a.jpg", "https://panel.example:8443/a.jpg", "https://elsewhere.example/a.jpg", "https://integration.example/a.jpg"} {
		assert.False(t, known(file), file)
	}
}
