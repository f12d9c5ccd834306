package embedded_test

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

	"zedcard/internal/backend/embedded"
)

// later advances the clock until the folder is checked again.
func (s *site) later() { s.now = s.now.Add(time.Second) }

func TestAnEditIsPickedUpWithoutARestart(t *testing.T) {
	folder := smallContent(t)
	s := open(t, folder)
	edit(t, folder, "talents/010-agata/talent.yaml", "height: 178", "height: 179")
	folder["talents/010-agata/book-2.jpg"] = &fstest.MapFile{Data: jpegOf(t, 300, 200), ModTime: s.now}
	assert.Contains(t, s.get("/api/talent/profile?id=101"), `"height":"178"`, "files are checked at most once a second")

	s.later()
	profile := s.get("/api/talent/profile?id=101")
	assert.Contains(t, profile, `"height":"179"`)
	assert.Contains(t, profile, `"width":300,"height":200`)

	maps.DeleteFunc(folder, func(name string, _ *fstest.MapFile) bool {
		return strings.HasPrefix(name, "talents/020-bo/")
	})
	put(folder, "talents/030-cy/talent.yaml", "id: 103\nname: Cy\ncategories: [models]\n")
	s.later()
	assert.Equal(t, http.StatusNotFound, s.status(http.MethodGet, "/api/talent/profile?id=102", ""))
	assert.Contains(t, s.get("/api/talent/profile?id=103"), "Cy")
}

func TestAnEditWithAFaultKeepsTheLastGoodVersion(t *testing.T) {
	folder := smallContent(t)
	s := open(t, folder)
	require.Empty(t, s.log.String())
	for file, path := range map[string]string{
		"talents/010-agata/talent.yaml": "/api/talent/profile?id=101",
		"posts/news/primeiro.md":        "/api/posts/news/pt/primeiro",
		"pages/about.pt.md":             "/api/entities/about?language=pt",
		"slides.yaml":                   "/api/slides/home",
		"agency.yaml":                   "/api/social-medias",
		"options.yaml":                  "/api/talents/attributes",
	} {
		before, text := s.get(path), folder[file]
		s.log.Reset()
		folder[file] = &fstest.MapFile{Data: append([]byte("?: [\n"), text.Data...)}
		s.later()
		assert.Equal(t, before, s.get(path), file)
		assert.Contains(t, s.log.String(), "file="+file, "the file with the fault is logged")
		folder[file] = text
		s.later()
		assert.Equal(t, before, s.get(path), file)
	}

	edit(t, folder, "categories.yaml", "name: women", "name: ladies")
	s.later()
	assert.Contains(t, s.get("/api/talent/profile?id=101"), `"women"`,
		"removing a category that is in use keeps the last good version")
}

func TestAMovedIDBelongsToOneTalent(t *testing.T) {
	folder := smallContent(t)
	s := open(t, folder)
	edit(t, folder, "talents/010-agata/talent.yaml", "id: 101", "id: 102")
	s.later()
	assert.Contains(t, s.get("/api/talent/profile?id=102"), "Ágata")
	assert.Contains(t, s.log.String(), "id 102 is taken by talents/010-agata/talent.yaml")
	var list struct {
		Data struct{ Data []struct{ ID int } }
	}
	s.read(s.call(http.MethodPost, "/api/talents", "{}"), &list)
	assert.Len(t, list.Data.Data, 1)
}

func TestAtTheStartInvalidEntriesAreSkipped(t *testing.T) {
	folder := smallContent(t)
	edit(t, folder, "talents/010-agata/talent.yaml", "Black", "Blak")
	edit(t, folder, "categories.yaml", "id: 7", "id: seven")
	edit(t, folder, "options.yaml", "hair:", "hair: [")
	delete(folder, "agency.yaml")
	s := open(t, folder)
	assert.Equal(t, http.StatusNotFound, s.status(http.MethodGet, "/api/talent/profile?id=101", ""))
	assert.Contains(t, s.get("/api/talent/profile?id=102"), "Bo")
	assert.Contains(t, s.get("/api/talents/attributes"), "Brazil", "the demo's lists stand in")
	for _, file := range []string{"talents/010-agata/talent.yaml", "categories.yaml", "options.yaml"} {
		assert.Contains(t, s.log.String(), file)
	}

	edit(t, folder, "talents/010-agata/talent.yaml", "Blak", "Black")
	edit(t, folder, "categories.yaml", "id: seven", "id: 7")
	s.later()
	assert.Contains(t, s.get("/api/talent/profile?id=101"), "Ágata")
}

func TestReadersNeverSeeAHalfWrittenFile(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, smallContent(t)))
	start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var ticks atomic.Int64
	s := open(t, os.DirFS(dir), func(c *embedded.Config) {
		c.Now = func() time.Time { return start.Add(time.Duration(ticks.Add(1)) * time.Second) } // every call looks
	})
	s.signIn()
	file := filepath.Join(dir, "talents", "010-agata", "talent.yaml")
	text, err := os.ReadFile(file)
	require.NoError(t, err)

	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 50 {
				response := s.call(http.MethodGet, "/api/talent/profile?id=101", "")
				assert.Equal(t, http.StatusOK, response.StatusCode)
			}
		})
	}
	for i := range 50 {
		require.NoError(t, os.WriteFile(file, append(text, strings.Repeat("# edited\n", i)...), 0o600))
	}
	readers.Wait()
	assert.Contains(t, s.get("/api/talent/profile?id=101"), "Ágata")
}
