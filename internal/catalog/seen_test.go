package catalog

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
)

func TestAFormerTalentIsGoneNotUnknownAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "catalog.snapshot")
		f := newFake()
		first := open(t, f, file)
		first.Warm()
		_, err := first.Talent(t.Context(), "1")
		require.NoError(t, err)
		first.Close()

		f.set(func() { f.talents, f.profiles = nil, nil })
		second := open(t, f, file)
		second.Warm()
		synctest.Wait()
		time.Sleep(2 * time.Minute) // what the snapshot had is asked for anew
		_, _ = second.Talent(t.Context(), "1")
		synctest.Wait()
		_, err = second.Talent(t.Context(), "1")
		assert.ErrorIs(t, err, agency.ErrGone)
		_, err = second.Talent(t.Context(), "3")
		assert.ErrorIs(t, err, agency.ErrNotFound)
		assert.NotErrorIs(t, err, agency.ErrGone)
	})
}

func TestAMissingPageOfThePanelIsKnownFromTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.panelDown = errDown
		c := open(t, f, "")
		c.Warm()
		synctest.Wait()
		assert.False(t, c.EntityMissing(Safety), "a page is not missing because the panel is down")
		f.set(func() { f.panelDown = nil })
		time.Sleep(2 * retryEvery)
		assert.True(t, c.EntityMissing(Safety))
		f.set(func() { f.entities[Safety] = agency.Entity{Name: Safety} })
		time.Sleep(missingTTL)
		_, err := c.Entity(t.Context(), Safety, "en")
		require.NoError(t, err)
		assert.False(t, c.EntityMissing(Safety))
	})
}

// Kept pages show the link to the safety page until the version changes: not before it is known that there is none.
func TestAPageThatThePanelRemovesIsMissingAsSoonAsTheVersionChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.entities[Safety] = agency.Entity{Name: Safety}
		c := open(t, f, "")
		c.Warm()
		synctest.Wait()
		before := c.Version()
		f.set(func() { delete(f.entities, Safety) })
		for c.Version() == before {
			time.Sleep(time.Second)
		}
		assert.True(t, c.EntityMissing(Safety))
	})
}
