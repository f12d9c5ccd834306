package agency

import (
	"strings"
	"unicode"
	"unicode/utf8"

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
	for typed := range strings.FieldsSeq(part) {
		found := false
		for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return !unicode.IsLetter(r) }) {
			if found = nearlyBegins(word, typed); found {
				break
			}
		}
		if !found {
			return false
		}
	}
	return part != ""
}

// nearlyBegins reports whether typed begins word, or would without one letter that is wrong, too many, missing or
// swapped with the next. It allocates nothing: a search may ask it of every talent.
func nearlyBegins(word, typed string) bool {
	forgiven := utf8.RuneCountInString(typed) >= 4
	for word != "" && typed != "" {
		w, inWord := utf8.DecodeRuneInString(word)
		t, inTyped := utf8.DecodeRuneInString(typed)
		if w == t {
			word, typed = word[inWord:], typed[inTyped:]
			continue
		}
		if !forgiven {
			return false
		}
		word2, typed2 := word[inWord:], typed[inTyped:]
		nextInWord, afterWord := utf8.DecodeRuneInString(word2)
		nextInTyped, afterTyped := utf8.DecodeRuneInString(typed2)
		swapped := afterWord > 0 && afterTyped > 0 && w == nextInTyped && t == nextInWord
		return strings.HasPrefix(word2, typed2) || strings.HasPrefix(word, typed2) || strings.HasPrefix(word2, typed) ||
			swapped && strings.HasPrefix(word2[afterWord:], typed2[afterTyped:])
	}
	return typed == "" || forgiven && utf8.RuneCountInString(typed) == 1
}
