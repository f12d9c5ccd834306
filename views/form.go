package views

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/measures"
	"zedcard/views/ui"
)

// Form is where a form stands: new, refused with everything that was typed, or sent.
type Form struct {
	Token   string            // the signed one that a form comes back with
	Values  map[string]string // as typed, by input
	Faults  []Fault           // in the order of the form
	Problem string            // why it was not taken, where that is no single field's fault
	Receipt *Receipt          // of what was sent; nil for a form that was not
}

// Receipt is what a sent form is answered with: what to quote, and what happens next and when.
type Receipt struct {
	Reference     string
	Minor         bool      // a guardian's confirmation is waited for
	GuardianAsked bool      // by mail
	Answered      time.Time // the day by which the agency answers; none is named for a minor
	Erased        time.Time // the day on which it is erased
}

// Fault is what is wrong at one field.
type Fault struct{ Field, Text string }

// refused reports whether the form came back.
func (f Form) refused() bool { return f.Problem != "" || len(f.Faults) > 0 }

func (f Form) faultOf(name string) string {
	for _, fault := range f.Faults {
		if fault.Field == name {
			return fault.Text
		}
	}
	return ""
}

// field is one that must be filled in; more are pairs of a name and a value of its control's attributes.
func (f Form) field(name, label string, more ...string) ui.Field {
	field := f.optional(name, label, more...)
	field.Required = true
	return field
}

func (f Form) optional(name, label string, more ...string) ui.Field {
	field := ui.Field{
		Name: name, Label: label, Value: f.Values[name], Error: f.faultOf(name), Attributes: map[string]any{},
	}
	for i := 0; i+1 < len(more); i += 2 {
		field.Attributes[more[i]] = more[i+1]
	}
	return field
}

// wide is a field over the whole width of the form.
func wide(field ui.Field) ui.Field {
	field.Class = ui.Wide
	return field
}

// What is shown by the applicant's age, which the form has as data-age.
const (
	forAdults = "group-data-[age=minor]/form:hidden"
	forMinors = "group-data-[age=adult]/form:hidden"
)

// adults is a field that minors are not asked, with what it is called for a man where that differs.
func adults(field ui.Field, man string) ui.Field {
	field.Class, field.LabelMan = forAdults, man
	return field
}

// hinted is a field with a line below it that says how to fill it in.
func hinted(field ui.Field, how string) ui.Field {
	field.Hint = how
	return field
}

func cityField(p Page, a Application, more ...string) ui.Field {
	return a.optional("city", p.T("apply.city"), more...)
}

// FormTitle is the title of a page with a form, which says first that something is wrong.
func FormTitle(p Page, title string, f Form) string {
	if f.refused() {
		return p.T("form.title", "title", title)
	}
	return title
}

// heading of what is wrong: small numbers as words, as the agency writes them.
func (f Form) heading(p Page) string {
	if f.Problem != "" {
		return f.Problem
	}
	n := len(f.Faults)
	if words := strings.Fields(p.T("form.numbers")); n > 1 && n-2 < len(words) {
		return p.T("form.errors.words", "number", words[n-2])
	}
	return p.N("form.errors", n)
}

// Application is the get-scouted form.
type Application struct {
	Form
	Options       agency.Options
	MinimumAge    int                  // of an applicant, in years
	GuardianAsked bool                 // a parent or guardian is asked by mail to confirm
	International bool                 // phone numbers of every country are taken, not only those of the mask
	Kept          map[string]KeptPhoto // by input
	Age           Age
}

// blank reports whether nothing was filled in and the options are there, so that the form is the same for everybody
// but for its token.
func (a Application) blank() bool {
	for _, value := range a.Values {
		if value != "" {
			return false
		}
	}
	return !a.refused() && a.Receipt == nil && len(a.Kept) == 0 && a.Age == AnyAge && len(a.Options.Countries) > 0
}

// KeptPhoto is a photo that waits on the server while its form is in error.
type KeptPhoto struct{ ID, Name string }

// Age is what is known of an applicant's age.
type Age string

// The ages that the form asks different things of.
const (
	AnyAge Age = ""
	Minor  Age = "minor"
	Adult  Age = "adult"
)

// lengths are options whose label shows both units, and sizes.
func lengths(options []agency.Option) []ui.Choice {
	list := make([]ui.Choice, len(options))
	for i, o := range options {
		list[i] = ui.Choice{Value: o.Value, Label: o.Label}
	}
	return list
}

// words are options with a word in each language.
func words(lang i18n.Lang, options []agency.Option) []ui.Choice {
	list := make([]ui.Choice, len(options))
	for i, o := range options {
		list[i] = ui.Choice{Value: o.Value, Label: measures.Word(lang, o)}
	}
	return list
}

// nonBinary is a gender that an applicant may have beside those of the boards.
const nonBinary agency.Gender = "nonbinary"

// genders are those that the back end offers; the ones that the site knows have a word in each language.
func genders(p Page, options []agency.Option) []ui.Choice {
	if len(options) == 0 {
		options = []agency.Option{{Value: string(agency.Woman)}, {Value: string(agency.Man)}}
	}
	list := make([]ui.Choice, len(options))
	for i, o := range options {
		list[i] = ui.Choice{Value: o.Value, Label: o.Label}
		switch agency.Gender(o.Value) {
		case agency.Woman:
			list[i].Label = p.T("apply.woman")
		case agency.Man:
			list[i].Label = p.T("apply.man")
		case nonBinary:
			list[i].Label = p.T("apply.nonbinary")
		}
	}
	return list
}

// hasBrief reports whether anything of the booking brief is filled in, or wrong.
func (f Form) hasBrief() bool {
	brief := []string{"dates", "city", "deadline", "usage", "territory", "term"}
	return slices.ContainsFunc(brief, func(name string) bool {
		return f.Values[name] != "" || f.faultOf(name) != ""
	})
}

// Usage is what a picture is used for, in words; a value of no option is shown as it came.
func Usage(lang i18n.Lang, value string) string { return wordOf(usages(lang), value) }

// Term is how long a picture is used, in words; a value of no option is shown as it came.
func Term(lang i18n.Lang, value string) string { return wordOf(terms(lang), value) }

func wordOf(choices []ui.Choice, value string) string {
	for _, choice := range choices {
		if choice.Value == value {
			return choice.Label
		}
	}
	return value
}

func usages(lang i18n.Lang) []ui.Choice {
	return []ui.Choice{
		{Value: "editorial", Label: lang.T("brief.usage.editorial")},
		{Value: "lookbook", Label: lang.T("brief.usage.lookbook")},
		{Value: "advertising", Label: lang.T("brief.usage.advertising")},
		{Value: "show", Label: lang.T("brief.usage.show")},
		{Value: "other", Label: lang.T("brief.usage.other")},
	}
}

func terms(lang i18n.Lang) []ui.Choice {
	return []ui.Choice{
		{Value: "once", Label: lang.T("brief.term.once")},
		{Value: "months", Label: lang.T("brief.term.months")},
		{Value: "year", Label: lang.T("brief.term.year")},
		{Value: "years", Label: lang.T("brief.term.years")},
	}
}

// usualHeight is where the list of heights opens, in centimetres; children scroll up from there.
const usualHeight = 150

// starting is a field whose list opens at the first option of at least so many centimetres.
func starting(field ui.Field, options []agency.Option, cm float64) ui.Field {
	for _, option := range options {
		number, _, _ := strings.Cut(option.Value, "/")
		if value, err := strconv.ParseFloat(strings.TrimSpace(number), 64); err == nil && value >= cm {
			field.Start = option.Value
			break
		}
	}
	return field
}

// countries are places with those first in which the page's language is spoken most. A back end that numbers its
// countries keeps its own order.
func countries(lang i18n.Lang, list []agency.Place) []ui.Choice {
	first := map[i18n.Lang][]string{
		i18n.EN: {"GB", "US", "IE", "CA", "AU", "NZ", "ZA"},
		i18n.PT: {"BR", "PT", "AO", "MZ", "CV"},
		i18n.ES: {"ES", "MX", "CO", "AR", "PE", "VE", "CL"},
	}[lang]
	choices := places(list)
	slices.SortStableFunc(choices, func(a, b ui.Choice) int {
		return rank(first, a.Value) - rank(first, b.Value)
	})
	return choices
}

func rank(first []string, id string) int {
	if i := slices.Index(first, id); i >= 0 {
		return i
	}
	return len(first)
}

func places(list []agency.Place) []ui.Choice {
	all := make([]ui.Choice, len(list))
	for i, place := range list {
		all[i] = ui.Choice{Value: place.ID, Label: place.Value}
	}
	return all
}

// nameShown is how many characters of a photo's file name are shown.
const nameShown = 12

// ShortName is a photo's file name as the form shows it: one that is longer is cut to its first 12
// characters, "..." and the extension.
func ShortName(name string) string {
	letters := []rune(name)
	if len(letters) <= nameShown {
		return name
	}
	return string(letters[:nameShown]) + "..." + strings.TrimPrefix(path.Ext(name), ".")
}
