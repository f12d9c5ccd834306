package remote

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
)

// reads are reads of one of everything.
func reads(ctx context.Context, c opened) map[string]func() (any, error) {
	return map[string]func() (any, error){
		"roster": func() (any, error) {
			roster, err := c.Roster(ctx)
			if err != nil {
				return nil, err
			}
			return roster.All(), nil
		},
		"talent":  func() (any, error) { return c.Talent(ctx, "1") },
		"slides":  func() (any, error) { return c.Slides(ctx) },
		"social":  func() (any, error) { return c.SocialMedias(ctx) },
		"entity":  func() (any, error) { return c.Entity(ctx, "about", "pt") },
		"options": func() (any, error) { return c.Options(ctx, "pt", "BR") },
		"posts":   func() (any, error) { posts, _, err := c.Posts(ctx, "news", 10); return posts, err },
		"post":    func() (any, error) { return c.Post(ctx, "news", "primeiro") },
	}
}

func visitAll(t *testing.T, c opened) map[string]any {
	t.Helper()
	values := map[string]any{}
	for what, read := range reads(t.Context(), c) {
		value, err := read()
		require.NoError(t, err, what)
		values[what] = value
	}
	return values
}

func TestSnapshotServesEverythingWithBothBackEndsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "kept", "catalog.snapshot")
		f := newFake()
		first := open(t, f, file)
		first.Warm()
		want := visitAll(t, first)
		first.Close()

		info, err := os.Stat(file)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "the file is private, because it holds birth dates")
		files, err := os.ReadDir(filepath.Dir(file))
		require.NoError(t, err)
		assert.Len(t, files, 1, "no temporary file is left")

		time.Sleep(30 * 24 * time.Hour)
		f.set(func() { f.panelDown, f.integrationDown = errDown, errDown })
		second := open(t, f, file)
		assert.Error(t, second.content.Ready(t.Context()))
		second.Warm()
		assert.NoError(t, second.content.Ready(t.Context()))
		assert.Equal(t, want, visitAll(t, second))
		synctest.Wait()
		assert.Equal(t, want, visitAll(t, second), "the snapshot is still served after the first failed refresh")

		f.set(func() {
			f.panelDown, f.integrationDown = nil, nil
			f.slides = []agency.Slide{{Desktop: "two.jpg"}}
		})
		time.Sleep(failedTTL)
		_, err = second.Slides(t.Context())
		require.NoError(t, err)
		synctest.Wait()
		slides, err := second.Slides(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "two.jpg", slides[0].Desktop, "the snapshot is replaced by newer content")
	})
}

func TestTheSnapshotIsWrittenAtMostOnceAMinuteAndOnlyAfterAChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "catalog.snapshot")
		f := newFake()
		c := open(t, f, file)
		c.Warm()
		time.Sleep(2 * time.Second)
		require.FileExists(t, file, "the snapshot is written soon after the start")
		time.Sleep(2*saveEvery + 2*time.Second) // then less and less often: after 1, 3, 7, 15, 31, 63 and 123 s
		require.NoError(t, os.Remove(file))

		_, err := c.Entity(t.Context(), "about", "")
		require.NoError(t, err)
		time.Sleep(saveEvery - 2*time.Second)
		assert.NoFileExists(t, file)
		time.Sleep(2 * time.Second)
		assert.FileExists(t, file)

		require.NoError(t, os.Remove(file))
		for range 10 {
			visited, err := c.Entity(t.Context(), "about", "")
			require.NoError(t, err)
			require.Equal(t, "About", visited.Title)
			time.Sleep(2 * time.Minute)
		}
		assert.NoFileExists(t, file, "unchanged content is not written again")

		f.set(func() { f.entities["about"] = agency.Entity{Name: "about", Title: "Who we are"} })
		for range 2 {
			_, err := c.Entity(t.Context(), "about", "")
			require.NoError(t, err)
			time.Sleep(saveEvery + time.Second)
		}
		assert.FileExists(t, file)
	})
}

func TestASnapshotThatCannotBeReadOrWrittenIsIgnored(t *testing.T) {
	for name, content := range map[string]string{"empty": "", "foreign": "<html>", "cut": "\x0f\xff\x81\x03\x01\x01"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "catalog.snapshot")
				require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
				c := open(t, newFake(), file)
				c.Warm()
				visitAll(t, c)
				c.Close()

				f := newFake()
				f.panelDown, f.integrationDown = errDown, errDown
				again := open(t, f, file)
				again.Warm()
				visitAll(t, again)

				blocked := open(t, newFake(), filepath.Join(file, "catalog.snapshot"))
				blocked.Warm()
				visitAll(t, blocked)
				time.Sleep(3 * saveEvery)
			})
		})
	}
}

func TestTheCatalogueRecoversWhenTheBackEndsDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.panelDown, f.integrationDown = errDown, errDown
		c := open(t, f, "")
		c.Warm()
		time.Sleep(time.Minute)
		assert.ErrorIs(t, c.content.Ready(t.Context()), agency.ErrUnavailable)

		f.set(func() { f.panelDown = nil })
		time.Sleep(retryEvery)
		synctest.Wait()
		assert.ErrorIs(t, c.content.Ready(t.Context()), agency.ErrUnavailable, "not ready without a roster")

		f.set(func() { f.integrationDown = nil })
		time.Sleep(retryEvery)
		synctest.Wait()
		assert.NoError(t, c.content.Ready(t.Context()), "ready without a visit")
		calls := f.called("talents")
		roster, err := c.Roster(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 2, roster.Len())
		assert.Equal(t, calls, f.called("talents"), "the roster is not fetched again")
	})
}

func TestCloseDoesNotWaitForASlowBackEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.delay = time.Hour
		c := openWith(t, f, Options{})
		c.Warm()
		synctest.Wait()
		begun := time.Now()
		c.Close()
		assert.Zero(t, time.Since(begun))
	})
}

func TestAHiddenTalentStaysHiddenAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "catalog.snapshot")
		f := newFake()
		first := open(t, f, file)
		first.Warm()
		visitAll(t, first)
		first.content.save()
		hidden, _, err := first.Hide("1")
		require.NoError(t, err)
		assert.Equal(t, "1", hidden.ID)
		_, _, err = first.Hide("../1")
		require.ErrorIs(t, err, agency.ErrNotFound)
		again := open(t, f, file) // also after a crash: it is stored at once
		require.NoError(t, again.content.restore())
		for _, c := range []opened{first, again} {
			_, err := c.Talent(t.Context(), "1")
			require.ErrorIs(t, err, agency.ErrGone)
			roster, err := c.Roster(t.Context())
			require.NoError(t, err)
			assert.Nil(t, roster.ByID("1"))
			assert.NotEmpty(t, roster.All())
			time.Sleep(2 * DefaultFreshFor)
			_, err = c.Roster(t.Context())
			require.NoError(t, err)
			synctest.Wait()
			roster, err = c.Roster(t.Context())
			require.NoError(t, err)
			assert.Nil(t, roster.ByID("1"), "a hidden talent stays hidden even if the back end lists it")
		}
	})
}

// A command, which keeps nothing, may be called in any folder.
func TestWithoutAPlaceNobodyIsHiddenByAFileThatLiesAround(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("hidden.json", []byte(`{"1":[]}`), 0o600))
	_, err := open(t, newFake(), "").Talent(t.Context(), "1")
	assert.NoError(t, err)
}
