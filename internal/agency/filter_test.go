package agency

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	models   = Filter{Board: Models}
	creative = Filter{Board: Creative}
	women    = Filter{Board: Models, Gender: Woman}
	men      = Filter{Board: Models, Gender: Man}
	fluid    = Filter{Board: Models, Category: Fluid}
	kids     = Filter{Board: Models, Category: Kids}
)

var (
	brown, red = hair("brown"), hair("red")
	blue       = FamiliesOf(EyeFamilies, []string{"blue"})
)

func hair(families ...string) Families { return FamiliesOf(HairFamilies, families) }

func TestParseFilterFollowsTheRulesOfAddresses(t *testing.T) {
	for _, test := range []struct {
		path        Filter
		query, want string // want is the address that the filter has from its board
	}{
		{models, "", ""},
		{Filter{}, "gender=man&category=stylist", "category=stylist&gender=man"},
		{models, "gender=woman&subcategory=curve", "gender=woman&subcategory=curve"},
		{models, "category=kids&subcategory=girls", "category=kids&subcategory=girls"},
		{creative, "category=make&letter=A", "category=make&letter=A"},
		{models, "show=60", "show=60"},
		{models, "q=+joão++da+silva+&height_from=170&height_to=180&hair=blonde&eyes=green",
			"eyes=green&hair=blonde&height_from=170&height_to=180&q=jo%C3%A3o+da+silva"},
		{models, "hair=brown&hair=black&hair=brown&hair=green", "hair=black&hair=brown"},

		// Unknown values are as if they were not there.
		{models, "gender=Woman&category=kid&subcategory=tall&letter=AB&show=30&hair=Blonde&eyes=x", ""},
		{models, "height_from=tall&height_to=-1", ""},
		{models, "letter=a", ""},
		{models, "letter=Á", ""},
		{models, "show=2020", "show=2000"},
		{models, "show=0", ""},
		{models, "show=-20", ""},
		{models, "show=99999999999999999980", ""},
		{models, "q=%ff%feana", "q=ana"},
		{models, "q=" + strings.Repeat("e", 10_000), "q=" + strings.Repeat("e", 100)},
		{models, "height_from=180&height_to=170", "height_from=170&height_to=180"},

		// The path says more than the query.
		{women, "gender=man", "gender=woman"},
		{women, "category=kids", "gender=woman"},
		{men, "category=fluid&subcategory=big", "gender=man&subcategory=big"},
		{kids, "category=fluid&gender=man&subcategory=boys", "category=kids&subcategory=boys"},
		{creative, "gender=woman&subcategory=curve&category=stylist", "category=stylist"},
		{creative, "category=kids&subcategory=girls", ""},
		{models, "category=photographer&gender=man", "gender=man"},

		// Fluid and kids drop the gender, and a subcategory counts only under its own.
		{models, "category=fluid&gender=woman&subcategory=curve", "category=fluid"},
		{models, "category=kids&gender=woman&subcategory=girls", "category=kids&subcategory=girls"},
		{models, "category=kids&subcategory=fit", "category=kids"},
		{models, "subcategory=curve", ""},
		{women, "subcategory=big", "gender=woman"},
		{women, "subcategory=girls", "gender=woman"},

		// A subcategory may preselect a gender or a category.
		{models, "subcategory=man", "gender=man"},
		{models, "subcategory=woman&letter=B", "gender=woman&letter=B"},
		{models, "subcategory=fluid", "category=fluid"},
		{models, "subcategory=kids", "category=kids"},
		{women, "subcategory=man", "gender=woman"},
		{models, "category=kids&subcategory=woman", "category=kids"},
		{creative, "subcategory=kids", ""},
	} {
		query, err := url.ParseQuery(test.query)
		require.NoError(t, err)
		filter := ParseFilter(test.path, "", query)
		assert.Equal(t, test.path.Board, filter.Board)
		assert.Equal(t, test.want, filter.Query(Filter{Board: test.path.Board}).Encode(), "%s", test.query)
	}
}

// Every state that can be reached by clicking, from every path that can say a part of it, has an
// address that leads back to it.
func TestEveryFilterHasAnAddress(t *testing.T) {
	states := map[Filter]bool{}
	var visit func(f Filter)
	visit = func(f Filter) {
		if states[f] {
			return
		}
		states[f] = true
		for _, g := range append(f.Genders(), "") {
			visit(f.WithGender(g))
		}
		for _, c := range append(f.Categories(), "") {
			visit(f.WithCategory(c))
		}
		for _, s := range append(f.Subcategories(), "") {
			visit(f.WithSubcategory(s))
		}
		visit(f.WithLetter("Z"))
		if f.Show < 3*PageSize {
			visit(f.More())
		}
	}
	for _, board := range []Board{AllBoards, Models, Creative} {
		start := Filter{Board: board}.Cleared()
		visit(start)
		start.Name, start.HeightFrom, start.HeightTo, start.Hair, start.Eyes = "O'Neil & Søn", 150, 190, red, blue
		visit(start)
	}
	assert.Greater(t, len(states), 200)

	paths := []Filter{{}, models, creative, women, men, fluid, kids}
	for state := range states {
		reached := 0
		for _, path := range paths {
			fits := path.Board == state.Board && (path.Gender == "" || path.Gender == state.Gender) &&
				(path.Category == "" || path.Category == state.Category)
			if fits {
				reached++
				assert.Equal(t, state, ParseFilter(path, "", state.Query(path)),
					"the address doesn't restore the state, seen from %+v", path)
			}
		}
		assert.NotZero(t, reached)
	}
}

func TestAnAddressOmitsDefaults(t *testing.T) {
	assert.Empty(t, models.Cleared().Query(models))
	assert.Empty(t, women.Cleared().WithGender(Woman).Query(women), "the gender is part of the path")
	assert.Equal(t, "gender=woman", models.Cleared().WithGender(Woman).Query(models).Encode())
	assert.Equal(t, "hair=black&hair=brown", models.Cleared().WithHair(hair("brown", "black")).Query(models).Encode(),
		"a search has one address, in whatever order it was chosen")
	assert.Equal(t, "letter=C&show=40&subcategory=curve",
		models.Cleared().WithGender(Woman).WithSubcategory("curve").WithLetter("C").More().Query(women).Encode())
}

func TestUntilShowsWholePagesUpToTheTalent(t *testing.T) {
	for n, show := range map[int]int{0: 20, 1: 20, 20: 20, 21: 40, 1999: 2000, 2001: 2000, 1 << 40: 2000} {
		assert.Equal(t, show, models.UpTo(n).Show, n)
	}
	assert.Equal(t, 40, models.WithView(SheetView).UpTo(48).Show, "a contact sheet has pages of 24, a board of 20")
	assert.Equal(t, 60, models.WithView(SheetView).UpTo(49).Show)
	assert.Equal(t, PageSize, models.WithView(NamesView).UpTo(500).Show)
}

func TestClicksFollowTheSpecification(t *testing.T) {
	kept := Filter{
		Board: Models, Letter: "M", Show: PageSize,
		Name: "ana", HeightFrom: 170, HeightTo: 180, Hair: brown, Eyes: blue,
	}
	with := func(change func(*Filter)) Filter {
		f := kept
		change(&f)
		return f
	}
	full := with(func(f *Filter) { f.Gender, f.Subcategory, f.Show = Woman, "curve", 80 })

	assert.Equal(t, Filter{Board: Models, Show: PageSize}, full.Cleared(), "every filter is cleared, the letter too")
	assert.Equal(t, with(func(f *Filter) { f.Gender = Man }), full.WithGender(Man), "gender clears the subcategory")
	assert.Equal(t, with(func(f *Filter) { f.Category = Kids }),
		full.WithCategory(Kids), "kids clears gender and subcategory")
	assert.Equal(t, with(func(f *Filter) { f.Category = Fluid }),
		full.WithCategory(Fluid), "fluid clears gender and subcategory")
	assert.Equal(t, with(func(f *Filter) { f.Gender = Woman }), full.WithSubcategory(""),
		"All of the subcategories clears the subcategory only")
	assert.Equal(t, with(func(f *Filter) { f.Gender, f.Subcategory, f.Letter = Woman, "curve", "" }),
		full.WithLetter("M"),
		"choosing the selected letter again clears it")
	assert.Equal(t, "N", full.WithLetter("N").Letter)
	assert.Equal(t, 100, full.More().Show)

	girls := full.WithCategory(Kids).WithSubcategory("girls")
	assert.Equal(t, with(func(f *Filter) { f.Category, f.Subcategory = Kids, "girls" }), girls)
	assert.Equal(t, with(func(f *Filter) { f.Gender = Man }), girls.WithGender(Man), "gender clears kids")
	assert.Equal(t, with(func(f *Filter) {}), girls.WithCategory(""), "clearing kids clears girls")

	makeUp := creative.Cleared().WithLetter("A").WithCategory("make")
	assert.Equal(t, Filter{Board: Creative, Category: "make", Letter: "A", Show: PageSize}, makeUp)
	assert.Equal(t, ListCategory("stylist"), makeUp.WithCategory("stylist").Category)
	everybody := Filter{}.Cleared().WithGender(Man).WithSubcategory("fit")
	assert.Equal(t, Filter{Gender: Man, Subcategory: "fit", Category: "stylist", Show: PageSize},
		everybody.WithCategory("stylist"),
		"a creative category clears nothing else")
}

func TestRowsOfButtons(t *testing.T) {
	assert.Equal(t, []Gender{Woman, Man}, models.Genders())
	assert.Empty(t, creative.Genders())
	assert.Equal(t, []ListCategory{Fluid, Kids}, models.Categories())
	assert.Equal(t, []ListCategory{"photographer", "make", "stylist", "influencers"}, creative.Categories())

	assert.Empty(t, models.Subcategories())
	assert.Empty(t, fluid.Subcategories())
	assert.Empty(t, creative.WithCategory("make").Subcategories())
	assert.Equal(t, []Subcategory{"curve", "fit", "life", "petite"}, women.Subcategories())
	assert.Equal(t, []Subcategory{"big", "fit", "life"}, men.Subcategories())
	assert.Equal(t, []Subcategory{"girls", "boys"}, kids.Subcategories())
}

func TestAFilterIsActiveWhenItSelects(t *testing.T) {
	assert.False(t, models.Cleared().Active())
	assert.False(t, models.Cleared().More().Active(), "showing more is not a filter")
	assert.True(t, women.Cleared().WithGender(Woman).Active())
	assert.True(t, creative.Cleared().WithLetter("A").Active())
	assert.True(t, ParseFilter(models, "", url.Values{"q": {"ana"}}).Active())
	assert.True(t, ParseFilter(models, "", url.Values{"height_to": {"170"}}).Active())
}
