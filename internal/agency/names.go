package agency

import (
	"slices"
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

// Resembles reports whether each word of part begins a word of name, but for one typing error in a word of four letters
// or more. Both are folded.
func Resembles(name, part string) bool {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	for typed := range strings.FieldsSeq(part) {
		if !slices.ContainsFunc(words, func(word string) bool { return nearlyBegins([]rune(word), []rune(typed)) }) {
			return false
		}
	}
	return part != ""
}

// nearlyBegins reports whether typed begins word, or would without one letter that is wrong, too many, missing or
// swapped with the next.
func nearlyBegins(word, typed []rune) bool {
	i := 0
	for i < min(len(word), len(typed)) && word[i] == typed[i] {
		i++
	}
	begins := func(inWord, inTyped int) bool {
		return inWord <= len(word) && inTyped <= len(typed) &&
			strings.HasPrefix(string(word[inWord:]), string(typed[inTyped:]))
	}
	if i == len(typed) || len(typed) < 4 {
		return i == len(typed)
	}
	swapped := i+1 < min(len(word), len(typed)) && word[i] == typed[i+1] && word[i+1] == typed[i]
	return begins(i+1, i+1) || begins(i, i+1) || begins(i+1, i) || swapped && begins(i+2, i+2)
}
