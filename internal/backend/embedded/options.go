package embedded

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/content"
)

// options are the lists of options.yaml.
type options struct {
	Hair      []choice                `yaml:"hair"       validate:"required,dive"`
	Eyes      []choice                `yaml:"eyes"       validate:"required,dive"`
	HairKind  []choice                `yaml:"hair_kind"  validate:"dive"`
	HairSize  []choice                `yaml:"hair_size"  validate:"dive"`
	SkinColor []choice                `yaml:"skin_color" validate:"dive"`
	Gender    []gender                `yaml:"gender"     validate:"required,dive"`
	Ranges    map[string]measureRange `yaml:"ranges"     validate:"required,dive"`
	Countries []country               `yaml:"countries"  validate:"required,dive"`
}

// choice is a value in English, with labels in Spanish and Portuguese, and names in further languages by tag.
type choice struct {
	Value  string            `yaml:"value"  validate:"required"`
	Label  string            `yaml:"label"  validate:"required"`
	Value2 string            `yaml:"value2" validate:"required"`
	Names  map[string]string `yaml:"*"`
}

type gender struct {
	Value string `yaml:"value" validate:"required"`
	Label string `yaml:"label" validate:"required"`
}

// measureRange is the values that one measure may have; a size has no unit.
type measureRange struct {
	From content.Number `yaml:"from" validate:"required"`
	To   content.Number `yaml:"to"   validate:"required"`
	Step content.Number `yaml:"step" validate:"required"`
	Unit string         `yaml:"unit" validate:"omitempty,oneof=cm kg"`
}

// country is one of those that the form offers. The id of a city is its English name.
type country struct {
	ID     content.Code      `yaml:"id"     validate:"required"`
	Value  string            `yaml:"value"  validate:"required"`
	Names  map[string]string `yaml:"*"` // by tag; a missing one is replaced by the English name
	Cities []city            `yaml:"cities" validate:"dive"`
}

// city has the same name in every language, or one in each.
type city struct {
	Value string            `yaml:"value" validate:"required"`
	Names map[string]string `yaml:"*"`
}

// FromText reads a name that is the same in every language.
func (c *city) FromText(text string) { c.Value = text }

// nameIn is the name of a place in a language.
func nameIn(lang, value string, names map[string]string) string {
	return cmp.Or(names[lang], names[string(i18n.Lang(lang).Base())], value)
}

// regionName is what a language calls a country, by its ISO code; empty if that isn't known.
func regionName(lang, id string) string {
	region, err := language.ParseRegion(id)
	names := display.Regions(language.Make(lang))
	if err != nil || names == nil || i18n.Lang(lang).Base() == i18n.EN {
		return ""
	}
	return names.Name(region)
}

// rangeNames are the measures that options.yaml may give ranges for; the form asks for the first ones.
var (
	rangeNames = []string{"height", "bust", "waist", "hips", "shoes", "suit", "chest", "jeans", "shirt", "weight"}
	formRanges = rangeNames[:6]
)

// readOptions reads options.yaml, by default the demo's.
func (l *loader) readOptions(f *content.File) *content.File {
	read := &options{}
	f.Decode(read)
	for name, list := range map[string][]choice{
		"hair": read.Hair, "eyes": read.Eyes, "hair_kind": read.HairKind, "hair_size": read.HairSize,
		"skin_color": read.SkinColor,
	} {
		for i, c := range list {
			if c.Value != "" && slices.ContainsFunc(list[:i], func(o choice) bool { return o.Value == c.Value }) {
				f.Fault(f.Line(item(name, i)), "fault.option-twice", "field", name, "value", c.Value)
			}
		}
	}
	if read.Ranges != nil {
		read.checkRanges(f)
	}
	read.checkCountries(f)
	if f.Invalid {
		read = l.good.Options
		if read == nil {
			read = &options{}
			content.Read(Demo(), "options.yaml").Decode(read)
		}
	}
	l.next.Options = read
	return f
}

func (o *options) checkRanges(f *content.File) {
	for _, name := range formRanges {
		if _, ok := o.Ranges[name]; !ok {
			f.Fault(f.Line("ranges"), "fault.missing", "field", name)
		}
	}
	for name, r := range o.Ranges {
		line := f.Line("ranges[" + name + "]")
		switch {
		case !slices.Contains(rangeNames, name):
			f.Fault(line, "fault.field-unknown", "field", name, "known", strings.Join(rangeNames, ", "))
		case r.From == 0 || r.To == 0 || r.Step == 0: // has its fault
		case r.To < r.From:
			f.Fault(line, "fault.range-order", "field", name)
		case (r.To-r.From)/r.Step > 1000:
			f.Fault(line, "fault.range-steps", "field", name)
		}
	}
}

func (o *options) checkCountries(f *content.File) {
	ids := map[content.Code]bool{}
	for i, c := range o.Countries {
		if ids[c.ID] {
			f.Fault(f.Line(item("countries", i)), "fault.country-twice", "country", string(c.ID))
		}
		ids[c.ID] = true
		cities := map[string]bool{}
		for j, city := range c.Cities {
			if cities[city.Value] {
				f.Fault(f.Line(item(item("countries", i)+".cities", j)), "fault.city-twice",
					"country", c.Value, "city", city.Value)
			}
			cities[city.Value] = true
		}
	}
}

// choices are the values of a range with labels in both units, numbers with the language's decimal sign.
func (r measureRange) choices(measure, lang string) []agency.Option {
	var list []agency.Option
	for i := 0; ; i++ {
		value := float64(r.From) + float64(i)*float64(r.Step)
		if r.Step == 0 || value > float64(r.To) {
			return list
		}
		list = append(list, agency.Option{Value: formatNumber(value), Label: r.label(measure, value, lang)})
	}
}

// label is `178 cm / 5'10"` for the height, `86 cm / 34"` for other lengths, `55 kg / 121 lb`
// for weights and the bare number for sizes.
func (r measureRange) label(measure string, value float64, lang string) string {
	number := i18n.Lang(lang).Digits(formatNumber(value))
	feet, inches, half := agency.Inches(value)
	fraction := ""
	if half {
		fraction = "½"
	}
	switch {
	case r.Unit == "kg":
		return fmt.Sprintf("%s kg / %.0f lb", number, value*2.20462262)
	case r.Unit == "cm" && measure == "height":
		return fmt.Sprintf(`%s cm / %d'%d%s"`, number, feet, inches, fraction)
	case r.Unit == "cm":
		return fmt.Sprintf(`%s cm / %d%s"`, number, 12*feet+inches, fraction)
	}
	return number
}

// formatNumber is a number without trailing zeros.
func formatNumber[N ~float64](value N) string {
	return strconv.FormatFloat(float64(value), 'f', -1, 64)
}

// in gives the lists in a language, with the cities of one country where one is named, and with imperial units unless
// lengths shall be metric.
func (o *options) in(query agency.OptionsQuery, metric bool) agency.Options {
	lang := query.Language
	list := func(measure string) []agency.Option {
		all := o.Ranges[measure].choices(measure, lang)
		for i := range all {
			if metric {
				all[i].Label, _, _ = strings.Cut(all[i].Label, " / ")
			}
		}
		return all
	}
	all := agency.Options{
		Eyes: labelled(o.Eyes), Hair: labelled(o.Hair),
		HairKind: labelled(o.HairKind), HairSize: labelled(o.HairSize), SkinColor: labelled(o.SkinColor),
		Height: list("height"), Bust: list("bust"), Waist: list("waist"), Hips: list("hips"), Shoes: list("shoes"),
		Suit: list("suit"), Chest: list("chest"), Jeans: list("jeans"), Shirt: list("shirt"), Weight: list("weight"),
	}
	for _, g := range o.Gender {
		all.Gender = append(all.Gender, agency.Option{Value: g.Value, Label: g.Label})
	}
	for _, c := range o.Countries {
		name := nameIn(lang, cmp.Or(regionName(lang, string(c.ID)), c.Value), c.Names)
		all.Countries = append(all.Countries, agency.Place{ID: string(c.ID), Value: name})
		if query.Country != "" && string(c.ID) == query.Country {
			for _, city := range c.Cities {
				name := nameIn(lang, city.Value, city.Names)
				all.Cities = append(all.Cities, agency.Place{ID: city.Value, Value: name})
			}
		}
	}
	sortPlaces(all.Countries, lang)
	sortPlaces(all.Cities, lang)
	return all
}

func labelled(choices []choice) (list []agency.Option) {
	for _, c := range choices {
		list = append(list, agency.Option(c))
	}
	return list
}

// sortPlaces orders by name as a dictionary of the language does.
func sortPlaces(places []agency.Place, lang string) {
	collator := collate.New(language.Make(lang))
	slices.SortStableFunc(places, func(a, b agency.Place) int { return collator.CompareString(a.Value, b.Value) })
}
