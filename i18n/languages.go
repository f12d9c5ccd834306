package i18n

import (
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Lang is the BCP 47 tag of a language, as in the html lang attribute: pt, pt-PT.
type Lang string

// Languages that the program names. What no other language has is shown in English.
const (
	EN Lang = "en"
	PT Lang = "pt"
	ES Lang = "es"
)

// Langs are the languages of the site in the order of the language switch.
func Langs() []Lang { return current.Load().langs }

// First is the language of the site whose addresses have no prefix.
func First() Lang { return Langs()[0] }

// Codes are Langs as texts.
func Codes() []string {
	var all []string
	for _, lang := range Langs() {
		all = append(all, string(lang))
	}
	return all
}

// Parse returns the site's language with this tag, or with its tag without the region; false where the site has none.
func Parse(text string) (Lang, bool) {
	langs := Langs()
	at := slices.IndexFunc(langs, func(l Lang) bool { return strings.EqualFold(string(l), text) })
	if at < 0 {
		at = slices.IndexFunc(langs, func(l Lang) bool { return string(l.Base()) == text })
	}
	if at < 0 {
		return "", false
	}
	return langs[at], true
}

// Base is the language without its region: pt for pt-PT. It falls back to that one's texts.
func (l Lang) Base() Lang {
	base, _, _ := strings.Cut(string(l), "-")
	return Lang(base)
}

// Region is the country of a regional language, empty for others.
func (l Lang) Region() string { return strings.TrimPrefix(string(l[len(l.Base()):]), "-") }

// Prefix is what the language's addresses begin with: nothing for the first, else a slash and its tag without the
// region.
func (l Lang) Prefix() string {
	if l == First() {
		return ""
	}
	return "/" + string(l.Base())
}

// In is the entry for the language: its own, or that of the language without its region, or the English one.
func In[T comparable](entries map[Lang]T, l Lang) T {
	var none T
	for _, lang := range []Lang{l, l.Base()} {
		if entry := entries[lang]; entry != none {
			return entry
		}
	}
	return entries[EN]
}

// Name is what the language is called by those who speak it.
func (l Lang) Name() string { return l.language().name }

// NameOf is what another language is called in this one: French, francês.
func (l Lang) NameOf(other Lang) string {
	return display.Languages(language.Make(string(l))).Name(language.Make(string(other.Base())))
}

// Locale is the language with its country, as Open Graph names it: pt_BR.
func (l Lang) Locale() string { return l.language().locale }

// Option is the field that holds the language's words in the options of the integration back end: value, which is
// English, label or value2.
func (l Lang) Option() string {
	return map[Lang]string{ES: "label", PT: "value2"}[l.Base()]
}
