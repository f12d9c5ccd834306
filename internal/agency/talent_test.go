package agency

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

var measured = Measures{
	Height: "178", Bust: "84", Waist: "61", Suit: "36", Hips: "89",
	Shoes: "39", Hair: "Brown", Eyes: "Green", Jeans: "38", Chest: "96",
}

func TestAMansBustMayBeCalledChest(t *testing.T) {
	man := Talent{Gender: Man, Measures: Measures{Chest: "96"}}
	assert.Equal(t, []MeasureValue{{Bust, "96"}}, man.ShownMeasures(false, false))
	man.Measures.Bust = "98"
	assert.Equal(t, []MeasureValue{{Bust, "98"}}, man.ShownMeasures(false, false))
	assert.Empty(t, (&Talent{Gender: Woman, Measures: Measures{Chest: "96"}}).ShownMeasures(false, false))
}

func TestMeasuresAreShownOfWomenAndMenAloneAndNotTheBodysOfMinors(t *testing.T) {
	for gender, shown := range map[Gender]int{Woman: 8, Man: 8, "": 0, "other": 0} {
		talent := Talent{Gender: gender, Measures: measured}
		assert.Len(t, talent.ShownMeasures(false, false), shown)
		assert.Len(t, talent.ShownMeasures(true, true), shown, "MINOR_MEASURES=full")
		assert.Len(t, talent.ShownMeasures(true, false), shown/2)
	}
	talent := Talent{Gender: Woman, Measures: measured}
	assert.Equal(t, []MeasureValue{{Height, "178"}, {Shoes, "39"}, {Hair, "Brown"}, {Eyes, "Green"}},
		talent.ShownMeasures(true, false))
}

func TestMeasuresAreTakenAgainAfterHalfAYearAndAMinorsAfterAQuarter(t *testing.T) {
	today := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	daysAgo := func(name string, days int) *Talent {
		taken := today.Truncate(24*time.Hour).AddDate(0, 0, -days)
		return &Talent{Name: name, Measures: measured, Measured: taken}
	}
	minor, olderMinor := daysAgo("c", 90), daysAgo("d", 91)
	minor.Protected, olderMinor.Protected = true, true
	undated := &Talent{Name: "e", Measures: measured}
	unmeasured := &Talent{Name: "f"}
	all := []*Talent{daysAgo("a", 180), daysAgo("b", 181), minor, olderMinor, undated, unmeasured}
	assert.Equal(t, []string{"b", "d", "e"}, ToMeasure(all, today))
	assert.Empty(t, ToMeasure([]*Talent{undated, unmeasured}, today), "an agency that keeps no dates")
}

func TestAMinorIsUnder18OrOnTheKidsBoard(t *testing.T) {
	today := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	born := func(year int, month time.Month, day int) *Talent {
		return &Talent{Birthdate: time.Date(year, month, day, 0, 0, 0, 0, time.UTC)}
	}
	assert.True(t, born(2008, 11, 22).Minor(today), "turns 18 tomorrow")
	assert.False(t, born(2008, 11, 21).Minor(today), "turns 18 today")
	assert.True(t, born(2008, 12, 1).Minor(today))
	assert.False(t, born(2008, 2, 29).Minor(today))
	assert.True(t, born(2026, 11, 21).Minor(today))
	assert.False(t, (&Talent{}).Minor(today), "no birth date")
	assert.True(t, (&Talent{Categories: []Category{{ID: KidsID}}}).Minor(today), "kids without a birth date")
	grown := born(1990, 1, 1)
	grown.Categories = []Category{{ID: ModelsID}, {ID: KidsID}}
	assert.True(t, grown.Minor(today), "anyone on the kids board is a minor")
}

func TestAgeOfALeapDay(t *testing.T) {
	born := time.Date(2008, 2, 29, 0, 0, 0, 0, time.UTC)
	assert.Equal(t, 17, Age(born, time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC)))
	assert.Equal(t, 18, Age(born, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)))
}

func TestBoardOfAnAddress(t *testing.T) {
	for ids, board := range map[[2]CategoryID]Board{
		{ModelsID, 0}: Models, {CreativeID, 1923}: Creative, {CreativeID, ModelsID}: Models, {}: Models,
	} {
		talent := Talent{Categories: []Category{{ID: ids[0]}, {ID: ids[1], Name: " Influencers "}}}
		assert.Equal(t, board, defaults.BoardOf(&talent), ids)
		assert.True(t, talent.HasNamed("influencers"), "in any case")
	}
}
