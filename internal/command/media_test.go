package command_test

import (
	"io/fs"
	"net/http"
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
var boardCovers = regexp.MustCompile(`"(/media/[^/]+/[^/]+/([0-9a-f]+)/c\d+\.jpg)`)

func TestFirstPicturesAreMadeBeforeAVisitorAsks(t *testing.T) {
	t.Chdir(t.TempDir())
	content := t.TempDir()
	require.NoError(t, os.CopyFS(content, embedded.Demo()))
	write(t, filepath.Join(content, "slides.yaml"), "")
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
	pictureSizes = regexp.MustCompile(`/media/([^/ "]+/[^/ "]+)/[0-9a-f]+/[cu](?:360|720)\.jpg`)
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

func TestMediaWarm(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	t.Chdir(t.TempDir())
	content, data := t.TempDir(), t.TempDir()
	require.NoError(t, os.CopyFS(content, embedded.Demo()))
	write(t, filepath.Join(content, "slides.yaml"), "")
	talents, err := os.ReadDir(filepath.Join(content, "talents"))
	require.NoError(t, err)
	for _, talent := range talents[2:] {
		require.NoError(t, os.RemoveAll(filepath.Join(content, "talents", talent.Name())))
	}
	env := map[string]string{"CONTENT_DIR": content, "DATA_DIR": data}
	said := output(t, env, "media", "warm", "--covers")
	assert.Contains(t, said, "\r1 of 2 pictures\r2 of 2 pictures\n")
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
