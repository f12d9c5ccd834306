package catalog

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/agency"
)

func TestNamesAreSortedAsALanguagesDictionaryDoes(t *testing.T) {
	var talents []agency.Talent
	for name := range strings.FieldsSeq("Żaneta Lucyna Łucja Zofia Luna Жанна Öberg Orsa Zita Chloé Daria") {
		talents = append(talents, agency.Talent{ID: name, Name: name, Stay: agency.Stay{City: name}})
	}
	roster := rosterOf(refs(talents), false)
	sorted := func(lang string, alphabet agency.Alphabet) string {
		all := roster.Select(agency.Filter{Show: agency.PageSize}, time.Time{}).Items
		roster.SortByName(lang, alphabet, all)
		return strings.Join(idsOf(all), " ")
	}
	const polish = "A B C Ć D E F L Ł O Ó Z Ź Ż"
	assert.Equal(t, "Chloé Daria Lucyna Luna Łucja Öberg Orsa Zita Zofia Żaneta Жанна", sorted("pl", polish))
	assert.Equal(t, "Chloé Daria Łucja Lucyna Luna Öberg Orsa Żaneta Zita Zofia Жанна", sorted("en", ""))
	cities := roster.Cities(agency.Filter{}, "en", time.Time{})
	assert.Equal(t, "Łucja Lucyna Luna Öberg", strings.Join(cities[2:6], " "))
	assert.Equal(t, "Daria Chloé", strings.Join(strings.Fields(sorted("cs", "D CH"))[:2], " "))

	f := agency.ParseFilter(agency.Filter{}, polish, map[string][]string{"letter": {"Ł"}})
	selection := roster.Select(f, time.Time{})
	assert.Equal(t, []string{"Łucja"}, idsOf(selection.Items))
	assert.Equal(t, "CDLŁOZŻ", letters(f, selection))
}

// letters are those of a selection that somebody has.
func letters(f agency.Filter, s Selection) (there string) {
	for i, letter := range f.Alphabet().Letters() {
		if s.Letters[i] {
			there += letter
		}
	}
	return there
}

func BenchmarkSortByName(b *testing.B) {
	var talents []agency.Talent
	for _, name := range strings.Fields(strings.Repeat("Żaneta Łucja Zofia Öberg Chloé ", 200)) {
		talents = append(talents, agency.Talent{ID: name + time.Duration(len(talents)).String(), Name: name})
	}
	roster := rosterOf(refs(talents), false)
	all := roster.Select(agency.Filter{Show: agency.MaxShow}, time.Time{}).Items
	for b.Loop() {
		roster.SortByName("pl", "", all)
	}
}

func TestTheSameNameStaysInTheOrderOfTheList(t *testing.T) {
	roster := rosterOf(refs([]agency.Talent{
		{ID: "1", Name: "Luz"}, {ID: "2", Name: "luz"}, {ID: "3", Name: "Ana"},
	}), false)
	all := roster.Select(agency.Filter{Show: agency.PageSize}, time.Time{}).Items
	slices.Reverse(all)
	roster.SortByName("en", "", all)
	assert.Equal(t, []string{"3", "2", "1"}, idsOf(all))
}
