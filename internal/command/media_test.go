package command_test

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
)

// boardCovers finds the smallest JPEG of a list's covers; the version in it is 0 until the original was read.
var boardCovers = regexp.MustCompile(`"(/media/[^/]+/([0-9a-f]+)/c\d+\.jpg)`)

func TestFirstPicturesAreMadeBeforeAVisitorAsks(t *testing.T) {
	t.Chdir(t.TempDir())
	content := t.TempDir()
	require.NoError(t, os.CopyFS(content, embedded.Demo()))
	require.NoError(t, os.WriteFile(filepath.Join(content, "slides.yaml"), nil, 0o600))
	p := start(t, map[string]string{
		"CONTENT_DIR":   content,
		"MEDIA_PREPARE": "true", "MEDIA_AVIF": "false", // with the race detector the encoder takes half a minute
	})
	require.Eventually(t, func() bool {
		_, page := get(t, p.site+"/models")
		first := boardCovers.FindStringSubmatch(page)
		return first[2] != "0"
	}, 2*time.Minute, 100*time.Millisecond)
	p.stop() // which doesn't wait for the remaining pictures
}

var (
	pictureSizes = regexp.MustCompile(`/media/([^/ "]+)/[0-9a-f]+/[cu](?:360|720)\.jpg`)
	profileLink  = regexp.MustCompile(`href="(/models/\d+/[^"]+)"`)
)

// TestAReplicaShowsThePicturesOfAnothersPages: the load balancer sends a page to one and its pictures to the other,
// which has the database and the back end in common with it, but has not written the page.
func TestAReplicaShowsThePicturesOfAnothersPages(t *testing.T) {
	t.Chdir(t.TempDir())
	database := "sqlite:" + t.TempDir() + "/zedcard.db"
	replica := func() started {
		return start(t, map[string]string{"DATABASE_URL": database, "MEDIA_AVIF": "false"})
	}
	writer, reader := replica(), replica()
	_, kids := get(t, writer.site+"/models/kids")
	_, kid := get(t, writer.site+profileLink.FindStringSubmatch(kids)[1])
	_, adult := get(t, writer.site+"/models/101/benedita-nascimento")
	_, home := get(t, writer.site+"/")
	shown := map[string]bool{}
	for _, page := range []string{kids, kid, adult, home} {
		for _, address := range pictureSizes.FindAllStringSubmatch(page, -1) {
			if id := address[1]; !shown[id] {
				shown[id] = true
				assert.Equal(t, http.StatusOK, statusOf(t, reader.site+address[0]), address[0])
			}
		}
	}
	assert.Greater(t, len(shown), 15)
}

func TestCheckAsksTheImageServerForAPicture(t *testing.T) {
	t.Chdir(t.TempDir())
	backend := start(t, nil, "backend")
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
		env := map[string]string{"PANEL_URL": backend.site, "INTEGRATION_URL": backend.site, "MEDIA_URL": mediaURL}
		code, out, _ := run(t, env, "check")
		return code, out
	}

	kind = "image/jpeg"
	code, said := check(server.URL + "/{width}/{format}?u={url}")
	assert.Zero(t, code, said)
	kind = "text/html"
	code, said = check(server.URL + "/{width}/{format}?u={url}")
	assert.Equal(t, 1, code)
	assert.Equal(t, 2, strings.Count(said, "instead of a picture"), "one error for each format: %s", said)
	server.Close()
	_, said = check(server.URL + "/{width}/{format}?u={url}")
	assert.Contains(t, said, "connection refused")
}
