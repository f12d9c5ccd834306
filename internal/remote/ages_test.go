package remote

import (
	"fmt"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
)

// minorBy are the ways in which an answer makes a talent a minor.
var minorBy = map[string]func(*agency.Talent){
	"birth date": func(t *agency.Talent) { t.Birthdate = time.Now().AddDate(-15, 0, 0) },
	"kids":       func(t *agency.Talent) { t.Categories = []agency.Category{{ID: agency.KidsID}} },
	"kids, named": func(t *agency.Talent) {
		t.Categories = []agency.Category{{ID: agency.ModelsID}, {ID: 77, Name: "Kids"}}
	},
	"unreadable": func(t *agency.Talent) { t.Protected = true },
}

func grown() agency.Talent {
	return agency.Talent{
		ID: "1", Name: "Ana", Birthdate: time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC),
		Categories: []agency.Category{{ID: agency.ModelsID, Name: "models"}},
	}
}

// Where the list and the profile disagree, the one that makes the talent a minor counts, on the
// profile's page as in every list, and also after a restart.
func TestEitherSourceMakesAMinor(t *testing.T) {
	for name, makeMinor := range minorBy {
		for _, source := range []string{"list", "profile"} {
			t.Run(name+" in the "+source, func(t *testing.T) {
				f := newFake()
				listed, profile := grown(), grown()
				if source == "list" {
					makeMinor(&listed)
				} else {
					makeMinor(&profile)
				}
				f.talents = []agency.Talent{listed, {
					ID: "2", Name: "Zoë", Birthdate: grown().Birthdate, Categories: grown().Categories,
				}}
				f.profiles["1"] = profile
				file := filepath.Join(t.TempDir(), "catalog.snapshot")
				check := func(c opened) {
					talent, err := c.Talent(t.Context(), "1")
					require.NoError(t, err)
					assert.True(t, talent.Minor(time.Now()), "the profile is a minor's")
					roster, err := c.Roster(t.Context())
					require.NoError(t, err)
					assert.True(t, roster.ByID("1").Minor(time.Now()), "the roster's entry is a minor's")
					assert.False(t, roster.ByID("2").Minor(time.Now()), "the other talent is not a minor")
					if talent.InKids() {
						models := agency.Filter{Board: agency.Models, Show: agency.PageSize}
						assert.Equal(t, []string{"2"}, idsOf(roster.Select(models, time.Time{}).Items),
							"kids are not listed among adults")
					}
				}
				first := open(t, f, file)
				first.Warm()
				check(first)
				first.Close()

				f.set(func() { f.integrationDown, f.panelDown = errDown, errDown })
				second := open(t, f, file)
				second.Warm()
				check(second)
			})
		}
	}
}

func TestAnAdultProfileLiftsTheProtection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.talents = []agency.Talent{grown()}
		profile := grown()
		profile.Protected = true
		f.profiles["1"] = profile
		c := open(t, f, "")
		read := func() *agency.Talent {
			_, err := c.Talent(t.Context(), "1")
			require.NoError(t, err)
			synctest.Wait()
			roster, err := c.Roster(t.Context())
			require.NoError(t, err)
			return roster.ByID("1")
		}
		read()
		assert.True(t, read().Protected)
		f.set(func() { f.profiles["1"] = grown() })
		time.Sleep(2 * time.Minute)
		read()
		time.Sleep(2 * time.Minute)
		read()
		assert.False(t, read().Protected)
	})
}

// children are four talents whose ages the list does not say: of a child, of a child in kids, of an adult and of one
// whose age nobody knows.
func childrenWithoutDates(f *agencyFake) {
	f.talents, f.profiles = nil, map[string]agency.Talent{}
	for _, id := range []string{"child", "kid", "adult", "unknown"} {
		f.talents = append(f.talents, agency.Talent{ID: id, Name: id, Categories: grown().Categories})
		f.profiles[id] = agency.Talent{ID: id, Name: id}
	}
	set := func(id string, change func(*agency.Talent)) {
		profile := f.profiles[id]
		change(&profile)
		f.profiles[id] = profile
	}
	set("child", minorBy["birth date"])
	set("kid", minorBy["kids"])
	set("adult", func(t *agency.Talent) { t.Birthdate = time.Now().AddDate(-30, 0, 0) })
}

func minorsOf(t *testing.T, c opened) (ids []string) {
	t.Helper()
	roster, err := c.Roster(t.Context())
	require.NoError(t, err)
	for _, talent := range roster.All() {
		if talent.Minor(time.Now()) {
			ids = append(ids, talent.ID)
		}
	}
	return ids
}

// Nobody has to open a profile, on no replica, and after a restart nothing has to be read again.
func TestAgesThatOnlyProfilesSayAreRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		childrenWithoutDates(f)
		file := filepath.Join(t.TempDir(), "catalog.snapshot")
		first, replica := open(t, f, file), open(t, f, "")
		for _, c := range []opened{first, replica} {
			c.Warm()
			assert.Equal(t, []string{"child", "kid"}, minorsOf(t, c), "from the first list on")
		}
		time.Sleep(20 * time.Hour)
		assert.Equal(t, 2, f.called("profile adult"), "each replica reads for itself, once")
		first.Close()

		f.set(func() { f.integrationDown = errDown })
		restarted := open(t, f, file)
		restarted.Warm()
		assert.Equal(t, []string{"child", "kid"}, minorsOf(t, restarted))

		f.set(func() { f.integrationDown, f.profiles["adult"] = nil, f.profiles["child"] })
		time.Sleep(25 * time.Hour)
		assert.Equal(t, []string{"child", "kid", "adult"}, minorsOf(t, replica), "a date that was added later counts")
	})
}

// A talent whose profile was not read yet, or can't be, is protected.
func TestATalentOfUnknownAgeIsProtectedUntilTheProfileWasRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		childrenWithoutDates(f)
		f.profileDown = errDown
		c := open(t, f, "")
		c.Warm()
		synctest.Wait()
		everybody := []string{"child", "kid", "adult", "unknown"}
		assert.Equal(t, everybody, minorsOf(t, c))
		time.Sleep(time.Hour)
		assert.Equal(t, everybody, minorsOf(t, c))
		before := c.Version()
		f.set(func() { f.profileDown = nil; delete(f.profiles, "unknown") })
		time.Sleep(5 * time.Minute)
		assert.Equal(t, []string{"child", "kid", "unknown"}, minorsOf(t, c), "also who has no profile")
		assert.Greater(t, c.Version(), before, "cached pages are made anew")
	})
}

// A large roster is read at a pace that a back end bears, and is shown meanwhile.
func TestProfilesAreReadAtABearablePace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.talents, f.profiles = nil, map[string]agency.Talent{}
		for i := range 1000 {
			id := fmt.Sprint(i)
			f.talents = append(f.talents, agency.Talent{ID: id, Name: "Ana " + id})
			f.profiles[id] = agency.Talent{ID: id, Name: "Ana " + id}
		}
		f.profileDelay = 20 * time.Millisecond
		c := open(t, f, "")
		began := time.Now()
		assert.NotEmpty(t, minorsOf(t, c))
		assert.LessOrEqual(t, time.Since(began), readWait)
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Empty(t, minorsOf(t, c))
		assert.Equal(t, readAtOnce, f.mostProfiles, "at once")
		assert.Equal(t, 1, f.called("profile 999"))
	})
}

func idsOf(list []*agency.Talent) (ids []string) {
	for _, t := range list {
		ids = append(ids, t.ID)
	}
	return ids
}
