package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/agency"
	"zedcard/internal/catalog"
)

func TestNearIsTheBoardFromTheTalentOn(t *testing.T) {
	person := func(id string, gender agency.Gender, categories ...agency.CategoryID) *agency.Talent {
		t := &agency.Talent{ID: id, Name: "N" + id, Gender: gender}
		for _, category := range categories {
			t.Categories = append(t.Categories, agency.Category{ID: category})
		}
		return t
	}
	roster := catalog.NewRoster([]*agency.Talent{
		person("1", agency.Woman, agency.ModelsID),
		person("2", agency.Man, agency.ModelsID),
		person("3", agency.Woman, agency.ModelsID),
		person("4", agency.Woman, agency.ModelsID, agency.KidsID),
		person("5", agency.Man, agency.ModelsID, agency.KidsID),
		person("6", agency.Woman, agency.ModelsID),
		person("7", agency.Woman, agency.CreativeID, 1925),
		person("8", "", agency.CreativeID, 1925),
		person("9", "", agency.CreativeID, 1924),
	}, catalog.KidsEverywhere)
	near := func(id string, n int) []string {
		var ids []string
		for _, talent := range roster.Similar(roster.ByID(id), n) {
			ids = append(ids, talent.ID)
		}
		return ids
	}
	assert.Equal(t, []string{"6", "1"}, near("3", 6), "continues from the start of the board")
	assert.Equal(t, []string{"6"}, near("3", 1))
	assert.Equal(t, []string{"5"}, near("4", 6), "kids lists have kids of both genders")
	assert.Equal(t, []string{"8"}, near("7", 6), "a creative category is its own board")
	assert.Empty(t, near("2", 6))
	gone := person("99", agency.Woman, agency.ModelsID)
	assert.Len(t, roster.Similar(gone, 6), 3, "a talent not on the roster gets the others of the board")
}
