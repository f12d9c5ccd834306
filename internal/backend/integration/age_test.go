package integration_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/backend/backendtest"
	"zedcard/internal/backend/integration"
)

var today = time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC)

func talentWith(birthdate, categories string) string {
	return fmt.Sprintf(`{"id": 812, "name": "Ana", "gender": "woman", "height": "170", "waist": "60",
		"birthdate": %s, "categories": %s}`, birthdate, categories)
}

func readMinor(t *testing.T, raw string) agency.Talent {
	talent, err := saying(raw).Profile(t.Context(), "812")
	require.NoError(t, err, raw)
	list, err := saying(`[` + raw + `]`).Talents(t.Context())
	require.NoError(t, err, raw)
	require.Equal(t, talent, *list[0], raw)
	return talent
}

func TestUnreadableValuesMakeAMinor(t *testing.T) {
	dates, categories := len(backendtest.AdultDates), len(backendtest.AdultCategories)
	for i, date := range slices.Concat(backendtest.AdultDates, backendtest.MinorDates) {
		for j, category := range slices.Concat(backendtest.AdultCategories, backendtest.MinorCategories) {
			talent := readMinor(t, talentWith(date, category))
			require.Equal(t, i >= dates || j >= categories, talent.Minor(today), "%s %s", date, category)
		}
	}
	talent := readMinor(t, `{"id": 812}`)
	assert.False(t, talent.Minor(today), "without a birth date or the kids board it is no minor")
}

// A key may stand twice, in another case too: an empty value does not take away what makes a minor.
func TestARepeatedKeyNeverMakesAnAdult(t *testing.T) {
	for _, raw := range []string{
		`"birthdate": "2014-01-01", "birthDate": null`, `"birthDate": "2014-01-01", "birthdate": ""`,
		`"birthdate": "2014-01-01", "Birthdate": "1990-01-01"`, `"birthdate": "soon", "birthDate": "1990-01-01"`,
		`"categories": [{"id": 1909, "name": "kids"}], "Categories": [{"id": 1, "name": "models"}]`,
		`"categories": [{"id": 7, "name": "Teens"}], "Categories": null`,
	} {
		talent := readMinor(t, `{"id": 812, "name": "Ana", `+raw+`}`)
		assert.True(t, talent.Minor(today), raw)
	}
}

func TestTheOperatorSettlesWhichCategoriesAreOfMinors(t *testing.T) {
	settled, err := agency.ParseMinorCategories("Stars,!Chicas,!Girls")
	require.NoError(t, err)
	read := func(categories string) agency.Talent {
		client := integration.New(integration.Config{
			Config: backendtest.Saying(talentWith(`"1990-01-01"`, categories)), MinorCategories: settled,
		})
		talent, err := client.Profile(t.Context(), "812")
		require.NoError(t, err)
		return talent
	}
	for categories, minor := range map[string]bool{
		`[{"id": 7, "name": "Stars"}]`: true, `["stars"]`: true,
		`[{"id": 7, "name": "Chicas"}]`: false, `[{"id": 7, "name": "girls"}]`: false,
		`[{"id": 7, "name": "Girls"}, {"id": 8, "name": "Boys"}]`: true,
		`[{"id": 1909, "name": "Girls"}]`:                         true,
	} {
		talent := read(categories)
		assert.Equal(t, minor, talent.Minor(today), categories)
	}
}
