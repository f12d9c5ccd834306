package agency

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCategoriesOfMinorsAreKnownByTheirNames(t *testing.T) {
	for _, name := range []string{
		"Kids", "girl", "TEENS 13-17", "Pre teens", "New born babies", "Under-age", "Girls & Boys", "Kids/Teens",
		"Menor de idade", "Modelos Mirins", "Crianças", "Infanto-juvenil", "Modelos júnior", "Recém-nascidos",
		"Niños", "niñas", "Jóvenes", "Recién nacidos", "Preadolescentes", "Ni&ntilde;os", "K\u200bids", "Ｋｉｄｓ",
		"Enfants", "Bébés", "Fillettes", "Tout-petits", "Nouveau-né", "Filles", "kids_and_teens",
		"Under 18", "U18", "Sub-18", "-18", "<18", "0-12 years", "0–12", "13 - 17", "de 13 a 17 anos", "6 meses",
		"16yo",
		"16+", "moins de 18 ans", "até 17", "16-25",
		"Nina", "Junior", "Chicas", "Young adults", "Board 2", "Size 6-12", // in doubt
	} {
		assert.True(t, MinorCategories{}.Named(name), "%q is of minors", name)
	}
	for _, name := range []string{
		"women", "main board", "make and hair", "curve", "petite", "big and tall", "new faces", "Menorca", "Chicago",
		"Fifty Plus", "50+", "18+", "+18", "18-25", "Over 40", "Class of 2026", "2026", "40-50", "Senior", "Homens",
		"Mujeres", "Femmes", "Comédiens", "Minimal", "Adonis", "Kidman", "Cowboys", "Nineties", "", "Мужчины", "Babel",
		"99999999999999999999",
	} {
		assert.False(t, MinorCategories{}.Named(name), "%q is not of minors", name)
	}
}

func TestTheOperatorSettlesWhatANameDoesNotSay(t *testing.T) {
	settled, err := ParseMinorCategories("Peças, 77,!Nina,!1940,!1909,!78")
	require.NoError(t, err)
	for category, ofMinors := range map[Category]bool{
		{ID: 5, Name: "PECAS"}:        true,
		{ID: 77, Name: "new"}:         true,
		{ID: 5, Name: "NINA"}:         false,
		{ID: 1940, Name: "Kids wear"}: false,
		{ID: 78, Name: "Peças"}:       false,
		{ID: 5, Name: "Kids"}:         true,
		{ID: 5, Name: "Women"}:        false,
		{ID: KidsID, Name: "x"}:       true,
	} {
		assert.Equal(t, ofMinors, settled.Contains(category), "%v", category)
	}
	for _, wrong := range []string{"", ",", "a,,b", "!", "Peques,!peques"} {
		_, err := ParseMinorCategories(wrong)
		assert.Error(t, err, "%q", wrong)
	}
}
