package media

import (
	"bytes"
	"fmt"
	"image"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/picture"
	"zedcard/internal/testkit/picturetest"
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
	from.put("a.jpg", picturetest.JPEG(t, photo(400, 500)))
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

func TestAPictureIsShownOnceTheDiskTakesFiles(t *testing.T) {
	now := newClock()
	_, s := openPhoto(t, image.NewGray(image.Rect(0, 0, 40, 50)), now.tells)
	// A folder can't be created where a file exists, even by root.
	folder := filepath.Join(s.config.Dir, "files")
	require.NoError(t, os.RemoveAll(folder))
	require.NoError(t, os.WriteFile(folder, nil, 0o600))
	answer := get(s, sourceOf(s, "a.jpg", 360).Src)
	assert.Equal(t, http.StatusBadGateway, answer.Code)
	assert.Equal(t, "no-store", answer.Header().Get("Cache-Control"))

	require.NoError(t, os.Remove(folder))
	now.add(time.Minute)
	assert.Equal(t, http.StatusOK, get(s, sourceOf(s, "a.jpg", 360).Src).Code)
}

// TestThePicturesOfAFolderAreKnown: their addresses need no reading, a changed one has another at once, and what
// `zedcard media warm` makes beside the site is the site's.
func TestThePicturesOfAFolderAreKnown(t *testing.T) {
	from := &storage{}
	known := func(c *Config) {
		c.Folder = func(file string) (version string, width, height int, ok bool) {
			o, err := picture.Probe(bytes.NewReader(from.files[file]))
			if err != nil {
				return "", 0, 0, false
			}
			version, err = o.Version()
			return version, o.Width, o.Height, err == nil
		}
	}
	from.put("a.jpg", picturetest.JPEG(t, photo(400, 500)))
	site := open(t, from, known)
	first := sourceOf(site, "a.jpg", 360, 720)
	assert.Equal(t, [2]int{400, 500}, [2]int{first.Width, first.Height})
	assert.NotContains(t, first.Src, "/"+noVersion+"/")
	warm := open(t, from, known, func(c *Config) { c.Dir = site.config.Dir })
	require.NoError(t, warm.Warm(t.Context(), []PictureSpec{{"a.jpg", Options{}}}, nil))
	answer := get(site, first.Src)
	assert.Equal(t, 200, answer.Code)
	assert.Equal(t, cacheImmutable, answer.Header().Get("Cache-Control"))
	assert.Equal(t, 1, from.count("a.jpg"))

	from.put("a.jpg", picturetest.JPEG(t, photo(500, 400)))
	second := sourceOf(site, "a.jpg", 360, 720)
	assert.NotEqual(t, first.Src, second.Src)
	answer = get(site, second.Src)
	assert.Equal(t, cacheImmutable, answer.Header().Get("Cache-Control"))
	assert.Equal(t, image.Pt(360, 288), decoded(t, answer.Body.Bytes()).Bounds().Size())
	assert.Equal(t, cacheUnversioned, get(site, first.Src).Header().Get("Cache-Control"))
}
