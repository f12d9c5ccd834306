package views

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/views/ui"
)

// Form is the state of a form: new, returned with errors and everything that was typed, or sent.
type Form struct {
	Token   string            // the signed token that is posted with the form
	Policy  string            // the version of the privacy policy that the page leads to
	Values  map[string]string // as typed, by input
	Errors  []FieldError      // in the order of the form
	Problem string            // the error of the whole form
	Receipt *Receipt          // of a sent form; otherwise nil
}

// Receipt confirms a sent form: the reference to quote, and what happens next and when.
type Receipt struct {
	Reference     string
	Minor         bool      // waits for a guardian's confirmation
	GuardianAsked bool      // by mail
	AnswerBy      time.Time // the day by which the agency answers; zero for a minor
	EraseOn       time.Time // the day on which it is erased; zero: the panel decides
}

// FieldError is the error of a field.
type FieldError struct{ Field, Text string }

// hasErrors reports whether the form was returned with errors.
func (f Form) hasErrors() bool { return f.Problem != "" || len(f.Errors) > 0 }

func (f Form) errorOf(name string) string {
	for _, e := range f.Errors {
		if e.Field == name {
			return e.Text
		}
	}
	return ""
}

// filled is a field with what was typed and its error.
func (f Form) filled(field ui.Field) ui.Field {
	field.Value, field.Error = f.Values[field.Name], f.errorOf(field.Name)
	return field
}

// forMinors is the class of what is hidden from adults by the form's data-age, the applicant's age.
const forMinors = "for-minors"

// FormTitle is the title of a page with a form, prefixed if the form has errors.
func FormTitle(p *Page, title string, f Form) string {
	if f.hasErrors() {
		return p.T("form.title", "title", title)
	}
	return title
}

// heading is the heading of the list of errors, with small numbers as words.
func (f Form) heading(p *Page) string {
	if f.Problem != "" {
		return f.Problem
	}
	n := len(f.Errors)
	number := p.Lang.Integer(n)
	if words := strings.Fields(p.Lang.T("form.numbers")); n > 1 && n-2 < len(words) {
		number = words[n-2]
	}
	return p.T(p.Lang.Form("form.errors", n), "n", number)
}

// Application is the get-scouted form.
type Application struct {
	Form
	Options       Options
	MinimumAge    int                  // of an applicant, in years
	GuardianAsked bool                 // a parent or guardian is asked by mail to confirm
	Metric        bool                 // lengths have no second unit
	International bool                 // phone numbers of every country are accepted, not only those of the mask
	KeptPhotos    map[string]KeptPhoto // by input
	Age           Age
	Country       string // the agency's, as an ISO code; empty: not known
}

// KeptPhoto is a photo that the server keeps while its form has errors.
type KeptPhoto struct {
	ID   string `json:"id"`
	Name string `json:"file"`
}

// Age is an applicant's age group, if known.
type Age string

// The age groups.
const (
	UnknownAge Age = ""
	Minor      Age = "minor"
	Adult      Age = "adult"
)

// Options are the lists of the get-scouted form in a language.
type Options struct {
	Countries, Cities, Gender, Height, Bust, Waist, Hips, Shoes, Suit, Eyes, Hair, HairKind, HairSize, SkinColor ui.List

	Sizes string // the system of dress, suit and shoe sizes, as EU
}

// NewOptions are the back end's lists. country is the agency's, as an ISO code; empty: not known.
func NewOptions(lang *i18n.Language, all agency.Options, country string) Options {
	words := func(options []agency.Option) ui.List {
		return ui.NewList(choices(options, func(o agency.Option) (value, label string) {
			return o.Value, agency.OptionName(lang, o)
		}))
	}
	return Options{
		Countries: countries(lang, all.Countries, country), Cities: ui.NewList(places(all.Cities)),
		Gender: ui.NewList(genders(lang, all.Gender)), Height: sizes(all.Height), Bust: sizes(all.Bust),
		Waist: sizes(all.Waist), Hips: sizes(all.Hips), Shoes: sizes(all.Shoes), Suit: sizes(all.Suit),
		Eyes: words(all.Eyes), Hair: words(all.Hair), HairKind: words(all.HairKind), HairSize: words(all.HairSize),
		SkinColor: words(all.SkinColor), Sizes: all.Sizes,
	}
}

// choices are the entries of a list, each with a value and a label.
func choices[T any](entries []T, of func(T) (value, label string)) []ui.Choice {
	list := make([]ui.Choice, len(entries))
	for i, entry := range entries {
		list[i].Value, list[i].Label = of(entry)
	}
	return list
}

// sizes are as they are typed, with both units.
func sizes(options []agency.Option) ui.List {
	return ui.NewList(choices(options, func(o agency.Option) (value, label string) {
		label = primes.Replace(cmp.Or(o.Label, o.Value))
		value, _, _ = strings.Cut(label, " / ")
		return strings.TrimSuffix(value, " cm"), label
	}))
}

// sameList is the field of this name if a field's list is the same as its own: a form has hundreds of sizes.
func sameList(field string, its, list ui.List) string {
	if its.Equal(list) {
		return field
	}
	return ""
}

// primes are the signs of feet and inches in the place of a typewriter's quotes.
var primes = strings.NewReplacer("'", "′", `"`, "″")

// nonBinary is a gender that only applicants can choose: there is no board for it.
const nonBinary agency.Gender = "nonbinary"

// genders are those that the back end offers; those that the site knows are translated.
func genders(lang *i18n.Language, options []agency.Option) []ui.Choice {
	if len(options) == 0 {
		options = []agency.Option{{Value: string(agency.Woman)}, {Value: string(agency.Man)}}
	}
	known := map[agency.Gender]string{
		agency.Woman: lang.T("apply.woman"), agency.Man: lang.T("apply.man"), nonBinary: lang.T("apply.nonbinary"),
	}
	return choices(options, func(o agency.Option) (value, label string) {
		return o.Value, cmp.Or(known[agency.Gender(o.Value)], o.Label)
	})
}

// countries are first the agency's, then those where many people speak the page's language. If the back end's ids are
// numbers, its order is kept.
func countries(lang *i18n.Language, all []agency.Place, agencys string) ui.List {
	first := append([]string{agencys}, map[i18n.Lang][]string{
		i18n.EN: {"GB", "US", "IE", "CA", "AU", "NZ", "ZA"},
		i18n.PT: {"BR", "PT", "AO", "MZ", "CV"},
		"pt-PT": {"PT", "AO", "MZ", "CV", "BR"},
		i18n.ES: {"ES", "MX", "CO", "AR", "PE", "VE", "CL"},
		"fr":    {"FR", "BE", "CH", "CA", "LU", "SN", "MA"},
	}[lang.Lang]...)
	rank := func(c ui.Choice) int {
		if at := slices.Index(first, c.Value); at >= 0 {
			return at
		}
		return len(first)
	}
	list := places(all)
	slices.SortStableFunc(list, func(a, b ui.Choice) int { return rank(a) - rank(b) })
	return ui.NewList(list)
}

func places(list []agency.Place) []ui.Choice {
	return choices(list, func(place agency.Place) (value, label string) { return place.ID, place.Value })
}

// hasBrief reports whether a field of the booking brief is filled in or has an error.
func (f Form) hasBrief() bool {
	brief := []string{"dates", "city", "deadline", "usage", "territory", "term"}
	return slices.ContainsFunc(brief, func(name string) bool {
		return f.Values[name] != "" || f.errorOf(name) != ""
	})
}

// Usage is the name of a usage; an unknown value is returned unchanged.
func Usage(lang *i18n.Language, value string) string { return labelOf(usages(lang), value) }

// Term is the name of a term of usage; an unknown value is returned unchanged.
func Term(lang *i18n.Language, value string) string { return labelOf(terms(lang), value) }

func labelOf(choices []ui.Choice, value string) string {
	for _, choice := range choices {
		if choice.Value == value {
			return choice.Label
		}
	}
	return value
}

func usages(lang *i18n.Language) []ui.Choice {
	return []ui.Choice{
		{Value: "editorial", Label: lang.T("brief.usage.editorial")},
		{Value: "lookbook", Label: lang.T("brief.usage.lookbook")},
		{Value: "advertising", Label: lang.T("brief.usage.advertising")},
		{Value: "show", Label: lang.T("brief.usage.show")},
		{Value: "other", Label: lang.T("brief.usage.other")},
	}
}

func terms(lang *i18n.Language) []ui.Choice {
	return []ui.Choice{
		{Value: "once", Label: lang.T("brief.term.once")},
		{Value: "months", Label: lang.T("brief.term.months")},
		{Value: "year", Label: lang.T("brief.term.year")},
		{Value: "years", Label: lang.T("brief.term.years")},
	}
}

// MaxNameLength is how many characters of a photo's file name are shown.
const MaxNameLength = 12

// ShortName is a photo's file name as the form shows it: a longer one is cut to its first 12 characters, "..." and the
// extension.
func ShortName(name string) string {
	runes := []rune(name)
	if len(runes) <= MaxNameLength {
		return name
	}
	return string(runes[:MaxNameLength]) + "..." + strings.TrimPrefix(path.Ext(name), ".")
}

// checkboxAttributes are the attributes of the checkbox of this name.
func (f Form) checkboxAttributes(name string, required bool) templ.Attributes {
	attributes := templ.Attributes{"id": name, "name": name, "required": required, "checked": f.Values[name] != ""}
	if f.errorOf(name) != "" {
		attributes["aria-invalid"], attributes["aria-describedby"] = "true", name+"-error"
	}
	return attributes
}

// buttonAttributes are the attributes of the submit button, with the texts of its three states.
func (f Form) buttonAttributes(idle, sending, sent string) templ.Attributes {
	state := "idle"
	if f.Receipt != nil {
		state = "sent"
	}
	return templ.Attributes{
		"type": "submit", "data-idle": idle, "data-sending": sending, "data-sent": sent, "data-state": state,
	}
}

// separatorIf is a dot between two links if there is a second one. It is never at the start of a line.
func separatorIf(second bool) string {
	if second {
		return "\u00a0· "
	}
	return ""
}

// keepApplication says how long an application is kept, as far as this site decides it.
func keepApplication(p *Page, a Application) (all, minors string) {
	switch {
	case !p.Panel:
		return p.T("apply.keep"), p.T("apply.keep.minor")
	case a.GuardianAsked:
		return p.T("form.keep.panel"), p.T("apply.keep.minor.first")
	}
	return p.T("form.keep.panel"), ""
}

func keepMessage(p *Page) string {
	if p.Panel {
		return p.T("form.keep.panel")
	}
	return p.T("contact.keep")
}

// measuresHow says how to measure.
func measuresHow(p *Page, a Application) string {
	if a.Metric {
		return p.T("apply.measures.how.metric")
	}
	return p.T("apply.measures.how")
}
