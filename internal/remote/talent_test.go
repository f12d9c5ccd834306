package remote_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/remote"
	"zedcard/internal/testkit"
)

// wholeTalent has every field that a talent may have.
const wholeTalent = `{
	"id": 812, "name": "Ágata Araújo", "gender": "woman", "cover": "a/cover.jpg", "birthdate": "1999-03-04",
	"categories": [{"id": 1, "name": "models"}, {"id": 1911, "name": "curve"}],
	"height": "178", "bust": "84", "waist": "60", "suit": "36", "hips": "90", "shoes": "39", "hair": "Black",
	"eyes": "Blue",
	"jeans": "38", "chest": "85", "measured": "2026-11-01",
	"book": [{"id": 1, "file": "a/book-1.jpg", "width": 720, "height": 1080}, {"id": 2,
	"file": "a/book-2.jpg", "width": 1080, "height": 720}],
	"snap": [{"id": 3, "file": "a/snap-1.jpg", "width": 640, "height": 800}],
	"video": [{"provider": "vimeo", "file": "100/abc", "preview": "a/video.jpg"}],
	"digital": {"file": "a/digital.jpg", "crown": 0.11, "ground": 0.95, "date": "2026-11-09"}
}`

func agata() agency.Talent {
	return agency.Talent{
		ID: "812", Name: "Ágata Araújo", Gender: agency.Woman, Cover: agency.Picture{File: "a/cover.jpg"},
		Birthdate:  time.Date(1999, 3, 4, 0, 0, 0, 0, time.UTC),
		Categories: []agency.Category{{ID: agency.ModelsID, Name: "models"}, {ID: 1911, Name: "curve"}},
		Measures: agency.Measures{
			Height: "178", Bust: "84", Waist: "60", Suit: "36", Hips: "90",
			Shoes: "39", Hair: "Black", Eyes: "Blue", Jeans: "38", Chest: "85",
		},
		Measured: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC),
		Book: []agency.Picture{
			{ID: "1", File: "a/book-1.jpg", Width: 720, Height: 1080},
			{ID: "2", File: "a/book-2.jpg", Width: 1080, Height: 720},
		},
		Snap:  []agency.Picture{{ID: "3", File: "a/snap-1.jpg", Width: 640, Height: 800}},
		Video: []agency.Video{{Provider: "vimeo", File: "100/abc", Preview: "a/video.jpg"}},
		Digital: agency.Digital{
			File: "a/digital.jpg", Crown: .11, Ground: .95, Taken: time.Date(2026, 11, 9, 0, 0, 0, 0, time.UTC),
		},
	}
}

// saying is a client of a back end that says answer to everything.
func saying(answer string) *remote.Integration {
	return remote.NewIntegration(remote.IntegrationConfig{Config: testkit.Saying(answer)})
}

func TestPHPsDialectsOfJSONAreRead(t *testing.T) {
	second := strings.NewReplacer("812", "813", "Ágata Araújo", "Ana O&#039;Connor", `[{"id": 1,`, `[{"id": "1",`)
	roster := "\ufeff" + `{"data": {"data": {"0": ` + wholeTalent + `, "2": ` + second.Replace(wholeTalent) + `}}}`
	got, err := saying(roster).Talents(t.Context())
	require.NoError(t, err)
	require.Len(t, got, 2)
	assert.Equal(t, "Ana O'Connor", got[1].Name)

	gaps := strings.NewReplacer(
		`[{"id": 1, "name": "models"}, {"id": 1911, "name": "curve"}]`,
		`{"1": {"id": 1, "name": "models"}, "4": {"id": 1911, "name": "curve"}}`,
		`[{"id": 3, "file": "a/snap-1.jpg", "width": 640, "height": 800}]`,
		`{"7": {"id": 3, "file": "a/snap-1.jpg", "width": 640, "height": 800}}`).Replace(wholeTalent)
	profile, err := saying(gaps).Profile(t.Context(), "812")
	require.NoError(t, err)
	assert.Equal(t, agata(), profile)
}

func TestADigitalIsToScaleOnlyWithCrownAndGround(t *testing.T) {
	for digital, toScale := range map[string]bool{
		`{"file": "a/d.jpg", "crown": 0.11, "ground": 0.95}`: true,
		`{"file": "a/d.jpg", "crown": "0.11", "ground": 1}`:  true,
		`{"file": "a/d.jpg"}`:                                false,
		`{"file": "a/d.jpg", "crown": 0.95, "ground": 0.11}`: false,
		`{"file": "a/d.jpg", "crown": 0.11, "ground": 95}`:   false, `{"crown": 0.11, "ground": 0.95}`: false,
		`"a/d.jpg"`: false, `null`: false, `[]`: false,
	} {
		got, err := saying(`{"id": 812, "digital": `+digital+`}`).Profile(t.Context(), "812")
		require.NoError(t, err, digital)
		assert.Equal(t, toScale, got.Digital.ToScale(), digital)
	}
}

func TestATalentIsReadInEveryShapeOfTheContract(t *testing.T) {
	bare := agency.Talent{ID: "812"}
	for _, test := range []struct {
		name, answer string
		want         agency.Talent
	}{
		{"under data", `{"data": ` + wholeTalent + `}`, agata()},
		{"bare", wholeTalent, agata()},
		{"numbers as strings", strings.NewReplacer(`812`, `"812"`, `720`, `"720"`,
			`1080`, `"1080"`, `1911`, `"1911"`).Replace(wholeTalent), agata()},
		{"measures as numbers", strings.NewReplacer(`"178"`, `178`, `"84"`, `84`, `"60"`, `60`).Replace(
			wholeTalent), agata()},
		{
			"measures as options", strings.NewReplacer(`"178"`,
				`{"value": 178, "label": "178 cm / 5'10\""}`, `"Black"`, `{"label": "Black"}`,
				`"Blue"`, `{"value": "Blue", "label": "Azul", "value2": "Azul"}`).Replace(wholeTalent), agata(),
		},
		{"galleries under galleries", strings.Replace(wholeTalent, `"book"`, `"galleries": {"book"`, 1) + "}", agata()},
		{"unknown fields", strings.Replace(wholeTalent, `{`, `{"skills": [{"id": 1}], "cover2": null, `, 1), agata()},
		{"the month of the measures", strings.Replace(wholeTalent, `2026-11-01`, `2026-11`, 1), agata()},
		{"a birth date with a time", strings.Replace(wholeTalent,
			`1999-03-04`, `1999-03-04T00:00:00.000000Z`, 1), agata()},
		{"only an id", `{"data": {"id": 812}}`, bare},
		{
			"nulls", `{"id": 812, "name": null, "gender": null, "cover": null, "birthdate": null,
			"categories": null, "height": null,
				"book": null, "snap": null, "video": null, "galleries": null}`, bare,
		},
		{
			"pictures without a file",
			`{"id": 812, "book": [{"id": 4}, null, "x"], "video": [{"provider": "youtube"}]}`, bare,
		},
		{
			"addresses of videos", `{"id": 812, "video": [{"provider": "youtube", "file": "https://youtu.be/a-1?si=2"},
				{"file": "https://vimeo.com/100/abc"}, {"provider": "x", "file": "https://instagram.com/reel/x"}]}`,
			agency.Talent{ID: "812", Video: []agency.Video{
				{Provider: "youtube", File: "a-1"}, {Provider: "vimeo", File: "100/abc"},
			}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			talent, err := saying(test.answer).Profile(t.Context(), "812")
			require.NoError(t, err)
			assert.Equal(t, test.want, talent)
		})
	}
}

func TestARosterIsReadBareAndUnderData(t *testing.T) {
	for _, answer := range []string{
		`[` + wholeTalent + `]`,
		`{"data": [` + wholeTalent + `]}`,
		`{"data": {"data": [` + wholeTalent + `], "current_page": "1", "last_page": "1", "total": "1"}}`,
		`{"data": [` + wholeTalent + `], "last_page": null}`,
	} {
		talents, err := saying(answer).Talents(t.Context())
		require.NoError(t, err, answer)
		require.Len(t, talents, 1)
		assert.Equal(t, agata(), *talents[0], answer)
	}
	talents, err := saying(`{"data": {"data": []}}`).Talents(t.Context())
	require.NoError(t, err)
	assert.Empty(t, talents, "an empty roster is valid")
}

// Check 17: each field removed or retyped in turn, at every depth.
func TestAnUnreadableTalentDoesNotAffectOthers(t *testing.T) {
	var whole any
	require.NoError(t, json.Unmarshal([]byte(wholeTalent), &whole))
	count := 0
	drift(whole, func() {
		count++
		bad, err := json.Marshal(whole)
		require.NoError(t, err)
		talents, err := saying(`{"data": {"data": [{"id": 1}, ` + string(bad) + `, {"id": 2}]}}`).Talents(t.Context())
		require.NoError(t, err, "%s", bad)
		require.GreaterOrEqual(t, len(talents), 2, "%s", bad)
		assert.Equal(t, "1", talents[0].ID, "%s", bad)
		assert.Equal(t, "2", talents[len(talents)-1].ID, "%s", bad)

		profile, err := saying(string(bad)).Profile(t.Context(), "812")
		if err != nil {
			require.ErrorIs(t, err, agency.ErrUnavailable, "%s", bad)
		} else {
			assert.NotEmpty(t, profile.ID, "%s", bad)
		}
	})
	assert.Greater(t, count, 300)
}

// drift changes every value below value in turn, calls check, and changes it back.
func drift(value any, check func()) {
	others := []any{
		nil, true, 7.5, -1e300, "text", "", []any{}, []any{nil},
		[]any{[]any{}}, map[string]any{}, map[string]any{"value": []any{1}},
	}
	switch value := value.(type) {
	case map[string]any:
		for key, own := range value {
			delete(value, key)
			check()
			for _, other := range others {
				value[key] = other
				check()
			}
			value[key] = own
			drift(own, check)
		}
	case []any:
		for i, own := range value {
			for _, other := range others {
				value[i] = other
				check()
			}
			value[i] = own
			drift(own, check)
		}
	}
}

func FuzzIntegrationAnswers(f *testing.F) {
	f.Add(wholeTalent)
	f.Add(`{"data": {"data": [` + wholeTalent + `, null, {}], "last_page": "2"}}`)
	f.Add(`{"data": [{"id": "\ud800", "name": "\u0000", "birthdate": 922337203685477580799}]}`)
	f.Add(`{"data": {"countries": [{"id": {"value": {"value": 1}}, "value": 1e999}], "hair": {"0": {}}}}`)
	f.Fuzz(func(t *testing.T, answer string) {
		c := saying(answer)
		talents, err := c.Talents(t.Context())
		if err != nil {
			require.ErrorIs(t, err, agency.ErrUnavailable)
		}
		for _, talent := range talents {
			require.NotEmpty(t, talent.ID)
		}
		talent, err := c.Profile(t.Context(), "1")
		require.Equal(t, err == nil, talent.ID != "")
		options, err := c.Options(t.Context(), agency.OptionsQuery{})
		require.Equal(t, err == nil, len(options.Countries)+len(options.Hair)+len(options.Eyes) > 0)
	})
}

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
	dates, categories := len(testkit.AdultDates), len(testkit.AdultCategories)
	for i, date := range slices.Concat(testkit.AdultDates, testkit.MinorDates) {
		for j, category := range slices.Concat(testkit.AdultCategories, testkit.MinorCategories) {
			talent := readMinor(t, talentWith(date, category))
			require.Equal(t, i >= dates || j >= categories, talent.Minor(today), "%s %s", date, category)
		}
	}
	talent := readMinor(t, `{"id": 812}`)
	assert.False(t, talent.Minor(today), "without a birth date or the kids board it is no minor")
}

func TestABirthDateWithATimeIsTheLatestDayThatItCanMean(t *testing.T) {
	for written, day := range map[string]string{
		"2008-11-20T23:00:00.000000Z": "2008-11-21", "2008-11-21T00:00:00.000000Z": "2008-11-21",
		"2008-11-21T00:00:00+01:00": "2008-11-21", "2008-11-21": "2008-11-21",
		"2008-11-20T22:00:00-03:00": "2008-11-21",
	} {
		talent, err := saying(`{"id": 812, "birthdate": "`+written+`"}`).Profile(t.Context(), "812")
		require.NoError(t, err)
		assert.Equal(t, day, talent.Birthdate.Format("2006-01-02"), written)
	}
}

func TestWordsForAGenderAreUnderstood(t *testing.T) {
	for word, want := range map[string]agency.Gender{
		"female": agency.Woman, "F": agency.Woman, "Feminino": agency.Woman, "mujer": agency.Woman,
		"women": agency.Woman,
		"male":  agency.Man, "M": agency.Man, "masculino": agency.Man, "homme": agency.Man, "other": "",
	} {
		talent, err := saying(`{"id": 812, "gender": "`+word+`"}`).Profile(t.Context(), "812")
		require.NoError(t, err)
		assert.Equal(t, want, talent.Gender, word)
	}
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
		client := remote.NewIntegration(remote.IntegrationConfig{
			Config: testkit.Saying(talentWith(`"1990-01-01"`, categories)), MinorCategories: settled,
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
