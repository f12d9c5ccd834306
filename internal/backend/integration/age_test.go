package integration_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
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
	for _, date := range backendtest.MinorDates {
		talent := readMinor(t, talentWith(date, backendtest.AdultCategories[3]))
		assert.True(t, talent.Minor(today), date)
	}
	for _, categories := range backendtest.MinorCategories {
		talent := readMinor(t, talentWith(backendtest.AdultDates[4], categories))
		assert.True(t, talent.Minor(today), categories)
	}
	for _, date := range backendtest.AdultDates {
		for _, categories := range backendtest.AdultCategories {
			talent := readMinor(t, talentWith(date, categories))
			assert.False(t, talent.Minor(today), "%s %s", date, categories)
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
			BaseURL: "http://backend.example", MinorCategories: settled,
			Transport: backendtest.FixedAnswer(talentWith(`"1990-01-01"`, categories)),
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

// Ten thousand shapes of which one half says a minor, in whatever way: none shows more than a minor's
// measures.
func TestNoShapeOfAMinorLeaks(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	random := rand.New(rand.NewPCG(12, 2))
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	noise := func(length int) string { // a text of arbitrary characters
		runes := make([]rune, 1+random.IntN(length))
		for i := range runes {
			runes[i] = rune(random.IntN(0x250))
		}
		raw, err := json.Marshal(string(runes) + "\u00a7") // no date has it
		require.NoError(t, err)
		return string(raw)
	}
	for i := range 10_000 {
		date, categories := pick(backendtest.MinorDates), pick(backendtest.MinorCategories)
		switch i % 4 {
		case 0:
			categories = pick(backendtest.AdultCategories)
		case 1:
			date = pick(backendtest.AdultDates)
		case 2:
			date, categories = noise(20), pick(backendtest.AdultCategories)
		}
		if strings.HasPrefix(categories, "[{") && random.IntN(2) == 0 {
			categories = `[{"id": 1, "name": "models"}, ` + categories[1:]
		}
		talent := readMinor(t, talentWith(date, categories))
		require.True(t, talent.Minor(today), "%s %s", date, categories)
		for _, shown := range talent.ShownMeasures(talent.Minor(today), false) {
			require.NotEqual(t, agency.Waist, shown.Name)
		}
	}
}
