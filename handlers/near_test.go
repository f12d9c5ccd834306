package handlers_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
)

func TestASearchWithFewResultsListsNearMisses(t *testing.T) {
	woman := func(id, name, height, hair string, categories []agency.Category) agency.Talent {
		return agency.Talent{
			ID: id, Name: name, Gender: agency.Woman, Categories: categories,
			Measures: agency.Measures{Height: height, Hair: hair},
		}
	}
	site := rosterSite(t, []agency.Talent{
		woman("1", "Asked For", "177", "Brown", models), woman("2", "A Bit Short", "173.5", "Brown", models),
		woman("3", "A Blonde", "178", "Blonde", models), woman("4", "A Child", "174", "Brown", kids),
	})
	const search = "?height_from=175&height_to=180&hair=brown"
	for path, reasons := range map[string][2]string{
		"/models/women": {"1.5\u00a0cm shorter", "With blonde hair instead of brown"},
		"/pt/mulheres":  {"1,5\u00a0cm a menos", "Cabelo loiro em vez de castanho"},
		"/es/mujeres":   {"1,5\u00a0cm menos", "Cabello rubio en vez de castaño"},
	} {
		listed, near, found := strings.Cut(get(site, path+search).Body.String(), `id="near"`)
		require.True(t, found, path)
		assert.Equal(t, 1, strings.Count(listed, "data-talent="), path)
		assert.Contains(t, listed, "Asked For")
		assert.NotContains(t, near, "data-talent=", "near misses are not listed as results")
		assert.Less(t, strings.Index(near, "A Bit Short"), strings.Index(near, reasons[0]))
		assert.Less(t, strings.Index(near, reasons[0]), strings.Index(near, reasons[1]))
		assert.NotContains(t, near, "A Child")
	}
	nobody := get(site, "/models/women?height_from=175&height_to=176&hair=brown").Body.String()
	assert.Contains(t, nobody, `id="empty"`)
	assert.Contains(t, nobody, "1\u00a0cm taller", "an empty list suggests near misses")
	assert.NotContains(t, get(site, "/models/women").Body.String(), `id="near"`,
		"without filters there are no near misses")
}
