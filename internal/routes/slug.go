package routes

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// letters maps letters that Unicode does not decompose to plain ones.
var letters = strings.NewReplacer(
	"ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ð", "d", "þ", "th", "ł", "l", "ı", "i")

// fold writes letters in lower case and decomposed, so that accents follow their letter.
func fold(text string) string { return norm.NFD.String(letters.Replace(strings.ToLower(text))) }

// foldTable caches fold for each letter of European languages, because every card of a board needs slugs.
var foldTable = sync.OnceValue(func() []string {
	const end = '\u0250' // of Latin Extended-B
	table := make([]string, end)
	for r := range table {
		table[r] = fold(string(rune(r)))
	}
	return table
})

// Slug writes a name for an address: lower case, without accents, words joined by "-". A name without Latin letters or
// digits becomes "talent", so that no part of an address is empty.
func Slug(name string) string {
	var slug strings.Builder
	slug.Grow(min(len(name), maxSlugLength))
	wordEnded := false
	table := foldTable()
	for _, letter := range name {
		folded := ""
		if int(letter) < len(table) {
			folded = table[letter]
		} else {
			folded = fold(string(letter))
		}
		for _, r := range folded {
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
				return slug.String()
			}
		}
	}
	if slug.Len() == 0 {
		return "talent"
	}
	return slug.String()
}

const maxSlugLength = 80
