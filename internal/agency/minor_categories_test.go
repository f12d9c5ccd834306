package agency

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCategoriesOfMinorsAreKnownByTheirNames(t *testing.T) {
	for _, name := range []string{
		// English
		"Kids", "kid", "Girls", "girl", "Boys", "Teens", "Teenagers", "TEENS 13-17", "Pre-teens", "Pre teens",
		"Preteens", "Tweens", "Child", "Children", "Childrens", "Babies", "Infants", "Newborn",
		"New born babies", "Toddlers", "Minors", "minor models", "Junior models", "Juniors", "Youth",
		"Young talents", "Schoolgirls", "Adolescents", "Juveniles", "Underage", "Under-age", "Girls & Boys",
		"Kids/Teens", "TeenModels", "teenmodels", "kids_and_teens", "Minis", "Littles", "Kidswear",
		// Portuguese
		"Menor", "Menores", "Menor de idade", "Modelos Mirins", "Mirim", "Garoto", "Garotos", "Garotas", "Meninas",
		"Meninos", "Crianças", "Criança", "Infantil", "Infanto-juvenil", "Juvenil", "Jovem", "Jovens", "Adolescentes",
		"Modelos júnior", "Juniores", "Bebês", "Bebê modelo", "Recém-nascidos", "Recém nascida",
		"Pré-adolescentes", "Pequenos",
		"Guris", "Neném", "Debutantes",
		// Spanish
		"Chicos", "Chicas", "Niños", "niñas", "Niñez", "Jóvenes", "Recién nacidos", "Peques", "Pequeños",
		"Preadolescentes", "Bebés", "Muchachos", "Nenas", "Chiquitos", "Infantiles", "Menores de edad",
		// French
		"Enfants", "Enfant", "Ados", "Adolescents", "Jeunes", "Bébés", "Mineurs", "Mineures", "Filles", "Garçons",
		"Fillettes", "Tout-petits", "Nouveau-né", "Préados",
		// ages
		"Under 18", "Under-16", "U18", "Sub-18", "Sub 15", "-18", "<18", "0-12 years", "0–12", "13-17", "13 - 17",
		"13 to 17", "de 13 a 17 anos", "13 à 17 ans", "Models (13-17)", "6 months", "6 meses", "12 anos", "16 años",
		"12 years", "16yo", "16+", "moins de 18 ans", "menores de 18", "menos de 18", "até 17", "17 and under",
		"16-25",
		// in disguise
		"K\u200bids", "Ki\u00adds", "Ni&ntilde;os", "K-I-D-S", "Te-ens", "Tod dlers", "New-born", "Schul kids",
		"Niña",
		"Ni&amp;ntilde;os", "Ｋｉｄｓ", "\u212aids", "nin\u0303os", "K I D S K\u200bids", "Teens\u202c",
	} {
		assert.True(t, MinorCategories{}.Named(name), "%q is of minors", name)
	}
	for _, name := range []string{
		"men", "women", "main board", "make and hair", "photographer", "stylist", "influencers", "fluid", "curve",
		"fit", "life", "petite", "big and tall", "development", "international", "fashion", "comercial", "new faces",
		"plus size", "singers", "business professional talent", "models", "creative", "Menorca", "Chicago",
		"Fifty Plus", "Main board", "New faces", "Petite", "Petites", "50+", "18+", "18-25", "Over 40", "Board 2",
		"Top 10", "Class of 2026", "2026", "Size 6-12", "UK 8-16", "Plus 14+", "Curve 12-18", "40-50", "Young adults",
		"Jovens adultos", "Actors", "Classic", "Mature", "Senior", "Seniors", "Silver", "Mulheres", "Homens",
		"Atores",
		"Mujeres", "Hombres", "Actrices", "Femmes", "Hommes", "Comédiens", "Moda", "Fitness", "Hands", "Parts",
		"Runway", "Commercial", "Lifestyle", "Dancers", "Minimal", "Ministry", "Adobe", "Adonis", "Chicane",
		"Filament", "Kidman", "Boyd", "Playboy", "Cowboys", "2020-05-12 09:10:00", "2012-11-03T10:10:10.000000Z",
		"Mixed", "Nineties", "", "Мужчины", "550e8400-e29b-41d4-a716-446655440000", "Babel", "Management",
		"Minas Gerais", "Yard 12/16", "Nina", "NENA", "Junior", "Kidane", "Boyan", "Teena", "Infante", "Bebel",
		"Garotto",
		"Childers", "Pequeneza",
	} {
		assert.False(t, MinorCategories{}.Named(name), "%q is not of minors", name)
	}
}

func TestTheOperatorSettlesWhatANameDoesNotSay(t *testing.T) {
	settled, err := ParseMinorCategories("Peças, 77,!Garotas,!1940,!1909,!78")
	require.NoError(t, err)
	for category, ofMinors := range map[Category]bool{
		{ID: 5, Name: "PECAS"}:        true,
		{ID: 77, Name: "new"}:         true,
		{ID: 5, Name: "garotas"}:      false,
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
