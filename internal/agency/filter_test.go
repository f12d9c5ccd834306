package agency

import (
	"net/url"
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
	brown, red, blonde = hair("brown"), hair("red"), hair("blonde")
	green, blue        = FamiliesOf(EyeFamilies, []string{"green"}), FamiliesOf(EyeFamilies, []string{"blue"})
)

func hair(families ...string) Families { return FamiliesOf(HairFamilies, families) }

func TestParseFilterFollowsTheRulesOfAddresses(t *testing.T) {
	for _, test := range []struct {
		name  string
		path  Filter
		query string
		want  Filter // Board is that of path; Show is PageSize where 0
	}{
		{"no query", models, "", Filter{}},
		{"everybody", Filter{}, "gender=man&category=stylist", Filter{Gender: Man, Category: "stylist"}},
		{"gender and subcategory", models, "gender=woman&subcategory=curve", Filter{
			Gender: Woman, Subcategory: "curve",
		}},
		{"kids and subcategory", models, "category=kids&subcategory=girls", Filter{
			Category: Kids, Subcategory: "girls",
		}},
		{"creative category", creative, "category=make&letter=A", Filter{Category: "make", Letter: "A"}},
		{"three pages", models, "show=60", Filter{Show: 60}},
		{"beyond", models, "q=+joão++da+silva+&height_from=170&height_to=180&hair=blonde&eyes=green",
			Filter{Name: "joão da silva", HeightFrom: 170, HeightTo: 180, Hair: blonde, Eyes: green}},

		{"several colours", models, "hair=brown&hair=black&hair=brown&hair=green", Filter{
			Hair: hair("black", "brown"),
		}},

		{"unknown values", models,
			"gender=Woman&category=kid&subcategory=tall&letter=AB&show=30&height_from=tall&height_to=-1&" +
				"hair=Blonde&eyes=x",
			Filter{}},
		{"small letter", models, "letter=a", Filter{}},
		{"accented letter", models, "letter=Á", Filter{}},
		{"show above the maximum", models, "show=2020", Filter{Show: MaxShow}},
		{"show of zero", models, "show=0", Filter{}},
		{"negative show", models, "show=-20", Filter{}},
		{"show overflows", models, "show=99999999999999999980", Filter{}},
		{"invalid UTF-8 in a name", models, "q=%ff%feana", Filter{Name: "ana"}},
		{"minimum height above the maximum", models, "height_from=180&height_to=170", Filter{
			HeightFrom: 170, HeightTo: 180,
		}},

		{"the path has the gender", women, "gender=man", Filter{Gender: Woman}},
		{"the path's gender is not dropped", women, "category=kids", Filter{Gender: Woman}},
		{"the path's gender is not dropped for fluid", men, "category=fluid&subcategory=big", Filter{
			Gender: Man, Subcategory: "big",
		}},
		{"the path has the category", kids, "category=fluid&gender=man&subcategory=boys", Filter{
			Category: Kids, Subcategory: "boys",
		}},
		{"no gender on creative", creative, "gender=woman&subcategory=curve&category=stylist", Filter{
			Category: "stylist",
		}},
		{"no models' category on creative", creative, "category=kids&subcategory=girls", Filter{}},
		{"no creative category on models", models, "category=photographer&gender=man", Filter{Gender: Man}},
		{"fluid drops gender and subcategory", models, "category=fluid&gender=woman&subcategory=curve", Filter{
			Category: Fluid,
		}},
		{"kids drops gender", models, "category=kids&gender=woman&subcategory=girls", Filter{
			Category: Kids, Subcategory: "girls",
		}},
		{"kids drops other subcategories", models, "category=kids&subcategory=fit", Filter{Category: Kids}},
		{"a subcategory without its gender", models, "subcategory=curve", Filter{}},
		{"a subcategory of the other gender", women, "subcategory=big", Filter{Gender: Woman}},
		{"girls without kids", women, "subcategory=girls", Filter{Gender: Woman}},

		{"preselected man", models, "subcategory=man", Filter{Gender: Man}},
		{"preselected woman", models, "subcategory=woman&letter=B", Filter{Gender: Woman, Letter: "B"}},
		{"preselected fluid", models, "subcategory=fluid", Filter{Category: Fluid}},
		{"preselected kids", models, "subcategory=kids", Filter{Category: Kids}},
		{"preselected against the path", women, "subcategory=man", Filter{Gender: Woman}},
		{"preselected against the query", models, "category=kids&subcategory=woman", Filter{Category: Kids}},
		{"preselected on creative", creative, "subcategory=kids", Filter{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			query, err := url.ParseQuery(test.query)
			require.NoError(t, err)
			test.want.Board = test.path.Board
			if test.want.Show == 0 {
				test.want.Show = PageSize
			}
			assert.Equal(t, test.want, ParseFilter(test.path, query))
		})
	}
}

func TestVeryLongNameIsCut(t *testing.T) {
	long := make([]rune, 10_000)
	for i := range long {
		long[i] = 'é'
	}
	f := ParseFilter(models, url.Values{"q": {string(long)}})
	assert.Len(t, []rune(f.Name), 100)
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
				assert.Equal(t, state, ParseFilter(path, state.Query(path)),
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
	full := Filter{
		Board: Models, Gender: Woman, Subcategory: "curve", Letter: "M", Show: 80,
		Name: "ana", HeightFrom: 170, HeightTo: 180, Hair: brown, Eyes: blue,
	}
	kept := Filter{
		Board: Models, Letter: "M", Show: PageSize,
		Name: "ana", HeightFrom: 170, HeightTo: 180, Hair: brown, Eyes: blue,
	}
	with := func(change func(*Filter)) Filter {
		f := kept
		change(&f)
		return f
	}

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
	assert.True(t, ParseFilter(models, url.Values{"q": {"ana"}}).Active())
	assert.True(t, ParseFilter(models, url.Values{"height_to": {"170"}}).Active())
}
