package catalog

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
)

// hostile are names and beginnings of names that real lists hold and that break what is built
// on A to Z.
var hostile = []string{
	"", "   ", "\t\n", "Ágata Ñuñez", "A\u0301gata", "ágata", "Øyvind Ærø",
	"Łukasz Żak", "Đorđe", "İlker", "Çelik", "ß", "Жанна", "李小龙",
	"<script>alert(1)</script>", `"quoted" & 'more'`, "%2e%2e%2f",
	"\u202eanA", "\u200bAna", "😀 Ana", "3 Doors", "O'Neil", "Ana\nMaria",
	"ANA", "ana", "Ana  Ana", strings.Repeat("Long", 2500), "Zoë", "Q", "\xff\xfeBroken",
}

// refs are the talents of a list, as the catalogue shares them.
func refs(list []agency.Talent) []*agency.Talent {
	shared := make([]*agency.Talent, len(list))
	for i := range list {
		shared[i] = &list[i]
	}
	return shared
}

// generate is a list of n talents, always the same one: every category and measure that a filter
// knows, missing and unreadable ones, and the hostile names.
func generate(n int) []agency.Talent {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	ids := []agency.CategoryID{
		agency.KidsID, 1910, 1911, 1912, 1918, agency.FluidID, 1921,
		1923, 1924, 1925,
	}
	list := make([]agency.Talent, n)
	for i := range list {
		t := &list[i]
		t.ID = fmt.Sprint(i + 1)
		t.Gender = agency.Gender(pick("woman", "woman", "man", "man", ""))
		t.Name = pick("Ana", "Beatriz", "Caio", "Davi", "Érica", "Jorge",
			"Luísa", "Maria", "Nuno", "Rita", "Tomás", "Vítor") +
			" " + pick("Silva", "Søndergård", "Conceição", "Lima", "Peña", "Weiß")
		if i%10 == 0 && i/10 < len(hostile) {
			t.Name = hostile[i/10]
		}
		t.Categories = append(t.Categories, agency.Category{
			ID: []agency.CategoryID{agency.ModelsID, agency.ModelsID, agency.CreativeID}[random.IntN(3)],
		})
		if random.IntN(20) == 0 {
			t.Categories = []agency.Category{{ID: agency.ModelsID}, {ID: agency.CreativeID}}
		}
		for range random.IntN(4) {
			t.Categories = append(t.Categories, agency.Category{ID: ids[random.IntN(len(ids))]})
		}
		if random.IntN(6) == 0 {
			t.Categories = append(t.Categories,
				agency.Category{ID: 5000, Name: pick("influencers",
					"INFLUENCERS", "Influencer", "girls", "Boys", "new faces")})
		}
		t.Measures = agency.Measures{
			Height: pick("", "150", "165 cm", "1,70 m", `177.5/5'10"`, "178", "1.82", "tall", "190"),
			Hair:   pick("", "Black", "Dark Brown", "Loiro", "Auburn", "Salt and Pepper", "Fantasy Colour"),
			Eyes:   pick("", "Blue", "Green", "Hazel", "Castanho", "Heterochromia"),
		}
	}
	return list
}

// candidate is a talent with what the oracle would work out again for every filter.
type candidate struct {
	agency.Talent
	letter, folded string
}

func candidates(list []agency.Talent) []candidate {
	found := make([]candidate, len(list))
	for i, t := range list {
		found[i] = candidate{t, agency.Letter(t.Name), agency.Fold(t.Name)}
	}
	return found
}

// oracle is the list that a filter should show, written down once more and without an index.
func oracle(list []candidate, kids KidsListed, f agency.Filter) []string {
	has := func(t candidate, id int) bool {
		return slices.ContainsFunc(t.Categories, func(c agency.Category) bool { return int(c.ID) == id })
	}
	named := func(t candidate, names ...string) bool {
		return slices.ContainsFunc(t.Categories,
			func(c agency.Category) bool { return slices.Contains(names, strings.ToLower(c.Name)) })
	}
	id := map[string]int{
		"models": 1, "creative": 1881, "fluid": 1920, "kids": 1909, "photographer": 1923, "make": 1924, "stylist": 1925,
		"curve": 1911, "fit": 1910, "life": 1912, "petite": 1918, "big": 1921,
	}
	height := map[string]float64{
		"150": 150, "165 cm": 165, "1,70 m": 170, `177.5/5'10"`: 177.5, "178": 178, "1.82": 182, "190": 190,
	}
	hair := map[string]string{
		"": "", "Black": "black", "Dark Brown": "brown", "Loiro": "blonde",
		"Auburn": "red", "Salt and Pepper": "grey", "Fantasy Colour": "other",
	}
	eyes := map[string]string{
		"": "", "Blue": "blue", "Green": "green", "Hazel": "amber", "Castanho": "brown", "Heterochromia": "other",
	}

	var ids []string
	for _, t := range list {
		cm := height[t.Measures.Height]
		fits := strings.TrimSpace(t.Name) != "" &&
			(f.Board == "" || has(t, id[string(f.Board)])) &&
			(f.Gender == "" || t.Gender == f.Gender) &&
			(f.HeightFrom == 0 || cm >= float64(f.HeightFrom)) &&
			(f.HeightTo == 0 || cm != 0 && cm <= float64(f.HeightTo)) &&
			(f.Hair == 0 || hairOf(hair[t.Measures.Hair])&f.Hair != 0) &&
			(f.Eyes == 0 || eyesOf(eyes[t.Measures.Eyes])&f.Eyes != 0) &&
			(f.Letter == "" || t.letter == f.Letter) &&
			(f.Name == "" || strings.Contains(t.folded, agency.Fold(f.Name)))
		kid := has(t, id["kids"]) || named(t, "kids", "girls", "boys")
		if kids == KidsApart && kid && f.Category != agency.Kids {
			continue
		}
		switch {
		case f.Category == agency.Kids:
			fits = fits && kid
		case f.Category == "influencers":
			fits = fits && named(t, "influencer", "influencers")
		case f.Category != "":
			fits = fits && has(t, id[string(f.Category)])
		}
		switch {
		case f.Subcategory == "girls":
			fits = fits && (named(t, "girls") || t.Gender == "woman")
		case f.Subcategory == "boys":
			fits = fits && (named(t, "boys") || t.Gender == "man")
		case f.Subcategory != "":
			fits = fits && has(t, id[string(f.Subcategory)])
		}
		if fits {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// onScreen puts ids into the order of the screen: 1 2 3 · 6 5 4 · 7 8 9 · 12 11 10.
func onScreen(ids []string) []string {
	var ordered []string
	for block, i := 0, 0; i < len(ids); block, i = block+1, i+3 {
		three := ids[i:min(i+3, len(ids))]
		for j := range three {
			if block%2 == 1 {
				ordered = append(ordered, three[len(three)-1-j])
			} else {
				ordered = append(ordered, three[j])
			}
		}
	}
	return ordered
}

func idsOf(items []*agency.Talent) (ids []string) {
	for _, t := range items {
		ids = append(ids, t.ID)
	}
	return ids
}

// states are the filters that buttons lead to, each with and without what lies beyond them.
func states() []agency.Filter {
	var states []agency.Filter
	for _, board := range []agency.Board{agency.AllBoards, agency.Models, agency.Creative} {
		start := agency.Filter{Board: board}.Cleared()
		rows := []agency.Filter{start}
		for _, g := range start.Genders() {
			rows = append(rows, start.WithGender(g))
		}
		for _, c := range start.Categories() {
			rows = append(rows, start.WithCategory(c))
		}
		for _, f := range rows {
			states = append(states, f)
			for _, s := range f.Subcategories() {
				states = append(states, f.WithSubcategory(s))
			}
		}
	}
	for _, f := range slices.Clone(states) {
		for _, l := range []string{"A", "M", "O", "Z", "X"} {
			states = append(states, f.WithLetter(l))
		}
		for _, change := range []func(*agency.Filter){
			func(f *agency.Filter) { f.Name = "SOND" },
			func(f *agency.Filter) { f.Name = "a s" },
			func(f *agency.Filter) { f.Name = "ria l" },
			func(f *agency.Filter) { f.Name = "q" },
			func(f *agency.Filter) { f.Name = "Ça" },
			func(f *agency.Filter) { f.Name = "小龙" },
			func(f *agency.Filter) { f.Name = "longlonglongl" },
			func(f *agency.Filter) { f.Name = "\u0301" },
			func(f *agency.Filter) { f.Name = "no such name" },
			func(f *agency.Filter) { f.HeightFrom = 170 },
			func(f *agency.Filter) { f.HeightTo = 177 },
			func(f *agency.Filter) { f.HeightFrom, f.HeightTo = 177, 178 },
			func(f *agency.Filter) { f.Hair = hairOf("blonde") },
			func(f *agency.Filter) { f.Hair = hairOf("black", "brown") },
			func(f *agency.Filter) { f.Eyes, f.Letter, f.Name = eyesOf("amber"), "L", "i" },
		} {
			changed := f
			change(&changed)
			states = append(states, changed)
		}
	}
	return states
}

func TestListsMatchTheOracle(t *testing.T) {
	for _, kids := range []KidsListed{KidsApart, KidsEverywhere} {
		testLists(t, kids)
	}
}

func testLists(t *testing.T, kids KidsListed) {
	generated := generate(300)
	list, roster := candidates(generated), NewRoster(refs(generated), kids)
	filled := 0
	for _, f := range states() {
		want := oracle(list, kids, f)
		for _, show := range []int{20, 40, 1 << 40} {
			f.Show = show
			got := roster.Select(f)
			require.Equal(t, len(want), got.Total, "%+v", f)
			shown := onScreen(want)
			require.Equal(t, shown[:min(show, len(shown))], idsOf(got.Items), "%+v", f)
		}
		filled += min(1, len(want))
	}
	assert.Greater(t, filled, 250, "enough states have results")
}

// A click on what is offered leads to as many talents as it said, and a letter that is offered
// is not empty.
func TestLettersAndColourFamiliesMatchTheirLists(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	generated := generate(300)
	list, roster := candidates(generated), NewRoster(refs(generated), KidsApart)
	check := func(count int, f agency.Filter) {
		require.Equal(t, len(oracle(list, KidsApart, f)), count, "%+v", f)
	}
	for _, f := range states() {
		got := roster.Select(f)
		for i, offered := range got.Letters {
			byLetter := f
			byLetter.Letter = string(rune('A' + i))
			require.Equal(t, len(oracle(list, KidsApart, byLetter)) > 0, offered, "%+v", byLetter)
		}
		for family, count := range got.Hair {
			byHair := f
			byHair.Hair = hairOf(family)
			check(count, byHair)
		}
		for family, count := range got.Eyes {
			byEyes := f
			byEyes.Eyes = eyesOf(family)
			check(count, byEyes)
		}
	}
}

func TestGirlsAndBoysAreKnownByNameOrByGender(t *testing.T) {
	kid := func(id string, gender agency.Gender, names ...string) agency.Talent {
		t := agency.Talent{ID: id, Name: "Ana", Gender: gender, Categories: []agency.Category{
			{ID: agency.ModelsID}, {ID: agency.KidsID},
		}}
		for _, name := range names {
			t.Categories = append(t.Categories, agency.Category{ID: 7, Name: name})
		}
		return t
	}
	grown := agency.Talent{
		ID: "grown", Name: "Ana", Gender: agency.Woman, Categories: []agency.Category{{ID: agency.ModelsID}},
	}
	roster := NewRoster(refs([]agency.Talent{
		kid("f", agency.Woman), kid("m", agency.Man), kid("girl", "", " GIRLS "),
		kid("boy", "", "Boys"), kid("neither", ""), grown,
	}), KidsApart)
	kids := agency.Filter{Board: agency.Models}.Cleared().WithCategory(agency.Kids)
	assert.Equal(t, []string{"f", "girl"}, idsOf(roster.Select(kids.WithSubcategory("girls")).Items))
	assert.Equal(t, []string{"m", "boy"}, idsOf(roster.Select(kids.WithSubcategory("boys")).Items))
	assert.Equal(t, 5, roster.Select(kids).Total)
}

func TestTheRosterOmitsDuplicatesAndMissingNames(t *testing.T) {
	roster := NewRoster([]*agency.Talent{
		{ID: "1", Name: "Ana"}, {ID: "2", Name: " \t"}, {ID: "3"}, {ID: "1", Name: "Ana again"}, {ID: "4", Name: "Zoë"},
	}, KidsApart)
	assert.Equal(t, 2, roster.Len())
	assert.Len(t, roster.All(), 2)
	assert.Equal(t, "Ana", roster.ByID("1").Name)
	assert.Nil(t, roster.ByID("2"))
	assert.Nil(t, roster.ByID("no such"))
	assert.Equal(t, []string{"1", "4"}, idsOf(roster.Select(agency.Filter{Show: 20}).Items))
}
