package catalog

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/agency"
)

// refs are the talents of a list, as the catalogue shares them.
func refs(list []agency.Talent) []*agency.Talent {
	shared := make([]*agency.Talent, len(list))
	for i := range list {
		shared[i] = &list[i]
	}
	return shared
}

func rosterOf(list []*agency.Talent, kidsEverywhere bool) *Roster {
	return newRoster(list, agency.NewBoards(nil), kidsEverywhere, func(string) bool { return false })
}

// everyone are talents of every board and with every measure that a filter knows, missing and unreadable ones, too.
var everyone = []agency.Talent{
	{ID: "ana", Name: "Ana Søndergård", Gender: agency.Woman, Categories: in(agency.ModelsID, 1911),
		Measures: agency.Measures{Height: "165 cm", Hair: "Black", Eyes: "Blue"}},
	{ID: "erica", Name: "E\u0301rica Conceição", Gender: agency.Woman, Categories: in(agency.ModelsID, agency.FluidID),
		Measures: agency.Measures{Height: "1,70 m", Hair: "Dark Brown", Eyes: "Hazel"}},
	{ID: "caio", Name: "Caio Lima", Gender: agency.Man, Categories: in(agency.ModelsID, 1910),
		Measures: agency.Measures{Height: `177.5/5'10"`, Hair: "Loiro", Eyes: "Castanho"}},
	{ID: "luisa", Name: "luísa weiß", Gender: agency.Woman, Categories: in(agency.ModelsID),
		Measures: agency.Measures{Height: "tall", Hair: "Auburn", Eyes: "Green"}},
	{ID: "unknown", Name: "李小龙",
		Categories: append(in(agency.ModelsID), agency.Category{ID: 9, Name: "INFLUENCERS"})},
	{ID: "nobody", Name: " \t", Categories: in(agency.ModelsID)},
	{ID: "kid", Name: "Aço", Gender: agency.Man, Categories: in(agency.ModelsID, agency.KidsID),
		Measures: agency.Measures{Height: "150"}},
	{ID: "rita", Name: "Rita <b>", Gender: agency.Woman, Categories: in(agency.CreativeID, 1924)},
	{ID: "both", Name: "Ângelo\nMaria", Gender: agency.Man, Categories: in(agency.ModelsID, agency.CreativeID, 1923),
		Measures: agency.Measures{Height: "1.82", Hair: "Salt and Pepper", Eyes: "Heterochromia"}},
}

func in(ids ...agency.CategoryID) (categories []agency.Category) {
	for _, id := range ids {
		categories = append(categories, agency.Category{ID: id})
	}
	return categories
}

func TestAFilterSelectsFromTheRoster(t *testing.T) {
	models := agency.Filter{Board: agency.Models, Show: agency.PageSize}
	for _, test := range []struct {
		filter agency.Filter
		want   string // on the screen: every second three from right to left
		kid    bool   // whether it has the kid where kids are everywhere
	}{
		{agency.Filter{Show: agency.PageSize}, "ana erica caio rita unknown luisa both", true},
		{models, "ana erica caio both unknown luisa", true},
		{agency.Filter{Board: agency.Creative, Show: agency.PageSize}, "rita both", false},
		{agency.Filter{Board: agency.Creative, Category: "make", Show: agency.PageSize}, "rita", false},
		{models.WithGender(agency.Woman), "ana erica luisa", false},
		{models.WithGender(agency.Woman).WithSubcategory("curve"), "ana", false},
		{models.WithCategory(agency.Fluid), "erica", false},
		{agency.Filter{}.WithCategory("influencers"), "unknown", false},
		{models.WithCategory(agency.Kids), "kid", true},
		{models.WithLetter("E"), "erica", false},
		{models.WithLetter("A"), "ana both", true},
		{models.WithLetter("X"), "", false},
		{models.WithName("SOND"), "ana", false},
		{models.WithName("ca con"), "erica", false},
		{models.WithName("小龙"), "unknown", false},
		{models.WithName("Lixa"), "caio", false}, // one typing error is forgiven
		{models.WithName("no such name"), "", false},
		{models.WithHeights(170, 0), "erica caio both", false},
		{models.WithHeights(0, 177), "ana erica", true},
		{models.WithHeights(177, 178), "caio", false},
		{models.WithHair(hairOf("blonde")), "caio", false},
		{models.WithHair(hairOf("black", "brown")), "ana erica", false},
		{models.WithEyes(eyesOf("amber", "other")), "erica both", false},
		{models.WithEyes(eyesOf("amber")).WithLetter("E").WithName("i"), "erica", false},
	} {
		apart, everywhere := rosterOf(refs(everyone), false), rosterOf(refs(everyone), true)
		got := apart.Select(test.filter, time.Time{})
		assert.Equal(t, test.want, strings.Join(idsOf(got.Items), " "), "%+v", test.filter)
		assert.Len(t, got.Items, got.Total)
		assert.Equal(t, test.kid, slices.Contains(idsOf(everywhere.Select(test.filter, time.Time{}).Items), "kid"))

		// A click on what is offered leads to as many talents as it said.
		for i, offered := range got.Letters {
			byLetter := test.filter
			byLetter.Letter = byLetter.Alphabet().Letters()[i]
			assert.Equal(t, offered, apart.Select(byLetter, time.Time{}).Total > 0, "%+v", byLetter)
		}
		for family, count := range got.Hair {
			assert.Equal(t, count, apart.Select(test.filter.WithHair(hairOf(family)), time.Time{}).Total, family)
		}
		for family, count := range got.Eyes {
			assert.Equal(t, count, apart.Select(test.filter.WithEyes(eyesOf(family)), time.Time{}).Total, family)
		}
	}
	part := models
	part.Show = 4
	assert.Equal(t, []string{"ana", "erica", "caio", "both"},
		idsOf(rosterOf(refs(everyone), false).Select(part, time.Time{}).Items),
		"a block of three counts in full, though the list ends within it")
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
	roster := rosterOf(refs([]agency.Talent{
		kid("f", agency.Woman), kid("m", agency.Man), kid("girl", "", " GIRLS "),
		kid("boy", "", "Boys"), kid("neither", ""), grown,
	}), false)
	kids := agency.Filter{Board: agency.Models}.Cleared().WithCategory(agency.Kids)
	assert.Equal(t, []string{"f", "girl"}, idsOf(roster.Select(kids.WithSubcategory("girls"), time.Time{}).Items))
	assert.Equal(t, []string{"m", "boy"}, idsOf(roster.Select(kids.WithSubcategory("boys"), time.Time{}).Items))
	assert.Equal(t, 5, roster.Select(kids, time.Time{}).Total)
}

func TestTheRosterOmitsDuplicatesAndMissingNames(t *testing.T) {
	roster := rosterOf([]*agency.Talent{
		{ID: "1", Name: "Ana"}, {ID: "2", Name: " \t"}, {ID: "3"}, {ID: "1", Name: "Ana again"}, {ID: "4", Name: "Zoë"},
	}, false)
	assert.Equal(t, 2, roster.Len())
	assert.Len(t, roster.All(), 2)
	assert.Equal(t, "Ana", roster.ByID("1").Name)
	assert.Nil(t, roster.ByID("2"))
	assert.Nil(t, roster.ByID("no such"))
	assert.Equal(t, []string{"1", "4"}, idsOf(roster.Select(agency.Filter{Show: 20}, time.Time{}).Items))
}

func TestNearIsTheBoardFromTheTalentOn(t *testing.T) {
	person := func(id string, gender agency.Gender, categories ...agency.CategoryID) *agency.Talent {
		return &agency.Talent{ID: id, Name: "N" + id, Gender: gender, Categories: in(categories...)}
	}
	roster := rosterOf([]*agency.Talent{
		person("1", agency.Woman, agency.ModelsID),
		person("2", agency.Man, agency.ModelsID),
		person("3", agency.Woman, agency.ModelsID),
		person("4", agency.Woman, agency.ModelsID, agency.KidsID),
		person("5", agency.Man, agency.ModelsID, agency.KidsID),
		person("6", agency.Woman, agency.ModelsID),
		person("7", agency.Woman, agency.CreativeID, 1925),
		person("8", "", agency.CreativeID, 1925),
		person("9", "", agency.CreativeID, 1924),
	}, true)
	near := func(id string, n int) []string {
		return idsOf(roster.Similar(roster.ByID(id), n))
	}
	assert.Equal(t, []string{"6", "1"}, near("3", 6), "continues from the start of the board")
	assert.Equal(t, []string{"6"}, near("3", 1))
	assert.Equal(t, []string{"5"}, near("4", 6), "kids lists have kids of both genders")
	assert.Equal(t, []string{"8"}, near("7", 6), "a creative category is its own board")
	assert.Empty(t, near("2", 6))
	gone := person("99", agency.Woman, agency.ModelsID)
	assert.Len(t, roster.Similar(gone, 6), 3, "a talent not on the roster gets the others of the board")
}

func TestNearMissesDifferInOneThing(t *testing.T) {
	today := time.Date(2026, time.November, 22, 0, 0, 0, 0, time.UTC)
	person := func(id, height, hair, eyes string, categories ...agency.CategoryID) agency.Talent {
		t := agency.Talent{
			ID: id, Name: "N" + id, Gender: agency.Woman,
			Measures: agency.Measures{Height: height, Hair: hair, Eyes: eyes},
		}
		for _, category := range append(categories, agency.ModelsID) {
			t.Categories = append(t.Categories, agency.Category{ID: category})
		}
		return t
	}
	teen := person("teen", "174", "Brown", "Blue")
	teen.Birthdate = today.AddDate(-16, 0, 0)
	man := person("man", "174", "Brown", "Blue")
	man.Gender = agency.Man
	list := []agency.Talent{
		person("found", "176", "Brown", "Blue"),
		person("far", "169", "Brown", "Blue"),
		person("4 shorter", "171", "Brown", "Blue"),
		person("2 taller", "182", "Chestnut", "Blue"),
		person("1.5 shorter", "173,5", "Brown", "Blue"),
		person("blonde", "178", "Blonde", "Blue"),
		person("hair unknown", "178", "", "Blue"),
		person("green eyes", "178", "Brown", "Green"),
		person("two things", "174", "Blonde", "Blue"),
		person("child", "174", "Brown", "Blue", agency.KidsID),
		teen, man,
	}
	for _, everywhere := range []bool{false, true} {
		roster := rosterOf(refs(list), everywhere)
		near := func(f agency.Filter, n int) map[string]agency.Measure {
			misses := map[string]agency.Measure{}
			for _, miss := range roster.NearMisses(f, n, today) {
				misses[miss.Talent.ID] = miss.Misses
			}
			return misses
		}
		women := agency.Filter{Board: agency.Models}.Cleared().WithGender(agency.Woman)
		asked := women.WithHeights(175, 180).WithHair(hairOf("brown")).WithEyes(eyesOf("blue"))
		assert.Equal(t, map[string]agency.Measure{
			"1.5 shorter": agency.Height, "2 taller": agency.Height, "4 shorter": agency.Height,
			"blonde": agency.Hair, "green eyes": agency.Eyes,
		}, near(asked, 9))
		assert.Equal(t, map[string]agency.Measure{"1.5 shorter": agency.Height, "2 taller": agency.Height},
			near(asked, 2), "the limit keeps the nearest")
		assert.Equal(t, map[string]agency.Measure{"4 shorter": agency.Height},
			near(asked.WithHeights(175, 0).WithName("4 sh"), 9), "near misses must match the name")
		assert.Empty(t, near(women, 9), "without a relaxable filter there are no near misses")
		assert.Empty(t, near(asked.WithCategory(agency.Kids), 9), "kids are never suggested")
	}
}

func hairOf(names ...string) agency.Families { return agency.FamiliesOf(agency.HairFamilies, names) }

func eyesOf(names ...string) agency.Families { return agency.FamiliesOf(agency.EyeFamilies, names) }

func TestWhoIsNearestInHeightIsAnAdultOfTheBoard(t *testing.T) {
	today := time.Date(2026, time.November, 22, 0, 0, 0, 0, time.UTC)
	person := func(id, height, hair string, categories ...agency.CategoryID) *agency.Talent {
		t := &agency.Talent{ID: id, Name: id, Measures: agency.Measures{Height: height, Hair: hair}}
		for _, category := range append(categories, agency.ModelsID) {
			t.Categories = append(t.Categories, agency.Category{ID: category})
		}
		return t
	}
	teen := person("teen", "190", "Black")
	teen.Birthdate = today.AddDate(-16, 0, 0)
	roster := rosterOf([]*agency.Talent{
		person("small", "165", "Black"), person("tall", "181", "Black"), person("red", "178", "Red"),
		person("child", "195", "Black", agency.KidsID), person("unknown", "", "Black"), teen,
	}, false)
	models := agency.Filter{Board: agency.Models}.Cleared()
	assert.Equal(t, "tall", roster.Nearest(models.WithHeights(200, 0), today).ID)
	assert.Equal(t, "small", roster.Nearest(models.WithHeights(0, 150), today).ID)
	assert.Equal(t, "red", roster.Nearest(models.WithHeights(200, 0).WithHair(hairOf("red")), today).ID)
	assert.Equal(t, "tall", roster.Nearest(models.WithHeights(200, 0).WithHair(hairOf("blonde")), today).ID,
		"hair counts only if anybody has it")
	assert.Nil(t, roster.Nearest(models.WithHair(hairOf("blonde")), today), "no height was asked for")
}

func TestFutureFaceShowsNoKids(t *testing.T) {
	face := agency.Category{ID: 7, Name: "new faces"}
	list := refs([]agency.Talent{
		{ID: "kid", Name: "Kid", Cover: agency.Picture{File: "a.jpg"},
			Categories: []agency.Category{face, {ID: agency.KidsID}}},
		{ID: "adult", Name: "Adult", Cover: agency.Picture{File: "b.jpg"}, Categories: []agency.Category{face}},
	})
	assert.Equal(t, []string{"adult"}, idsOf(rosterOf(list, false).NewFaces(5)))
	assert.Equal(t, []string{"kid", "adult"}, idsOf(rosterOf(list, true).NewFaces(5)))
}

func idsOf(list []*agency.Talent) (ids []string) {
	for _, t := range list {
		ids = append(ids, t.ID)
	}
	return ids
}
