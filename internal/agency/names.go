package agency

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// baseLetters folds Latin letters with a stroke or ligature, which Unicode does not decompose.
var baseLetters = strings.NewReplacer(
	"ø", "o", "æ", "ae", "œ", "oe", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ħ", "h", "ı", "i", "ŧ", "t", "ŋ", "n",
)

// Fold is a text without accents, case and superfluous white space, for comparing names.
func Fold(text string) string {
	text = cases.Fold().String(norm.NFKD.String(text))
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(baseLetters.Replace(text)), " ")
}

// Letter is the letter under which a name is listed: its first letter without accents, "" where
// that is none of A to Z.
func Letter(name string) string {
	for _, r := range Fold(name) {
		if !unicode.IsLetter(r) || unicode.Is(unicode.Lm, r) {
			continue
		}
		if letter := string(unicode.ToUpper(r)); isLetter(letter) {
			return letter
		}
		return ""
	}
	return ""
}
