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
				f.talents = []agency.Talent{listed, {ID: "2", Name: "Zoë", Categories: grown().Categories}}
				f.profiles["1"] = profile
				file := filepath.Join(t.TempDir(), "catalog.snapshot")
				check := func(c *Catalog) {
					talent, err := c.Talent(t.Context(), "1")
					require.NoError(t, err)
					assert.True(t, talent.Minor(time.Now()), "the profile is a minor's")
					roster, err := c.Roster(t.Context())
					require.NoError(t, err)
					assert.True(t, roster.ByID("1").Minor(time.Now()), "the roster's entry is a minor's")
					assert.False(t, roster.ByID("2").Minor(time.Now()), "the other talent is not a minor")
					if talent.InKids() {
						models := agency.Filter{Board: agency.Models, Show: agency.PageSize}
						assert.Equal(t, []string{"2"}, idsOf(roster.Select(models).Items),
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

func TestOldSnapshotsProtectTalentsWithoutABirthDate(t *testing.T) {
	s := snapshot{
		Talents:  refs([]agency.Talent{{ID: "1"}, grown()}),
		Profiles: map[string]agency.Talent{"1": {ID: "1"}},
	}
	s.protect()
	assert.True(t, s.Talents[0].Protected)
	assert.False(t, s.Talents[1].Protected)
	assert.True(t, s.Profiles["1"].Protected)
}
