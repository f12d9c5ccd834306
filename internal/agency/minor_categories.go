package agency

import (
	"errors"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"zedcard/i18n"
)

// MinorCategories says which categories are of minors: a category by its name, unless the operator settled it
// (MINOR_CATEGORIES). The zero value goes by names alone.
type MinorCategories struct {
	settled map[string]bool // by id or folded name: whether it is of minors
	words   map[string]bool // folded, of languages that the site alone brings
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
	return MinorCategories{settled: settled}, nil
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
	return c.ID == KidsID || m.Named(c.Name) || c.Minors
}

// minorWords are the folded words for minors of the program's languages. Each language brings its own (minors.words).
var minorWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, lang := range i18n.Provided() {
		text, _ := lang.Original(minorsKey)
		addWords(words, text)
	}
	return words
})

// minorsKey is the key of the words for minors, with | between them.
const minorsKey = "minors.words"

func addWords(words map[string]bool, text string) {
	for word := range strings.SplitSeq(text, "|") {
		words[joined(foldCategory(word))] = true
	}
	delete(words, "")
}

// With adds the words for minors that a site's own texts bring.
func (m MinorCategories) With(texts i18n.Overrides) MinorCategories {
	m.words = map[string]bool{}
	for _, own := range texts {
		addWords(m.words, own[minorsKey].Text)
	}
	return m
}

// givenNames are words for minors that are names of adults, too: nobody can tell a category of this one word.
var givenNames = strings.Fields("nina nena nene chico chica junior ado bebe baby young mini minor filho guri debutante")

// MayBeName reports whether the name of a category is a word for minors that is also a given name, such as Nina: that
// is asked for, not guessed. Niña is none.
func MayBeName(name string) bool {
	return slices.Contains(givenNames, joined(foldCategory(name))) && !strings.ContainsAny(name, "ñÑ")
}

// joined is a text without hyphens and blanks: people write new-born, new born and newborn.
func joined(folded string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, folded)
}

// youngAdults are phrases with a word for minors that mean adults.
var youngAdults = regexp.MustCompile(
	`\b(young(er)? adults?|jove(m|ns) adult[oa]s?|adult[oa]s? jove(m|ns|nes)|joven(es)? adult[oa]s?|` +
		`jeunes? adultes?)\b`)

// Named reports whether the name of a category is one of minors: "Kids", "TEENS 13-17", "Under 18". Words are compared
// whole, and adjacent ones as if they were written together.
func (m MinorCategories) Named(name string) bool {
	if MayBeName(name) {
		return false
	}
	folded := youngAdults.ReplaceAllString(foldCategory(name), " ")
	parts := strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) })
	for from := range parts {
		word := ""
		for _, part := range parts[from:min(len(parts), from+maxParts)] {
			if word += part; minorWords()[word] || m.words[word] {
				return true
			}
		}
	}
	return namesMinorAge(folded)
}

// maxParts is in how many parts a word may be written: K I D S.
const maxParts = 12

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

// foldCategory is Fold for a name that may hold entities, invisible characters, words written together (TeenModels) and
// any dash.
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
	return Fold(wordEnd.ReplaceAllString(name, "$1 $2"))
}

// wordEnd is where a small letter is followed by a capital one.
var wordEnd = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)
