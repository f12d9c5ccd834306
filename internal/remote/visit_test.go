package remote

import (
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/catalog"
)

// A roster that takes longer than a visitor waits is unavailable to the first visitors and loads all
// the same.
func TestASlowRosterLoadsWhileVisitorsAreToldToComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.delay = 25 * time.Second
		c := open(t, f, "")
		c.Warm()
		time.Sleep(time.Second)
		for range 3 {
			asked := time.Now()
			_, err := c.Roster(c.content.Visit(t.Context()))
			require.ErrorIs(t, err, agency.ErrUnavailable)
			assert.Equal(t, 2*time.Second, time.Since(asked))
			assert.ErrorIs(t, c.content.Ready(t.Context()), agency.ErrUnavailable)
			assert.Empty(t, c.content.Ages())
		}
		time.Sleep(f.delay)
		roster, err := c.Roster(c.content.Visit(t.Context()))
		require.NoError(t, err, "the roster is loaded in the background")
		assert.Equal(t, 2, roster.Len())
		assert.NoError(t, c.content.Ready(t.Context()))
		assert.Equal(t, 1, f.called("talents"))
		assert.Contains(t, c.content.Ages(), "roster")
	})
}

func TestAVisitWaitsOnceForAllItsContent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.delay = time.Hour
		c := openWith(t, f, Options{Wait: 3 * time.Second})
		defer c.Close()
		visit, begun := c.content.Visit(t.Context()), time.Now()
		_, err := c.Slides(visit)
		require.ErrorIs(t, err, agency.ErrUnavailable)
		_, err = c.Roster(visit)
		require.ErrorIs(t, err, agency.ErrUnavailable)
		_, err = c.Talent(visit, "1")
		require.ErrorIs(t, err, agency.ErrUnavailable)
		assert.Equal(t, 3*time.Second, time.Since(begun))

		visit = c.content.Visit(t.Context())
		time.Sleep(time.Minute) // a visitor who sends photos on a slow line has waited for nobody
		begun = time.Now()
		_, err = c.Options(visit, "en", "")
		require.ErrorIs(t, err, agency.ErrUnavailable)
		assert.Equal(t, 3*time.Second, time.Since(begun))
	})
}

// Fetches for made-up addresses must not pile up while a back end hangs.
func TestFetchesOfABackEndThatHangsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.delay = time.Hour
		c := open(t, f, "")
		refused := 0
		for i := range 3 * maxFetches {
			visit, leave := context.WithTimeout(t.Context(), time.Millisecond)
			begun := time.Now()
			_, err := c.Talent(visit, string(rune('A'+i)))
			require.ErrorIs(t, err, agency.ErrUnavailable)
			if time.Since(begun) == 0 {
				refused++
			}
			leave()
		}
		assert.Equal(t, 2*maxFetches, refused)
		f.set(func() { f.delay = 0 })
		_, _, err := c.Posts(t.Context(), "news", catalog.FirstPosts)
		assert.NoError(t, err, "the other back end is not limited")
	})
}

func TestPrivacyAndSafetyAreFetchedAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		for _, name := range []string{agency.PrivacyPage, agency.SafetyPage} {
			f.entities[name] = agency.Entity{Name: name, Title: name}
		}
		c := openWith(t, f, Options{Languages: func() []string { return []string{"en", "pt", "es"} }})
		c.Warm()
		synctest.Wait()
		f.set(func() { f.panelDown = errDown })
		time.Sleep(24 * time.Hour)
		for _, name := range []string{agency.PrivacyPage, agency.SafetyPage} {
			for _, lang := range []string{"en", "pt", "es"} {
				entity, err := c.Entity(t.Context(), name, lang)
				require.NoError(t, err)
				assert.Equal(t, lang, entity.Lang)
			}
		}
	})
}

// pictureFake notes which files are refused at the moment.
type pictureFake struct{ refused map[string]bool }

func (p pictureFake) Refuse(files ...string) []string {
	for _, file := range files {
		p.refused[file] = true
	}
	return files
}

func (p pictureFake) Allow(files ...string) {
	for _, file := range files {
		delete(p.refused, file)
	}
}

// Without a single visitor, and although the back end still answers the profile and has the pictures: the list, the
// profile and the pictures, also after a restart, until the talent is back.
func TestATalentTakenDownIsGoneWithinFiveMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.talents[0].Cover.File, f.talents[1].Cover.File = "cover.jpg", "shared.jpg"
		profile := f.profiles["1"]
		profile.Snap = []agency.Picture{{File: "shared.jpg"}}
		f.profiles["1"] = profile
		file := filepath.Join(t.TempDir(), "catalog.snapshot")
		pictures := pictureFake{map[string]bool{}}
		start := func() (c opened, end func()) {
			c = openWith(t, f, Options{Snapshot: file}, pictures)
			c.Warm()
			running, cancel := context.WithCancel(t.Context())
			go c.Run(running)
			synctest.Wait()
			return c, func() { cancel(); c.Close() }
		}
		c, end := start()
		_, err := c.Talent(t.Context(), "1")
		require.NoError(t, err)
		time.Sleep(time.Hour)
		listed := f.talents[0]
		f.set(func() { f.talents = f.talents[1:] })
		time.Sleep(5 * time.Minute)
		check := func(c opened) {
			roster, err := c.Roster(t.Context())
			require.NoError(t, err)
			assert.Equal(t, []string{"Zoë"}, namesOf(roster))
			_, err = c.Talent(t.Context(), "1")
			require.ErrorIs(t, err, agency.ErrGone)
			assert.Equal(t, map[string]bool{"cover.jpg": true, "a.jpg": true}, pictures.refused,
				"but not a picture that another talent shows")
		}
		check(c)
		end()
		clear(pictures.refused)
		f.set(func() { f.integrationDown, f.panelDown = errDown, errDown })
		c, end = start()
		defer end()
		time.Sleep(2 * listTTL)
		check(c)
		f.set(func() { f.integrationDown, f.panelDown = nil, nil })
		f.set(func() { f.talents = append(f.talents, listed) })
		time.Sleep(5 * time.Minute)
		_, err = c.Talent(t.Context(), "1")
		require.NoError(t, err, "a talent may return")
		assert.Empty(t, pictures.refused)
	})
}

// A profile that the back end answers for an id that was never listed is not shown; a talent who was added to the list
// a moment ago is.
func TestWhoWasNeverListedIsNotFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.profiles["unlisted"] = agency.Talent{ID: "unlisted", Name: "Secret"}
		c := open(t, f, "")
		_, err := c.Roster(t.Context())
		require.NoError(t, err)
		for range 3 {
			_, err = c.Talent(t.Context(), "unlisted")
			require.ErrorIs(t, err, agency.ErrNotFound)
			require.NotErrorIs(t, err, agency.ErrGone)
			time.Sleep(listTTL + time.Second)
		}
		assert.Zero(t, f.called("profile unlisted"))
		assert.LessOrEqual(t, f.called("talents"), 3)
		f.set(func() {
			f.talents = append(f.talents, agency.Talent{ID: "new", Name: "New"})
			f.profiles["new"] = agency.Talent{ID: "new", Name: "New"}
		})
		_, err = c.Talent(t.Context(), "new")
		require.NoError(t, err)
		f.set(func() { f.integrationDown = errDown })
		time.Sleep(time.Hour)
		_, err = c.Talent(t.Context(), "added during an outage")
		assert.ErrorIs(t, err, agency.ErrUnavailable)
	})
}

// Kept pages show the link to the safety page until the version changes: not before it is known that there is none.
func TestAMissingPageOfThePanelIsKnownFromTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.panelDown = errDown
		c := open(t, f, "")
		c.Warm()
		synctest.Wait()
		assert.False(t, c.EntityMissing(agency.SafetyPage), "a page is not missing because the panel is down")
		f.set(func() { f.panelDown = nil })
		time.Sleep(2 * retryEvery)
		assert.True(t, c.EntityMissing(agency.SafetyPage))
		f.set(func() { f.entities[agency.SafetyPage] = agency.Entity{Name: agency.SafetyPage} })
		time.Sleep(missingTTL)
		_, err := c.Entity(t.Context(), agency.SafetyPage, "en")
		require.NoError(t, err)
		assert.False(t, c.EntityMissing(agency.SafetyPage))

		before := c.Version()
		f.set(func() { delete(f.entities, agency.SafetyPage) })
		for c.Version() == before {
			time.Sleep(time.Second)
		}
		assert.True(t, c.EntityMissing(agency.SafetyPage), "as soon as the version changes")
	})
}
