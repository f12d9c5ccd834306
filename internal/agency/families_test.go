package agency

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The values of the form's lists and their translations.
func TestColoursHaveOneFamilyInEveryLanguage(t *testing.T) {
	hair := map[string]string{
		"black": "Black|Preto|Negro; Blue Black|Preto azulado|Negro azulado; Jet Black",
		"brown": "Dark Brown|Castanho escuro|Castaño oscuro; Brown|Castanho|Castaño; Light Brown|Castanho " +
			"claro|Castaño claro;" +
			"Ash Brown|Castanho acinzentado|Castaño ceniza; Golden Brown|Castanho dourado|Castaño dorado;" +
			"Chocolate|Chocolate|Chocolate; Caramel|Caramelo|Caramelo; Chestnut|Medium Brown|Brunette",
		"red": "Auburn|Castanho avermelhado|Castaño rojizo; Mahogany|Acaju|Caoba; Copper|Acobreado|Cobrizo; " +
			"Red|Ruivo|Pelirrojo;" +
			"Dark Red|Ruivo escuro|Pelirrojo oscuro; Ginger|Redhead|dark-red",
		"blonde": "Strawberry Blonde|Loiro avermelhado|Rubio rojizo; Dark Blonde|Loiro escuro|Rubio oscuro; " +
			"Blonde|Loiro|Rubio;" +
			"Light Blonde|Loiro claro|Rubio claro; Golden Blonde|Loiro dourado|Rubio dorado; Platinum " +
			"Blonde|Loiro platinado|Rubio platino; Blond|BLONDE",
		"grey":  "Salt and Pepper|Grisalho|Entrecano; Grey|Cinza|Gris; White|Branco|Blanco; Gray|Silver",
		"other": "Fantasy Colour|Colorido (fantasia)|Color fantasía; Bald|Careca|Calvo; Multicolored|Coloured|?x",
	}
	eyes := map[string]string{
		"brown": "Black|Preto|Negro; Dark Brown|Castanho escuro|Marrón oscuro; Brown|Castanho|Marrón; Light " +
			"Brown|Castanho claro|Marrón claro",
		"amber": "Hazel|Avelã|Avellana; Amber|Âmbar|Ámbar; Honey|Mel|Miel",
		"green": "Green|Verde|Verde; Light Green|Verde claro; Dark Green|Verde escuro|Verde oscuro; Blue " +
			"Green|Verde azulado",
		"blue": "Blue|Azul; Light Blue|Azul claro; Dark Blue|Azul escuro|Azul oscuro; Blue Grey|Azul " +
			"acinzentado|Azul grisáceo",
		"grey":  "Grey|Cinza|Gris|Gray",
		"other": "Heterochromia|Heterocromia|Heterocromía",
	}
	check := func(families []string, table map[string]string, family func(string) string) {
		for _, want := range families {
			for _, text := range strings.FieldsFunc(table[want], func(r rune) bool { return r == '|' || r == ';' }) {
				assert.Equal(t, want, family(text), "%q", text)
			}
		}
		assert.Len(t, families, len(table))
		assert.Empty(t, family(" "))
	}
	check(HairFamilies, hair, HairFamily)
	check(EyeFamilies, eyes, EyeFamily)
}
