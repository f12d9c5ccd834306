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

func names(values []MeasureValue) (names []Measure) {
	for _, v := range values {
		names = append(names, v.Name)
	}
	return names
}

func TestMeasuresAreShownInTheSpecificationsOrder(t *testing.T) {
	woman := Talent{Gender: Woman, Measures: measured}
	assert.Equal(t, []MeasureValue{
		{Height, "178"}, {Bust, "84"}, {Waist, "61"}, {Suit, "36"},
		{Hips, "89"}, {Shoes, "39"}, {Hair, "Brown"}, {Eyes, "Green"},
	}, woman.ShownMeasures(false, false))

	woman.Measures = Measures{Eyes: "Blue", Waist: "60"}
	assert.Equal(t, []MeasureValue{{Waist, "60"}, {Eyes, "Blue"}},
		woman.ShownMeasures(false, false), "measures without a value are left out")
}

func TestAMansBustMayBeCalledChest(t *testing.T) {
	man := Talent{Gender: Man, Measures: Measures{Chest: "96"}}
	assert.Equal(t, []MeasureValue{{Bust, "96"}}, man.ShownMeasures(false, false))
	man.Measures.Bust = "98"
	assert.Equal(t, []MeasureValue{{Bust, "98"}}, man.ShownMeasures(false, false))
	woman := Talent{Gender: Woman, Measures: Measures{Chest: "96"}}
	assert.Empty(t, woman.ShownMeasures(false, false))
}

func TestMeasuresAreShownOnlyForWomenAndMen(t *testing.T) {
	for _, gender := range []Gender{"", "other"} {
		talent := Talent{Gender: gender, Measures: measured}
		assert.Empty(t, talent.ShownMeasures(false, true))
	}
}

func TestMinorsShowNoBodyMeasures(t *testing.T) {
	for _, gender := range []Gender{Woman, Man} {
		talent := Talent{Gender: gender, Measures: measured}
		assert.Equal(t, []Measure{Height, Shoes, Hair, Eyes}, names(talent.ShownMeasures(true, false)))
		assert.Len(t, talent.ShownMeasures(true, true), 8, "MINOR_MEASURES=full")
	}
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
	in := func(ids ...CategoryID) *Talent {
		talent := &Talent{}
		for _, id := range ids {
			talent.Categories = append(talent.Categories, Category{ID: id})
		}
		return talent
	}
	assert.Equal(t, Models, in(ModelsID).Board())
	assert.Equal(t, Creative, in(CreativeID, 1923).Board())
	assert.Equal(t, Models, in(CreativeID, ModelsID).Board(), "a talent in both is on the models board")
	assert.Equal(t, Models, in().Board())
}

func TestCategoryNamesIgnoreCase(t *testing.T) {
	talent := &Talent{Categories: []Category{{ID: 7, Name: " Influencers "}}}
	assert.True(t, talent.HasNamed("influencers"))
	assert.False(t, talent.HasNamed("influencer"))
	assert.True(t, talent.Has(7))
	assert.False(t, talent.Has(8))
}

func TestPictureIsLandscapeWhenWiderThanHigh(t *testing.T) {
	assert.True(t, Picture{Width: 3, Height: 2}.Landscape())
	assert.False(t, Picture{Width: 2, Height: 3}.Landscape())
	assert.False(t, Picture{Width: 2, Height: 2}.Landscape())
}
