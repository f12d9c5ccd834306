package agency

import (
	"slices"
	"strings"
	"unicode"
)

// Families of colours that a list can be filtered by, in the order in which they are offered. The back end has many
// more colours than a visitor would choose from.
var (
	HairFamilies = []string{"black", "brown", "red", "blonde", "grey", "other"}
	EyeFamilies  = []string{"brown", "blue", "green", "grey", "amber", "other"}
)

// Families is a set of HairFamilies or EyeFamilies, by their position: none means any.
type Families uint8

// FamiliesOf are those of a list that are named; other names are left out.
func FamiliesOf(all, names []string) (chosen Families) {
	for i, family := range all {
		if slices.Contains(names, family) {
			chosen |= 1 << i
		}
	}
	return chosen
}

// Of are the names of a set, in the order of the list.
func (chosen Families) Of(all []string) []string {
	var names []string
	for i, family := range all {
		if chosen>>i&1 == 1 {
			names = append(names, family)
		}
	}
	return names
}

// word assigns texts with a word that begins with prefix (folded) to a family.
type word struct{ prefix, family string }

// The first match decides, so more specific words come first: strawberry blonde is blonde, and auburn is red, although
// Portuguese calls it a reddish brown.
var hairWords = []word{
	{"blond", "blonde"}, {"loir", "blonde"}, {"rubi", "blonde"}, {"platin", "blonde"},
	{"salt", "grey"}, {"grisalh", "grey"}, {"entrecan", "grey"},
	{"silver", "grey"}, {"white", "grey"}, {"branc", "grey"}, {"blanc", "grey"},
	{"auburn", "red"}, {"avermelhad", "red"}, {"rojiz", "red"}, {"mahogany", "red"}, {"acaju", "red"}, {"caoba", "red"},
	{"copper", "red"}, {"acobr", "red"}, {"cobr", "red"}, {"ginger", "red"}, {"ruiv", "red"}, {"pelirroj", "red"},
	{"black", "black"}, {"pret", "black"}, {"negr", "black"},
	{"brown", "brown"}, {"brunet", "brown"}, {"castan", "brown"}, {"chestnut", "brown"},
	{"chocolate", "brown"}, {"caramel", "brown"}, {"moren", "brown"},
	{"grey", "grey"}, {"gray", "grey"}, {"cinza", "grey"}, {"gris", "grey"},
	{"red", "red"},
}

var eyeWords = []word{
	{"hazel", "amber"}, {"avela", "amber"}, {"avellana", "amber"}, {"amber", "amber"},
	{"ambar", "amber"}, {"honey", "amber"}, {"mel", "amber"}, {"miel", "amber"},
	{"green", "green"}, {"verde", "green"},
	{"blue", "blue"}, {"azul", "blue"},
	{"grey", "grey"}, {"gray", "grey"}, {"cinza", "grey"}, {"gris", "grey"},
	{"brown", "brown"}, {"castan", "brown"}, {"marron", "brown"},
	{"black", "brown"}, {"pret", "brown"}, {"negr", "brown"},
}

// HairFamily is the family of a hair colour as the back end gave it, in any of the site's
// languages: one of HairFamilies, "" for an empty text.
func HairFamily(text string) string { return family(hairWords, text) }

// EyeFamily is the family of an eye colour, like HairFamily: one of EyeFamilies.
func EyeFamily(text string) string { return family(eyeWords, text) }

func family(words []word, text string) string {
	tokens := strings.FieldsFunc(Fold(text), func(r rune) bool { return !unicode.IsLetter(r) })
	if len(tokens) == 0 {
		return ""
	}
	for _, w := range words {
		if slices.ContainsFunc(tokens, func(token string) bool { return strings.HasPrefix(token, w.prefix) }) {
			return w.family
		}
	}
	return "other"
}
