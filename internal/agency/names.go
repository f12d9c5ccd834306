package agency

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"zedcard/i18n"
)

// baseLetters folds Latin letters with a stroke or ligature, which Unicode does not decompose.
var baseLetters = strings.NewReplacer(
	"ø", "o", "æ", "ae", "œ", "oe", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ħ", "h", "ı", "i", "ŧ", "t", "ŋ", "n",
)

// Clean is a visitor's text as it may be shown and stored: trimmed, without control characters, marks of direction and
// others that nobody sees, which could show a name in another order or make it look like another's; with line breaks
// only if lines is set. What joins the letters of other scripts or emoji, and what makes a flag, stays.
func Clean(text string, lines bool) string {
	before := ' '
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' && lines:
		case r == '\n' || r == '\t':
			r = ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r) && !(before >= firstJoined && unicode.Is(joins, r)):
			return -1
		}
		before = r
		return r
	}, strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\r\n", "\n"))
	return strings.TrimSpace(text)
}

// firstJoined is the first letter of the scripts that have invisible joiners: Arabic, and all behind it.
const firstJoined = '\u0600'

// joins are the two joiners, and the tags that make a country's flag another one's.
var joins = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x200c, Hi: 0x200d, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0xe0020, Hi: 0xe007f, Stride: 1}},
}

// HasLetter reports whether a text has a letter that can be seen, as every name.
func HasLetter(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsLetter(r) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
	})
}

// FileName is a name as a file or folder may have it on every system.
func FileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, name)
	return strings.Trim(name, " .")
}

// Fold is a text without accents, case, joiners and superfluous white space, for comparing names.
func Fold(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0 { // most: a tenth of the time
		return strings.Join(strings.Fields(strings.ToLower(text)), " ")
	}
	text = cases.Fold().String(norm.NFKD.String(text))
	text = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Mn, unicode.Cf) {
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(baseLetters.Replace(text)), " ")
}

// Alphabet are the letters that names are listed under, in order, with blanks between them; empty: A to Z.
type Alphabet string

const latin Alphabet = "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z"

// AlphabetOf is the alphabet of a language of the site.
func AlphabetOf(lang *i18n.Language) Alphabet {
	if own := Alphabet(lang.T("letters.alphabet")); own != latin {
		return Alphabet(strings.ToUpper(string(own)))
	}
	return ""
}

// Letters are the letters in their order. One may be of several characters, as the CH of Czech.
func (a Alphabet) Letters() []string { return strings.Fields(string(cmp.Or(a, latin))) }

// Letter is the letter of the alphabet under which a name is listed: its first one, or that without accents; "" where
// it has neither.
func (a Alphabet) Letter(name string) string {
	letters := a.Letters()
	for _, begins := range []string{strings.ToUpper(norm.NFC.String(name)), strings.ToUpper(Fold(name))} {
		begins = strings.TrimLeftFunc(begins, func(r rune) bool {
			return !unicode.IsLetter(r) || unicode.Is(unicode.Lm, r)
		})
		found := ""
		for _, letter := range letters {
			if len(letter) > len(found) && strings.HasPrefix(begins, letter) {
				found = letter
			}
		}
		if found != "" {
			return found
		}
	}
	return ""
}

// Resembles reports whether each word of part begins a word of name, but for one typing error in a word of four letters
// or more. Both are folded.
func Resembles(name, part string) bool {
	for typed := range strings.FieldsSeq(part) {
		found := false
		for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return !unicode.IsLetter(r) }) {
			found = found || nearlyBegins(word, typed)
		}
		if !found {
			return false
		}
	}
	return part != ""
}

// nearlyBegins reports whether typed begins word, or would without one letter that is wrong, too many, missing or
// swapped with the next.
func nearlyBegins(word, typed string) bool {
	same := 0 // bytes at the beginning
	for same < min(len(word), len(typed)) && word[same] == typed[same] {
		same++
	}
	for same < len(typed) && !utf8.RuneStart(typed[same]) {
		same--
	}
	w, t := word[same:], typed[same:]
	_, inWord := utf8.DecodeRuneInString(w)
	_, inTyped := utf8.DecodeRuneInString(t)
	switch {
	case t == "":
		return true
	case utf8.RuneCountInString(typed) < 4:
		return false
	case w == "":
		return len(t) == inTyped
	}
	return strings.HasPrefix(w[inWord:], t[inTyped:]) || strings.HasPrefix(w, t[inTyped:]) ||
		strings.HasPrefix(w[inWord:], t) || swapped(w[:inWord], w[inWord:], t)
}

// swapped reports whether typed begins a word but for the word's first letter, which comes second.
func swapped(first, rest, typed string) bool {
	_, second := utf8.DecodeRuneInString(rest)
	typed, begins := strings.CutPrefix(typed, rest[:second])
	typed, follows := strings.CutPrefix(typed, first)
	return begins && follows && strings.HasPrefix(rest[second:], typed)
}

// GenderOf is the gender that a word or letter means, in any language of the program and the site; empty if none does,
// or both.
func GenderOf(word string, texts *i18n.Texts) (meant Gender) {
	if meant = Gender(word); meant == Woman || meant == Man || word == "" {
		return meant // nearly all
	}
	word, meant = Fold(word), ""
	for gender, key := range map[Gender]string{Woman: "field.woman", Man: "field.man"} {
		for _, lang := range texts.All() {
			for own := range strings.SplitSeq(lang.T(key), "|") {
				switch {
				case Fold(own) != word:
				case meant != "" && meant != gender:
					return ""
				default:
					meant = gender
				}
			}
		}
	}
	return meant
}
