package i18n

import (
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

// Base is the language without its region: pt for pt-PT. It falls back to that one's texts.
func (l Lang) Base() Lang {
	base, _, _ := strings.Cut(string(l), "-")
	return Lang(base)
}

// Region is the country of a regional language, empty for others.
func (l Lang) Region() string { return strings.TrimPrefix(string(l[len(l.Base()):]), "-") }

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
func (l *Language) Name() string { return l.name }

// NameOf is what another language is called in this one: French, francês.
func (l Lang) NameOf(other Lang) string {
	return display.Languages(language.Make(string(l))).Name(language.Make(string(other.Base())))
}

// Locale is the language with its country, as Open Graph names it: pt_BR.
func (l *Language) Locale() string { return l.locale }

// Option is the field that holds the language's words in the options of the integration back end: value, which is
// English, label or value2.
func (l Lang) Option() string {
	return map[Lang]string{ES: "label", PT: "value2"}[l.Base()]
}
