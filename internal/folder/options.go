package folder

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
)

type options struct {
	Hair      []choice `yaml:"hair"       validate:"required,dive"`
	Eyes      []choice `yaml:"eyes"       validate:"required,dive"`
	HairKind  []choice `yaml:"hair_kind"  validate:"dive"`
	HairSize  []choice `yaml:"hair_size"  validate:"dive"`
	SkinColor []choice `yaml:"skin_color" validate:"dive"`
	Gender    []struct {
		Value string `yaml:"value" validate:"required"`
		Label string `yaml:"label" validate:"required"`
	} `yaml:"gender" validate:"required,dive"`
	Ranges    map[string]measureRange `yaml:"ranges"    validate:"required,dive"`
	Countries []country               `yaml:"countries" validate:"required,dive"`
	Sizes     string                  `yaml:"sizes"` // the system of dress, suit and shoe sizes
}

// choice is a value in English, with labels in Spanish and Portuguese, and names in further languages by tag.
type choice struct {
	Value  string            `yaml:"value"  validate:"required"`
	Label  string            `yaml:"label"  validate:"required"`
	Value2 string            `yaml:"value2" validate:"required"`
	Names  map[string]string `yaml:",inline" validate:"dive,keys,bcp47_language_tag,endkeys"`
}

// measureRange is the values that one measure may have; a size has no unit.
type measureRange struct {
	From Number `yaml:"from" validate:"required"`
	To   Number `yaml:"to"   validate:"required"`
	Step Number `yaml:"step" validate:"required"`
	Unit string `yaml:"unit" validate:"omitempty,oneof=cm kg"`
}

// country is one of those that the form offers; a name that a language lacks is the English one.
type country struct {
	ID     string            `yaml:"id"    validate:"required"`
	Value  string            `yaml:"value" validate:"required"`
	Names  map[string]string `yaml:",inline" validate:"dive,keys,bcp47_language_tag,endkeys"`
	Cities []city            `yaml:"cities" validate:"dive"`
}

// city has the same name in every language, then it is a text, or one in each. The English one is its id.
type city struct {
	Value string            `yaml:"value" validate:"required"`
	Names map[string]string `yaml:",inline" validate:"dive,keys,bcp47_language_tag,endkeys"`
}

// rangeNames are the measures that options.yaml may give ranges for; the form asks for the first six.
var rangeNames = []string{"height", "bust", "waist", "hips", "shoes", "suit", "chest", "jeans", "shirt", "weight"}

func (l *loader) loadOptions() {
	read, ok := good(l, l.openOrDefault("options.yaml"), readOptions)
	if !ok {
		read = readOptions(ReadFile(Demo(), "options.yaml"))
	}
	l.next.options, l.next.lists = read, map[string]agency.Options{}
	for _, lang := range append(l.next.site.Texts.Codes(), string(i18n.EN)) {
		l.next.lists[lang] = read.in(lang, l.next.decided.Metric)
	}
}

func readOptions(f *File) *options {
	read := &options{}
	f.Decode(read)
	for _, name := range rangeNames[:6] {
		if _, ok := read.Ranges[name]; !ok && read.Ranges != nil {
			f.Fault(f.Line("ranges"), "fault.missing", "field", name)
		}
	}
	for name, r := range read.Ranges {
		line := f.Line("ranges." + name)
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
	return read
}

// choices are the values of a range with labels in both units or in one, numbers with the language's decimal sign.
func (r measureRange) choices(measure, lang string, metric bool) (list []agency.Option) {
	for i := 0; r.Step > 0; i++ {
		value := float64(r.From) + float64(i)*float64(r.Step)
		if value > float64(r.To) {
			break
		}
		label := i18n.Of(i18n.Lang(lang)).Digits(formatNumber(value))
		if r.Unit != "" {
			label += " " + r.Unit
		}
		if r.Unit != "" && !metric {
			label += " / " + r.imperial(measure, value)
		}
		list = append(list, agency.Option{Value: formatNumber(value), Label: label})
	}
	return list
}

// imperial is 5'10" for the height, 34" for other lengths, and 121 lb for weights.
func (r measureRange) imperial(measure string, value float64) string {
	if r.Unit == "kg" {
		return fmt.Sprintf("%.0f lb", value*2.20462262)
	}
	feet, inches, half := agency.Inches(value)
	text := strconv.Itoa(12*feet + inches)
	if measure == "height" {
		text = fmt.Sprintf("%d'%d", feet, inches)
	}
	if half {
		text += "½"
	}
	return text + `"`
}

func formatNumber[N ~float64](value N) string {
	return strconv.FormatFloat(float64(value), 'f', -1, 64)
}

// in gives the lists in a language, with imperial units unless lengths shall be metric.
func (o *options) in(lang string, metric bool) agency.Options {
	list := func(measure string) []agency.Option { return o.Ranges[measure].choices(measure, lang, metric) }
	all := agency.Options{
		Sizes: o.Sizes,
		Eyes:  labelled(o.Eyes), Hair: labelled(o.Hair),
		HairKind: labelled(o.HairKind), HairSize: labelled(o.HairSize), SkinColor: labelled(o.SkinColor),
		Height: list("height"), Bust: list("bust"), Waist: list("waist"), Hips: list("hips"), Shoes: list("shoes"),
		Suit: list("suit"), Chest: list("chest"), Jeans: list("jeans"), Shirt: list("shirt"), Weight: list("weight"),
	}
	for _, g := range o.Gender {
		all.Gender = append(all.Gender, agency.Option{Value: g.Value, Label: g.Label})
	}
	regions := display.Regions(language.Make(lang)) // nil for a language that it doesn't know
	for _, c := range o.Countries {
		name := c.Value
		region, err := language.ParseRegion(c.ID)
		if err == nil && regions != nil && i18n.Lang(lang).Base() != i18n.EN {
			name = cmp.Or(regions.Name(region), name)
		}
		all.Countries = append(all.Countries, placeIn(lang, c.ID, name, c.Names))
	}
	sortPlaces(lang, all.Countries)
	return all
}

// cities are those of a country, in a language.
func (o *options) cities(lang, country string) (cities []agency.Place) {
	for _, c := range o.Countries {
		if c.ID == country {
			for _, city := range c.Cities {
				cities = append(cities, placeIn(lang, city.Value, city.Value, city.Names))
			}
		}
	}
	sortPlaces(lang, cities)
	return cities
}

func placeIn(lang, id, value string, names map[string]string) agency.Place {
	return agency.Place{ID: id, Value: cmp.Or(names[lang], names[string(i18n.Lang(lang).Base())], value)}
}

// sortPlaces orders names as a dictionary of the language does.
func sortPlaces(lang string, places []agency.Place) {
	collator := collate.New(language.Make(lang))
	slices.SortStableFunc(places, func(a, b agency.Place) int { return collator.CompareString(a.Value, b.Value) })
}

func labelled(choices []choice) (list []agency.Option) {
	for _, c := range choices {
		list = append(list, agency.Option(c))
	}
	return list
}
