package folder_test

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/folder"
	"zedcard/internal/testkit"
)

func TestAnEditIsPickedUpWithoutARestart(t *testing.T) {
	dir := testkit.SmallContent(t)
	s := testkit.Open(t, dir)
	testkit.Edit(t, dir, "talents/010-agata/talent.yaml", "height: 178", "height: 179")
	dir["talents/010-agata/book-2.jpg"] = &fstest.MapFile{Data: testkit.JPEG(t, 300, 200), ModTime: s.Now}
	assert.Contains(t, s.Get("/api/talent/profile?id=101"), `"height":"178"`, "files are checked at most once a second")

	s.Later()
	profile := s.Get("/api/talent/profile?id=101")
	assert.Contains(t, profile, `"height":"179"`)
	assert.Contains(t, profile, `"width":300,"height":200`)

	maps.DeleteFunc(dir, func(name string, _ *fstest.MapFile) bool {
		return strings.HasPrefix(name, "talents/020-bo/")
	})
	testkit.Put(dir, "talents/030-cy/talent.yaml", "id: 103\nname: Cy\ncategories: [models]\n")
	s.Later()
	assert.Equal(t, http.StatusNotFound, s.Status(http.MethodGet, "/api/talent/profile?id=102", ""))
	assert.Contains(t, s.Get("/api/talent/profile?id=103"), "Cy")
}

func TestAnEditWithAFaultKeepsTheLastGoodVersion(t *testing.T) {
	dir := testkit.SmallContent(t)
	s := testkit.Open(t, dir)
	require.Empty(t, s.Log.String())
	for file, path := range map[string]string{
		"talents/010-agata/talent.yaml": "/api/talent/profile?id=101",
		"posts/news/primeiro.md":        "/api/posts/news/pt/primeiro",
		"pages/about.pt.md":             "/api/entities/about?language=pt",
		"slides.yaml":                   "/api/slides/home",
		"agency.yaml":                   "/api/social-medias",
		"options.yaml":                  "/api/talents/attributes",
	} {
		before, text := s.Get(path), dir[file]
		s.Log.Reset()
		dir[file] = &fstest.MapFile{Data: append([]byte("?: [\n"), text.Data...)}
		s.Later()
		assert.Equal(t, before, s.Get(path), file)
		assert.Contains(t, s.Log.String(), "file="+file, "the file with the fault is logged")
		dir[file] = text
		s.Later()
		assert.Equal(t, before, s.Get(path), file)
	}

	testkit.Edit(t, dir, "categories.yaml", "name: women", "name: ladies")
	s.Later()
	assert.Contains(t, s.Get("/api/talent/profile?id=101"), "Ágata", "removing a category that is in use")
}

func TestAMovedIDBelongsToOneTalent(t *testing.T) {
	dir := testkit.SmallContent(t)
	s := testkit.Open(t, dir)
	testkit.Edit(t, dir, "talents/010-agata/talent.yaml", "id: 101", "id: 102")
	s.Later()
	assert.Contains(t, s.Get("/api/talent/profile?id=102"), "Ágata")
	assert.Contains(t, s.Log.String(), "id 102 is taken by talents/010-agata/talent.yaml")
	var list struct {
		Data struct{ Data []struct{ ID int } }
	}
	s.Read(s.Call(http.MethodPost, "/api/talents", "{}"), &list)
	assert.Len(t, list.Data.Data, 1)
}

func TestAtTheStartInvalidEntriesAreSkipped(t *testing.T) {
	dir := testkit.SmallContent(t)
	testkit.Edit(t, dir, "talents/010-agata/talent.yaml", "Black", "Blak")
	testkit.Edit(t, dir, "categories.yaml", "id: 7", "id: seven")
	testkit.Edit(t, dir, "options.yaml", "hair:", "hair: [")
	delete(dir, "agency.yaml")
	s := testkit.Open(t, dir)
	assert.Equal(t, http.StatusNotFound, s.Status(http.MethodGet, "/api/talent/profile?id=101", ""))
	assert.Contains(t, s.Get("/api/talent/profile?id=102"), "Bo")
	assert.Contains(t, s.Get("/api/talents/attributes"), "Brazil", "the demo's lists stand in")
	for _, file := range []string{"talents/010-agata/talent.yaml", "categories.yaml", "options.yaml"} {
		assert.Contains(t, s.Log.String(), file)
	}

	testkit.Edit(t, dir, "talents/010-agata/talent.yaml", "Blak", "Black")
	testkit.Edit(t, dir, "categories.yaml", "id: seven", "id: 7")
	s.Later()
	assert.Contains(t, s.Get("/api/talent/profile?id=101"), "Ágata")
}

func TestReadersNeverSeeAHalfWrittenFile(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, testkit.SmallContent(t)))
	start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var ticks atomic.Int64
	s := testkit.Open(t, os.DirFS(dir), func(c *folder.Config) {
		c.Now = func() time.Time { return start.Add(time.Duration(ticks.Add(1)) * time.Second) } // every call looks
	})
	s.SignIn()
	file := filepath.Join(dir, "talents", "010-agata", "talent.yaml")
	text, err := os.ReadFile(file)
	require.NoError(t, err)

	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 50 {
				response := s.Call(http.MethodGet, "/api/talent/profile?id=101", "")
				assert.Equal(t, http.StatusOK, response.StatusCode)
			}
		})
	}
	for i := range 50 {
		require.NoError(t, os.WriteFile(file, append(text, strings.Repeat("# edited\n", i)...), 0o600))
	}
	readers.Wait()
	assert.Contains(t, s.Get("/api/talent/profile?id=101"), "Ágata")
}
