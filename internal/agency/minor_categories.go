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

// MinorCategories says which categories are of minors: kids, one with a word for minors, one that names an age below
// 18; in doubt it is. The operator may settle it (MINOR_CATEGORIES). The zero value goes by names alone.
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
				"those behind a ! are not of minors, such as Stars,!Nina")
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
		words[joined.Replace(foldCategory(word))] = true
	}
	delete(words, "")
}

// joined writes together what is one word for minors, as tout-petits.
var joined = strings.NewReplacer("-", "", " ", "")

// With adds the words for minors that a site's own texts bring.
func (m MinorCategories) With(texts i18n.Overrides) MinorCategories {
	m.words = map[string]bool{}
	for _, own := range texts {
		addWords(m.words, own[minorsKey].Text)
	}
	return m
}

// Named reports whether the name of a category is one of minors: "Kids", "TEENS 13-17", "Under 18".
func (m MinorCategories) Named(name string) bool {
	return m.HasWord(name) || namesMinorAge(foldCategory(name))
}

// HasWord reports whether a word of a text, or two that stand side by side, such as "new born", are one for minors.
func (m MinorCategories) HasWord(text string) bool {
	before := ""
	for _, word := range strings.FieldsFunc(foldCategory(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		for _, whole := range []string{word, before + word} {
			if minorWords()[whole] || m.words[whole] {
				return true
			}
		}
		before = word
	}
	return false
}

// numbers are a number, or two with a dash between them, and the sign for what is above it.
var numbers = regexp.MustCompile(`(\+ ?)?(\d+)(?: ?(\+)| ?[-–—] ?(\d+))?`)

// namesMinorAge reports whether a text has a number that may be an age below 18: "0-12 years", "13-17", "16+", and 18
// itself, as in "Under 18", but for "18+" and "18-25".
func namesMinorAge(text string) bool {
	for _, found := range numbers.FindAllStringSubmatch(text, -1) {
		from, _ := strconv.Atoi(found[2]) // of digits; the largest there is where they are too many
		to, _ := strconv.Atoi(found[4])
		isOpen := found[1]+found[3] != "" || to > AdultAge
		if from < AdultAge || from == AdultAge && !isOpen || found[4] != "" && to < AdultAge {
			return true
		}
	}
	return false
}

// foldCategory is Fold for a name that may hold entities and invisible characters.
func foldCategory(name string) string {
	return Fold(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, html.UnescapeString(name)))
}
