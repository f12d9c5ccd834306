package i18n

import "slices"

// Lang is the code of a language of the site, as in the html lang attribute and in addresses.
type Lang string

// Languages that the program names. English is the default: its addresses have no prefix, and content that lacks a
// translation is shown in English. Posts of the blog are Portuguese.
const (
	EN Lang = "en"
	PT Lang = "pt"
	ES Lang = "es"
)

// Language is one language: what it is called and how it writes dates and numbers. Its texts are in CODE.json.
type Language struct {
	Code      Lang
	Name      string     // in the language itself
	Locale    string     // as Open Graph names it
	Months    [12]string // from January
	Date      string     // with {day}, {month} and {year}
	FirstDay  string     // how it writes the first of a month; empty: 1
	Decimal   string     // the sign between a number and its fraction
	Thousands string     // the sign between groups of three digits
	GroupFrom int        // the fewest digits that are grouped
	ZeroIsOne bool       // whether zero takes the singular, as in French
	Option    string     // see Lang.Option; empty: value
}

// Languages lists the languages in the order of the language switch.
var Languages = []Language{
	{
		Code: EN, Name: "English", Locale: "en_GB",
		Months: [12]string{
			"January", "February", "March", "April", "May", "June",
			"July", "August", "September", "October", "November", "December",
		},
		Date: "{day} {month} {year}", Decimal: ".", Thousands: ",", GroupFrom: 4,
	},
	{
		Code: PT, Name: "Português", Locale: "pt_BR",
		Months: [12]string{
			"janeiro", "fevereiro", "março", "abril", "maio", "junho",
			"julho", "agosto", "setembro", "outubro", "novembro", "dezembro",
		},
		Date: "{day} de {month} de {year}", FirstDay: "1º", Decimal: ",", Thousands: ".", GroupFrom: 4,
		Option: "value2",
	},
	{
		Code: ES, Name: "Español", Locale: "es_ES",
		Months: [12]string{
			"enero", "febrero", "marzo", "abril", "mayo", "junio",
			"julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
		},
		Date: "{day} de {month} de {year}", Decimal: ",", Thousands: noBreakSpace, GroupFrom: 5, Option: "label",
	},
}

// Langs are the codes of Languages, in the same order.
var Langs = codes(Languages)

// Codes are Langs as texts.
func Codes() []string {
	all := make([]string, len(Langs))
	for i, lang := range Langs {
		all[i] = string(lang)
	}
	return all
}

func codes(languages []Language) []Lang {
	all := make([]Lang, len(languages))
	for i, language := range languages {
		all[i] = language.Code
	}
	return all
}

// Parse returns the language with this code; false where the site has none.
func Parse(text string) (Lang, bool) {
	lang := Lang(text)
	return lang, slices.Contains(Langs, lang)
}

// Name is what the language is called by those who speak it.
func (l Lang) Name() string { return l.language().Name }

// Locale is the language with its country, as Open Graph names it: pt_BR.
func (l Lang) Locale() string { return l.language().Locale }

// Option is the field that holds the language's words in the options of the integration back end: value, which is
// English, label or value2.
func (l Lang) Option() string { return l.language().Option }

// language is the row of the table; that of English for a code that is not on it.
func (l Lang) language() *Language {
	for i := range Languages {
		if Languages[i].Code == l {
			return &Languages[i]
		}
	}
	return &Languages[0]
}
