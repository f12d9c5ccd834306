package app_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
	kid := pageAt(t, writer.site+"/models/kids").Attr("[data-talent] h2 a", "href")
	for _, path := range []string{"/models/kids", kid, "/models/101/benedita-nascimento", "/"} {
		shown := pageAt(t, writer.site+path).Attrs("img[src^='/media/']", "src")
		require.NotEmpty(t, shown, path)
		for _, address := range shown[:min(2, len(shown))] { // each costs the making of a picture
			assert.Equal(t, http.StatusOK, statusOf(t, reader.site+address), address)
		}
	}
}

func TestMediaWarm(t *testing.T) {
	t.Chdir(t.TempDir())
	var cover bytes.Buffer
	require.NoError(t, jpeg.Encode(&cover, image.NewGray(image.Rect(0, 0, 500, 700)), nil))
	content, data := t.TempDir(), t.TempDir()
	for _, id := range []string{"1", "2"} {
		put(t, content, "talents/"+id+"/talent.yaml", "id: "+id+"\nname: Ana\ngender: woman\ncover: cover.jpg\n")
		put(t, content, "talents/"+id+"/cover.jpg", cover.String()+id)
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
	assert.GreaterOrEqual(t, ends[".avif"], 2, "AVIF files of each cover in each width up to its own")
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
