package i18n

import (
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// pluralNames are CLDR's names of the plural forms, which end the keys of texts with a number: list.count.few.
var pluralNames = map[plural.Form]string{
	plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many",
	plural.Other: "other",
}

// pluralForm is the form of a whole number in a language.
func pluralForm(tag language.Tag, n int) string {
	return pluralNames[plural.Cardinal.MatchPlural(tag, max(n, -n)%10_000_000, 0, 0, 0, 0)]
}

// N is the text for a number of things: that of the number's plural form, with {n} filled in.
func (l *Language) N(key string, n int, pairs ...string) string {
	return l.T(l.Form(key, n), append(pairs, "n", l.Integer(n))...)
}

// Form is the key of the text for a number of things: the language's own, its most general one where it lacks that, or
// the English.
func (l *Language) Form(key string, n int) string {
	for _, form := range []string{pluralForm(l.tag, n), "other", "many", "few"} {
		if own := key + "." + form; l.Has(own) {
			return own
		}
	}
	return key + "." + pluralForm(language.English, n)
}

// Plurals are the forms that a language has for whole numbers, by CLDR: one and other in English, one, few and many in
// Polish, whose other is of fractions. Beside a form stands the number that alone has it, or -1.
func (l Lang) Plurals() map[string]int {
	tag, forms := language.Make(string(l)), map[string]int{}
	for n := range 1000 {
		form := pluralForm(tag, n)
		if _, more := forms[form]; more {
			n = -1
		}
		forms[form] = n
	}
	return forms
}

// Counted are the text and the form of a key such as list.count.few; of a text without plurals the form is empty.
func Counted(key string) (text, form string) {
	at := max(strings.LastIndex(key, "."), 0)
	text, form = key[:at], strings.TrimPrefix(key[at:], ".")
	_, one := EN.Original(text + ".one") // hair.other is another colour: it has no "one"
	_, other := EN.Original(text + ".other")
	isForm := func(name string) bool { return name == form }
	if !one || !other || !slices.ContainsFunc(slices.Collect(maps.Values(pluralNames)), isForm) {
		return key, ""
	}
	return text, form
}

// Wanted are the keys of the texts that a language needs, in order: the English ones, with its own plural forms.
func (l Lang) Wanted() (keys []string) {
	forms := slices.Collect(maps.Keys(l.Plurals()))
	for _, key := range Of(EN).Keys() {
		switch text, form := Counted(key); form {
		case "":
			keys = append(keys, key)
		case "one": // for all of them
			for _, own := range forms {
				keys = append(keys, text+"."+own)
			}
		}
	}
	slices.Sort(keys)
	return keys
}

// Placeholders are those that a text of this language must have; false: it has no text of the key. A form of one number
// alone may be without it, as "one thing": then the text is taken as if it had it.
func (l Lang) Placeholders(key, written string) (wanted, found []string, known bool) {
	english, known := EN.Original(key)
	found = Placeholders(written)
	if text, form := Counted(key); form != "" {
		english, _ = EN.Original(text + ".other")
		only, isOwn := l.Plurals()[form]
		known = known || isOwn
		if !slices.Contains(found, "n") && (only >= 0 || !isOwn) {
			found = append(found, "n")
			slices.Sort(found)
		}
	}
	return Placeholders(english), found, known
}

// forEditors begin the keys of texts that no visitor sees: editors do, and who reads the inbox.
var forEditors = []string{"fault.", "inbox.", "copy.", "content.", "held.", "mail."}

// known are the keys of what is known of every language, or taken as in English.
var known = []string{"language.name", "language.locale", "language.number", "language.thousand", "letters.alphabet"}

// MayLack reports whether a language of a site's own may be without a text, which is then in English.
func MayLack(key string) bool {
	isForEditors := slices.ContainsFunc(forEditors, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
	return isForEditors || slices.Contains(known, key)
}
