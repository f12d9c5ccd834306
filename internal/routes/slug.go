package routes

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const maxSlugLength = 80

// letters maps letters that Unicode does not decompose to plain ones.
var letters = strings.NewReplacer(
	"ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ð", "d", "þ", "th", "ł", "l", "ı", "i")

// Slug writes a name for an address: lower case, without accents, words joined by "-". A name without Latin letters or
// digits becomes "talent", so that no part of an address is empty.
func Slug(name string) string {
	var slug strings.Builder
	wordEnded := false
	for _, r := range norm.NFD.String(letters.Replace(strings.ToLower(name))) {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			if wordEnded && slug.Len() > 0 {
				slug.WriteByte('-')
			}
			wordEnded = false
			slug.WriteRune(r)
		case unicode.Is(unicode.Mn, r) || r == '\'' || r == '’':
			// an accent, or an apostrophe inside a word
		default:
			wordEnded = true
		}
		if slug.Len() >= maxSlugLength {
			break
		}
	}
	if slug.Len() == 0 {
		return "talent"
	}
	return slug.String()
}
