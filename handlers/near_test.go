package handlers_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/backend/backendtest"
)

func TestASearchWithFewResultsListsNearMisses(t *testing.T) {
	fake := backendtest.NewFake(t)
	fake.Change(func(c *backendtest.Content) {
		models := []agency.Category{{ID: agency.ModelsID, Name: "models"}}
		kids := append([]agency.Category{{ID: agency.KidsID, Name: "kids"}}, models...)
		c.Talents = []agency.Talent{
			{ID: "1", Name: "Asked For", Gender: agency.Woman, Categories: models, Measures: agency.Measures{
				Height: "177", Hair: "Brown",
			}},
			{ID: "2", Name: "A Bit Short", Gender: agency.Woman, Categories: models, Measures: agency.Measures{
				Height: "173.5", Hair: "Brown",
			}},
			{ID: "3", Name: "A Blonde", Gender: agency.Woman, Categories: models, Measures: agency.Measures{
				Height: "178", Hair: "Blonde",
			}},
			{ID: "4", Name: "A Child", Gender: agency.Woman, Categories: kids, Measures: agency.Measures{
				Height: "174", Hair: "Brown",
			}},
		}
	})
	site := newSite(t, fake.Panel(), fake.Integration())
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
