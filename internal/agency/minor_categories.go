package agency

import (
	"errors"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// MinorCategories says which categories are of minors: a category by its name, unless the operator settled it
// (MINOR_CATEGORIES). The zero value goes by names alone.
type MinorCategories struct {
	settled map[string]bool // by id or folded name: whether it is of minors
}

// ParseMinorCategories reads a list of ids and names with commas between them: those of minors, and behind a "!" those
// that are not, whatever their name.
func ParseMinorCategories(list string) (MinorCategories, error) {
	settled := map[string]bool{}
	for item := range strings.SplitSeq(list, ",") {
		name, not := strings.CutPrefix(strings.TrimSpace(item), "!")
		key := foldCategory(name)
		if of, twice := settled[key]; key == "" || twice && of == not {
			return MinorCategories{}, errors.New("ids or names with commas between them, each once; " +
				"those behind a ! are not of minors, such as Peques,!Garotas")
		}
		settled[key] = !not
	}
	delete(settled, strconv.Itoa(int(KidsID))) // the kids board is of minors, in every setting
	return MinorCategories{settled}, nil
}

// Settled reports whether the operator said what a category is: of minors, or not. An id counts more than a name.
func (m MinorCategories) Settled(c Category) (ofMinors, settled bool) {
	if len(m.settled) == 0 || c.ID == KidsID {
		return false, false
	}
	if ofMinors, settled = m.settled[strconv.Itoa(int(c.ID))]; !settled {
		ofMinors, settled = m.settled[foldCategory(c.Name)]
	}
	return ofMinors, settled
}

// Mark notes in a talent's categories what the operator settled, and protects the talent if one is of minors.
func (m MinorCategories) Mark(t *Talent) {
	t.Categories = slices.Clone(t.Categories)
	for i, c := range t.Categories {
		ofMinors, settled := m.Settled(c)
		t.Categories[i].Adults = settled && !ofMinors
		t.Protected = t.Protected || m.Contains(c)
	}
}

// Contains reports whether a category is of minors.
func (m MinorCategories) Contains(c Category) bool {
	if ofMinors, settled := m.Settled(c); settled {
		return ofMinors
	}
	return c.ID == KidsID || IsMinorCategory(c.Name) || ofMinors(c)
}

// minorWords are folded words for minors, in English, Portuguese, Spanish and French. Where a word of adults begins
// like one of minors (menorca, chicago, petite), only the whole word counts.
var minorWords = strings.Fields(`
	kid kiddo kiddos kiddie kiddies boy boyz girl girlz girlie girlies baby babys babies minor minors junior juniors
	juniores 	youth youths youngster youngsters young younger tot tots little littles mini minis underage underaged
	schoolboy schoolboys schoolgirl schoolgirls schoolkid schoolkids schoolchild schoolchildren quinceaneras
	guri guris guria gurias moleque moleques jovem jovens mirim mirins menor menores nenem nenens filho filhos filha
	filhas debutante debutantes
	nino ninos nina ninas ninez nene nenes nena nenas chico chicos chica chicas chaval chavales crio crios pibe pibes
	piba pibas muchacho muchachos muchacha muchachas joven jovenes jovencito jovencitos jovencita jovencitas hijo hijos
	hija hijas peque peques recemnascido recemnascidos reciennacido reciennacidos quinceanera
	ado ados jeune jeunes jeunesse mineur mineurs mineure mineures fille filles fillette fillettes garcon garcons gamin
	gamins gamine gamines gosse gosses bambin bambins ecolier ecoliers ecoliere ecolieres petits
`)

// minorBeginnings are beginnings of words for minors, with which no word of adults begins.
var minorBeginnings = []string{
	"kids", "kidz", "boys", "girls", "teen", "child", "infan", "toddler", "newborn", "tween", "preteen", "juvenil",
	"juventu", "adolescen", "preado", "preadolescen",
	"crianc", "menin", "garot", "bebe", "pequen", "chiquit", "chiquill", "enfan", "nourrisson",
}

// minorPhrases are several words that together mean minors.
var minorPhrases = []string{
	"under age", "pre teen", "pre teens", "recem nascido", "recem nascidos", "recem nascida", "recem nascidas",
	"recien nacido", "recien nacidos", "recien nacida", "recien nacidas", "nouveau ne", "nouveau nes",
}

// youngAdults are phrases with a word for minors that mean adults.
var youngAdults = regexp.MustCompile(
	`\b(young(er)? adults?|jove(m|ns) adult[oa]s?|adult[oa]s? jove(m|ns|nes)|joven(es)? adult[oa]s?|` +
		`jeunes? adultes?)\b`)

// IsMinorCategory reports whether the name of a category is one of minors: "Kids", "TEENS 13-17", "Under 18".
func IsMinorCategory(name string) bool {
	folded := youngAdults.ReplaceAllString(foldCategory(name), " ")
	parts := strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) })
	for _, word := range parts {
		begins := func(beginning string) bool { return strings.HasPrefix(word, beginning) }
		if slices.Contains(minorWords, word) || slices.ContainsFunc(minorBeginnings, begins) {
			return true
		}
	}
	spaced := " " + strings.Join(parts, " ") + " "
	isPart := func(phrase string) bool { return strings.Contains(spaced, " "+phrase+" ") }
	return slices.ContainsFunc(minorPhrases, isPart) || namesMinorAge(folded)
}

// ages are how ages are written in folded names, and below which number they are of minors. A number is that of an age
// only beside one of these words or signs: "Board 2" and "Top 10" have none. Some may be sizes of clothes, too.
var ages = []struct {
	text   *regexp.Regexp
	below  int
	orSize bool
}{
	{regexp.MustCompile(`(?:\b(?:u|under|below|sub|menos de|moins de|ate|hasta|up to|jusqu'a)[ -]?` +
		`|(?:^|[ (])[-<] ?)(\d{1,2})\b`), AdultAge + 1, false},
	{regexp.MustCompile(`\b(\d{1,2}) ?(?:-|and|or|y|e|o|ou|et)? ?(?:under|younger|below|menos|moins)\b`),
		AdultAge + 1, false},
	{regexp.MustCompile(`(?:^|[^\p{N}.,+])(\d{1,2}) ?-?(?:y|yo|yrs?|years?|anos?|ans?)\b`), AdultAge, false},
	{regexp.MustCompile(`\b(\d{1,2}) ?-?(?:months?|meses|mes|mois)\b`), 100, false},
	{regexp.MustCompile(`(?:^|[^\p{L}\p{N}.,:/-])(\d{1,2}) ?\+`), AdultAge, true},
	{regexp.MustCompile(`(?:^|[^\p{L}\p{N}.,:/-])(\d{1,2}) ?(?:-|to|a|ate|hasta|y|e|et|and) ?(\d{1,2})` +
		`(?:$|[^\p{L}\p{N}.,:/-])`), AdultAge, true},
}

var sizes = regexp.MustCompile(
	`\b(sizes?|curves?|curvy|plus|uk|us|eu|tallas?|tamanhos?|manequi(m|ns)|tailles?|cm|kg|inch(es)?)\b`)

// namesMinorAge reports whether a folded name has an age below 18: "0-12 years", "13-17", "Under 18", "Sub-18", "-18".
func namesMinorAge(folded string) bool {
	if !strings.ContainsAny(folded, "0123456789") {
		return false
	}
	ofSizes := sizes.MatchString(folded)
	for _, age := range ages {
		for _, found := range age.text.FindAllStringSubmatch(folded, -1) {
			from, _ := strconv.Atoi(found[1])
			to, _ := strconv.Atoi(found[len(found)-1])
			if from < age.below && (len(found) == 2 || from < to) && !(age.orSize && ofSizes) {
				return true
			}
		}
	}
	return false
}

// lookAlikes are letters of other scripts that look like Latin ones.
var lookAlikes = strings.NewReplacer(
	"А", "a", "а", "a", "В", "b", "в", "b", "Е", "e", "е", "e", "Ё", "e", "ё", "e", "К", "k", "к", "k", "М", "m",
	"м", "m", "Н", "h", "н", "h", "һ", "h", "О", "o", "о", "o", "Р", "p", "р", "p", "С", "c", "с", "c", "Т", "t",
	"т", "t", "У", "y", "у", "y", "Ү", "y", "ү", "y", "Х", "x", "х", "x", "І", "i", "і", "i", "Ї", "i", "ї", "i",
	"Ј", "j", "ј", "j", "Ѕ", "s", "ѕ", "s", "Ԁ", "d", "ԁ", "d", "Ԛ", "q", "ԛ", "q", "Ԝ", "w", "ԝ", "w", "г", "r",
	"п", "n", "ӏ", "l", "Ӏ", "i", "ь", "b",
	"Α", "a", "α", "a", "Β", "b", "β", "b", "Ε", "e", "ε", "e", "Ζ", "z", "ζ", "z", "Η", "h", "η", "n", "Ι", "i",
	"ι", "i", "Κ", "k", "κ", "k", "Μ", "m", "μ", "u", "Ν", "n", "ν", "v", "Ο", "o", "ο", "o", "Ρ", "p", "ρ", "p",
	"σ", "o", "ς", "s", "Τ", "t", "τ", "t", "Υ", "y", "υ", "u", "Χ", "x", "χ", "x", "ω", "w", "γ", "y", "δ", "d",
	"ɑ", "a", "ɡ", "g", "ℓ", "l", "ı", "i",
)

// foldCategory is Fold for a name that may hold entities, invisible characters, look-alikes of Latin letters in Latin
// words, words written together (TeenModels) and any dash.
func foldCategory(name string) string {
	name = html.UnescapeString(html.UnescapeString(name))
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r):
			return -1
		case unicode.Is(unicode.Pd, r) || r == '−' || r == '_':
			return '-'
		}
		return r
	}, name)
	fields := strings.Fields(wordEnd.ReplaceAllString(name, "$1 $2"))
	for i, word := range fields {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Latin, r) }) {
			fields[i] = lookAlikes.Replace(word)
		}
	}
	return Fold(strings.Join(fields, " "))
}

// wordEnd is where a small letter is followed by a capital one.
var wordEnd = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)
