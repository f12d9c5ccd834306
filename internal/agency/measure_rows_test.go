package agency_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"zedcard/i18n"
	"zedcard/internal/agency"
)

func TestColoursAreWordsOfThePagesLanguage(t *testing.T) {
	sheet := agency.MeasureFormatter{
		Hair: []agency.Option{
			{Value: "Blonde", Value2: "Loiro"}, {Value: "Grey", Value2: "Cinza"}, {Value2: "não informado"},
		},
		Eyes: []agency.Option{{Value: "Grey", Value2: "Cinza"}},
	}
	for hair, want := range map[string]string{
		"Blonde": "Loiro", " blonde ": "Loiro", "Blond": "Loiro",
		"Silver": "Cinza", "Ginger": "Ginger", "as the moon": "as the moon",
	} {
		rows := sheet.Rows(i18n.Of(i18n.PT),
			&agency.Talent{Gender: agency.Woman, Measures: agency.Measures{Hair: hair, Eyes: "gray"}})
		assert.Equal(t, want, rows[0].Metric, hair)
		assert.Equal(t, "Cinza", rows[1].Metric)
	}
}

func TestASiteMayShowCentimetresAlone(t *testing.T) {
	talent := &agency.Talent{Gender: agency.Woman, Measures: agency.Measures{Height: "178", Hair: "Brown"}}
	rows := agency.MeasureFormatter{
		Metric: true,
		Hair:   []agency.Option{{Value: "Brown", Value2: "Castanho", Names: map[string]string{"fr": "Châtain"}}},
	}.Rows(i18n.Of("fr"), talent)
	assert.Equal(t, "178\u00a0cm", rows[0].Metric)
	assert.Empty(t, rows[0].Imperial)
	number, unit := rows[0].Number()
	assert.Equal(t, "178|\u00a0cm", number+"|"+unit)
	assert.Equal(t, "Châtain", rows[1].Metric)
}

func TestASizeIsShownAsItCameUnlessTheOptionsNameItsSystem(t *testing.T) {
	woman := &agency.Talent{Gender: agency.Woman, Measures: agency.Measures{Suit: "36.5", Shoes: "UK 5"}}
	for system, want := range map[string]string{"": "36,5", "EU": "EU\u00a036,5"} {
		rows := agency.MeasureFormatter{Sizes: system}.Rows(i18n.Of(i18n.PT), woman)
		assert.Equal(t, want, rows[0].Metric)
		assert.Equal(t, "UK 5", rows[1].Metric)
	}
}

func TestALengthInBothUnitsIsBelieved(t *testing.T) {
	for text, want := range map[string][2]string{
		`88`: {"88\u00a0cm", "34½″"}, `88/34"`: {"88\u00a0cm", "34″"}, `34" / 88 cm`: {"88\u00a0cm", "34″"},
		`89 cm (35 in)`: {"89\u00a0cm", "35″"}, `34"`: {"86.4\u00a0cm", "34″"}, `88/large`: {"88\u00a0cm", "34½″"},
	} {
		rows := agency.MeasureFormatter{}.Rows(i18n.Of(i18n.EN),
			&agency.Talent{Gender: agency.Woman, Measures: agency.Measures{Bust: text}})
		assert.Equal(t, want, [2]string{rows[0].Metric, rows[0].Imperial}, text)
	}
}

func TestACardHasOneLineOfMeasures(t *testing.T) {
	day := time.Date(2026, time.November, 22, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		gender agency.Gender
		born   int
		want   []agency.Measure
	}{
		{agency.Woman, 2000, []agency.Measure{agency.Height, agency.Bust, agency.Waist, agency.Hips, agency.Shoes}},
		{agency.Man, 2000, []agency.Measure{agency.Height, agency.Bust, agency.Waist, agency.Shoes}},
		{agency.Woman, 2015, []agency.Measure{agency.Height}},
	} {
		var names []agency.Measure
		for _, row := range (agency.MeasureFormatter{Today: day}).Line(i18n.Of(i18n.EN), &agency.Talent{
			Gender: c.gender, Birthdate: time.Date(c.born, time.March, 3, 0, 0, 0, 0, time.UTC),
			Measures: agency.Measures{
				Height: "180", Bust: "90", Waist: "70", Suit: "48", Hips: "92",
				Shoes: "42", Hair: "Black", Eyes: "Green",
			},
		}) {
			names = append(names, row.Name)
		}
		assert.Equal(t, c.want, names)
	}
}
