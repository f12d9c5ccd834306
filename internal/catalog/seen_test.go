package catalog

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
)

// Kept pages show the link to the safety page until the version changes: not before it is known that there is none.
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

		before := c.Version()
		f.set(func() { delete(f.entities, Safety) })
		for c.Version() == before {
			time.Sleep(time.Second)
		}
		assert.True(t, c.EntityMissing(Safety), "one that is removed is missing as soon as the version changes")
	})
}
