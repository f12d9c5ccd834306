package media

import (
	"bytes"
	"fmt"
	"image"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onDisk is the size of all files below a folder.
func onDisk(t *testing.T, dir string) (size int64, names []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		size += info.Size()
		names = append(names, entry.Name())
		return err
	}))
	return size, names
}

func TestCacheStaysBelowItsSizeAndKeepsWhatIsUsed(t *testing.T) {
	dir, now := filepath.Join(t.TempDir(), "files"), &clock{now: time.Now().Add(-100 * time.Hour)}
	c, err := openFiles(dir, 1000, now.Now)
	require.NoError(t, err)
	for i := range 20 {
		name := fmt.Sprintf("%02d-file", i)
		require.NoError(t, c.put(name, bytes.Repeat([]byte{byte(i)}, 100)))
		require.NoError(t, os.Chtimes(c.path(name), now.Now(), now.Now()))
		now.add(2 * time.Hour)
		_, err := c.read("00-file") // used again and again
		require.NoError(t, err)
		size, _ := onDisk(t, dir)
		assert.LessOrEqual(t, size, int64(1000))
	}
	assert.True(t, c.has("00-file"))
	assert.True(t, c.has("19-file"))
	_, err = c.open("01-file")
	require.ErrorIs(t, err, fs.ErrNotExist)

	_, err = openFiles(dir, 100, now.Now)
	require.NoError(t, err)
	size, names := onDisk(t, dir)
	assert.Equal(t, []string{"00-file"}, names, "over a restart, only the most recently used file is left")
	assert.EqualValues(t, 100, size)
}

func TestPicturesSurviveARestart(t *testing.T) {
	from, dir := &storage{}, t.TempDir()
	from.put("a.jpg", asJPEG(t, photo(400, 500), 90))
	config := Config{
		Dir: dir, Roots: []Root{{Name: "s", Transport: from}}, Worker: worker, Keys: [][]byte{[]byte("a key")},
	}
	s, err := Open(config)
	require.NoError(t, err)
	get(s, sourceOf(s, "a.jpg", 360).Src)
	link := sourceOf(s, "a.jpg", 360).Src
	require.NoError(t, s.Close())

	from.setDown(true)
	s, err = Open(config)
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	assert.Equal(t, link, sourceOf(s, "a.jpg", 360).Src, "after a restart the address is the same")
	assert.Equal(t, 200, get(s, link).Code)
}

func TestEmptiedCacheFolderIsFilledAgain(t *testing.T) {
	from, s := openPhoto(t, photo(400, 500))
	get(s, sourceOf(s, "a.jpg", 360).Src)
	link := sourceOf(s, "a.jpg", 360).Src
	for _, gone := range []string{filepath.Join(s.config.Dir, "files"), s.config.Dir} {
		require.NoError(t, os.RemoveAll(gone))
		assert.Equal(t, 200, get(s, link).Code)
	}
	assert.Equal(t, 3, from.count("a.jpg"))
}

// TestPicturesAreShownWhenTheDiskTakesNoFiles: the log says it once, not for every picture.
func TestPicturesAreShownWhenTheDiskTakesNoFiles(t *testing.T) {
	for name, inTheWay := range map[string]string{"pictures": "files", "originals and pictures": "."} {
		t.Run(name, func(t *testing.T) {
			from, now := &storage{}, newClock()
			var log bytes.Buffer
			s := open(t, from, func(c *Config) {
				c.Now = now.Now
				c.Dir = filepath.Join(t.TempDir(), "media")
				c.Log = slog.New(slog.NewTextHandler(&log, nil))
			})
			for i := range 10 {
				from.put(fmt.Sprint(i), asJPEG(t, image.NewGray(image.Rect(0, 0, 40, 50)), 90+i))
			}
			// A folder can't be created where a file exists, even by root.
			folder := filepath.Join(s.config.Dir, inTheWay)
			require.NoError(t, os.Rename(folder, folder+"-away"))
			require.NoError(t, os.WriteFile(folder, nil, 0o600))
			for i := range 10 {
				answer := get(s, sourceOf(s, fmt.Sprint(i), 360).Src)
				require.Equal(t, http.StatusOK, answer.Code)
				assert.Equal(t, image.Pt(40, 50), decoded(t, answer.Body.Bytes()).Bounds().Size())
				again := get(s, sourceOf(s, fmt.Sprint(i), 360).Src)
				assert.Equal(t, cacheImmutable, again.Header().Get("Cache-Control"))
				assert.Equal(t, 1, from.count(fmt.Sprint(i)), "served from memory")
			}
			assert.Equal(t, 1, strings.Count(log.String(), "can't be written"), log.String())

			require.NoError(t, os.Remove(folder))
			require.NoError(t, os.Rename(folder+"-away", folder))
			now.add(time.Minute)
			from.put("new", asJPEG(t, image.NewGray(image.Rect(0, 0, 40, 50)), 80))
			assert.Equal(t, http.StatusOK, get(s, sourceOf(s, "new", 360).Src).Code)
			_, names := onDisk(t, s.config.Dir)
			other := func(name string) bool { return strings.HasSuffix(name, ".json") }
			assert.Len(t, slices.DeleteFunc(names, other), 2,
				"the original and the size are written again when there is room")
		})
	}
}

// TestTwoProgramsShareAFolder: what `zedcard media warm` makes beside the site is the site's, and neither reads an
// original that the other has read.
func TestTwoProgramsShareAFolder(t *testing.T) {
	from := &storage{}
	from.put("a.jpg", asJPEG(t, photo(400, 500), 90))
	site := open(t, from)
	warm := open(t, from, func(c *Config) { c.Dir = site.config.Dir })
	require.NoError(t, warm.Warm(t.Context(), []PictureSpec{{"a.jpg", Options{}}}, nil))
	from.setDown(true)

	require.Equal(t, 200, get(site, sourceOf(site, "a.jpg", 360).Src).Code)
	source := sourceOf(site, "a.jpg", 360)
	assert.NotContains(t, source.Src, "/"+noVersion+"/")
	answer := get(site, source.Src)
	assert.Equal(t, 200, answer.Code)
	assert.Equal(t, cacheImmutable, answer.Header().Get("Cache-Control"))
	assert.Equal(t, 1, from.count("a.jpg"))
}
