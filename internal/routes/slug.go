package routes

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// letters without a decomposition that a slug writes with plain ones.
var letters = strings.NewReplacer(
	"ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ð", "d", "þ", "th", "ł", "l", "ı", "i")

// fold writes letters in lower case, without accents or with what stands for them; accents stand behind their letter.
func fold(text string) string { return norm.NFD.String(letters.Replace(strings.ToLower(text))) }

// folded has fold's answer for each letter of European languages: every card of a board has a slug or two.
var folded = sync.OnceValue(func() []string {
	const end = '\u0250' // of Latin Extended-B
	table := make([]string, end)
	for r := range table {
		table[r] = fold(string(rune(r)))
	}
	return table
})

// Slug writes a name for an address: lower case, without accents, words joined by "-". A name
// that has nothing of that alphabet becomes "talent", so that an address is never short of a part.
func Slug(name string) string {
	var slug strings.Builder
	slug.Grow(min(len(name), longestSlug))
	gap := false
	table := folded()
	for _, letter := range name {
		plain := ""
		if int(letter) < len(table) {
			plain = table[letter]
		} else {
			plain = fold(string(letter))
		}
		for _, r := range plain {
			switch {
			case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
				if gap && slug.Len() > 0 {
					slug.WriteByte('-')
				}
				gap = false
				slug.WriteRune(r)
			case unicode.Is(unicode.Mn, r) || r == '\'' || r == '’':
				// an accent, or an apostrophe inside a word
			default:
				gap = true
			}
			if slug.Len() >= longestSlug {
				return slug.String()
			}
		}
	}
	if slug.Len() == 0 {
		return "talent"
	}
	return slug.String()
}

const longestSlug = 80
