package measures_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/measures"
)

func TestColoursAreWordsOfThePagesLanguage(t *testing.T) {
	sheet := measures.Sheet{
		Hair: []agency.Option{
			{Value: "Blonde", Value2: "Loiro"}, {Value: "Grey", Value2: "Cinza"}, {Value2: "não informado"},
		},
		Eyes: []agency.Option{{Value: "Grey", Value2: "Cinza"}},
	}
	for hair, want := range map[string]string{
		"Blonde": "Loiro", " blonde ": "Loiro", "Blond": "Loiro",
		"Silver": "Cinza", "Ginger": "Ginger", "as the moon": "as the moon",
	} {
		rows := sheet.Rows(i18n.PT,
			&agency.Talent{Gender: agency.Woman, Measures: agency.Measures{Hair: hair, Eyes: "gray"}})
		assert.Equal(t, want, rows[0].Metric, hair)
		assert.Equal(t, "Cinza", rows[1].Metric)
	}
}
