package routes

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// letters without a decomposition that a slug writes with plain ones.
var letters = strings.NewReplacer(
	"ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ð", "d", "þ", "th", "ł", "l", "ı", "i")

// Slug writes a name for an address: lower case, without accents, words joined by "-". A name
// that has nothing of that alphabet becomes "talent", so that an address is never short of a part.
func Slug(name string) string {
	var slug strings.Builder
	gap := false
	for _, r := range norm.NFD.String(letters.Replace(strings.ToLower(name))) {
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
		if slug.Len() >= 80 {
			break
		}
	}
	if slug.Len() == 0 {
		return "talent"
	}
	return slug.String()
}
