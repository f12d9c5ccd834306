package catalog

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/agency"
)

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
