package api_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/api"
	"zedcard/internal/testkit"
)

func TestStorageServesPicturesToEverybody(t *testing.T) {
	folder := testkit.SmallContent(t)
	s := testkit.Open(t, folder)
	response := s.Call(http.MethodGet, "/storage/slides/d.png", "", "Authorization", "")
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, response.StatusCode)
	assert.Equal(t, folder["slides/d.png"].Data, body)
	assert.Equal(t, "image/png", response.Header.Get("Content-Type"))
	assert.Equal(t, "nosniff", response.Header.Get("X-Content-Type-Options"))
	assert.Equal(t, int64(len(body)), response.ContentLength)

	head := s.Call(http.MethodHead, "/storage/slides/d.png", "")
	rest, err := io.ReadAll(head.Body)
	require.NoError(t, err)
	assert.Empty(t, rest)
	assert.Equal(t, response.ContentLength, head.ContentLength)

	part := s.Call(http.MethodGet, "/storage/slides/d.png", "", "Range", "bytes=2-5")
	body, err = io.ReadAll(part.Body)
	require.NoError(t, err)
	assert.Equal(t, http.StatusPartialContent, part.StatusCode)
	assert.Equal(t, folder["slides/d.png"].Data[2:6], body)
}

func TestStorageHidesEverythingElse(t *testing.T) {
	folder := testkit.SmallContent(t)
	folder[".drafts/1.jpg"] = folder["slides/m.jpg"]
	folder["slides/.1.jpg"] = folder["slides/m.jpg"]
	folder["slides/x.svg"] = folder["slides/m.jpg"]
	folder["album.jpg/1.jpg"] = folder["slides/m.jpg"]
	s := testkit.Open(t, folder)
	for _, path := range []string{
		"", "slides", "slides/", "talents/010-agata/talent.yaml",
		"options.yaml", "README.md", "pages/about.md", "slides/x.svg",
		".drafts/1.jpg", "slides/.1.jpg", "album.jpg", "album.jpg/",
		"nothing.jpg", "slides/m.jpg/", "/slides/m.jpg", "slides//m.jpg",
		"./slides/m.jpg", "slides/../slides/m.jpg", "../storage/slides/m.jpg",
		"../../etc/passwd.jpg", "%2e%2e/slides/m.jpg", "..%2fslides%2fm.jpg",
		"slides/..%5c..%5cm.jpg", "slides%5cm.jpg", "slides/m.jpg%00",
		"options.yaml%00.jpg", "%2fetc%2fpasswd.jpg", "slides/m.jpg%20",
	} {
		assert.Equal(t, http.StatusNotFound, s.Status(http.MethodGet, "/storage/"+path, ""), path)
	}
	assert.Equal(t, http.StatusMethodNotAllowed, s.Status(http.MethodDelete, "/storage/slides/m.jpg", ""))
}

func TestStorageRevalidatesPictures(t *testing.T) {
	folder := testkit.SmallContent(t)
	s := testkit.Open(t, folder)
	tag := func() string { return s.Call(http.MethodHead, "/storage/slides/m.jpg", "").Header.Get("ETag") }
	first := tag()
	require.NotEmpty(t, first)
	assert.Equal(t, http.StatusNotModified,
		s.Status(http.MethodGet, "/storage/slides/m.jpg", "", "If-None-Match", first))

	for day := 1; day <= 2; day++ { // of the same length
		folder["slides/m.jpg"] = &fstest.MapFile{
			Data: testkit.JPEG(t, 66, 100), ModTime: time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC),
		}
		assert.Equal(t, http.StatusOK, s.Status(http.MethodGet, "/storage/slides/m.jpg", "", "If-None-Match", first))
		first = tag()
	}
}

// The program reads its own pictures without a port.
func TestStorageAnswersInTheProcess(t *testing.T) {
	folder := testkit.SmallContent(t)
	s := testkit.Open(t, folder)
	read := func(path, tag string) *http.Response {
		request := httptest.NewRequest(http.MethodGet, "http://embedded/storage/"+path, nil)
		request.Header.Set("If-None-Match", tag)
		answer, err := api.Storage{Pictures: s.Pictures()}.RoundTrip(request)
		require.NoError(t, err)
		t.Cleanup(func() { answer.Body.Close() })
		return answer
	}
	whole := read("slides/m.jpg", "")
	data, err := io.ReadAll(whole.Body)
	require.NoError(t, err)
	assert.Equal(t, folder["slides/m.jpg"].Data, data)
	assert.Equal(t, int64(len(data)), whole.ContentLength)
	assert.Equal(t, http.StatusNotModified, read("slides/m.jpg", whole.Header.Get("ETag")).StatusCode)
	assert.Equal(t, http.StatusNotFound, read("options.yaml", "").StatusCode)
}

func TestLinksOutOfTheFolderAreNotFollowed(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "private.jpg")
	require.NoError(t, os.WriteFile(outside, testkit.JPEG(t, 1, 1), 0o600))
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, testkit.SmallContent(t)))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "slides", "out.jpg")))
	require.NoError(t, os.Symlink("nowhere", filepath.Join(dir, "slides", "dangling.jpg")))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()

	s := testkit.Open(t, root.FS())
	assert.Equal(t, http.StatusOK, s.Status(http.MethodGet, "/storage/slides/m.jpg", ""))
	assert.Equal(t, http.StatusNotFound, s.Status(http.MethodGet, "/storage/slides/out.jpg", ""))
}
