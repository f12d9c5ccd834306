package embedded

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"go.yaml.in/yaml/v4"

	"zedcard/i18n"
	"zedcard/internal/agency"
)

// options are the lists of options.yaml.
type options struct {
	hair, eyes, gender            []agency.Option
	hairKind, hairSize, skinColor []agency.Option
	ranges                        map[string]measureRange // by measure
	countries                     []country
}

// measureRange is the values that one measure may have; unit is cm, kg or empty for sizes.
type measureRange struct {
	from, to, step float64
	unit           string
}

// country is one of those that the form offers. The id of a city is its English name.
type country struct {
	id     string
	name   placeName
	cities []placeName
}

// placeName is the name of a place in each language; a missing one is replaced by the English name.
type placeName map[i18n.Lang]string

func (n placeName) in(lang string) string { return cmp.Or(n[i18n.Lang(lang)], n[i18n.EN]) }

// rangeNames are the measures that options.yaml gives ranges for.
var rangeNames = []string{"height", "bust", "chest", "waist", "hips", "suit", "shoes", "jeans", "shirt", "weight"}

// beginOptions reads options.yaml in the background.
func (l *loader) beginOptions() (await func()) {
	parsed := &options{ranges: map[string]measureRange{}}
	awaitFile := l.beginFile("options.yaml", func(s *contentFile, node *yaml.Node) {
		ranges := fields{}
		for _, name := range rangeNames {
			ranges[name] = s.measureRange(name, parsed.ranges)
		}
		s.mapping(node, "options.yaml", fields{
			"hair": s.choices("hair", true, &parsed.hair), "eyes": s.choices("eyes", true, &parsed.eyes),
			"gender":     s.choices("gender", false, &parsed.gender),
			"hair_kind":  s.choices("hair_kind", true, &parsed.hairKind),
			"hair_size":  s.choices("hair_size", true, &parsed.hairSize),
			"skin_color": s.choices("skin_color", true, &parsed.skinColor),
			"ranges":     func(node *yaml.Node) { s.mapping(node, "ranges", ranges, attributeRanges...) },
			"countries":  s.list("countries", s.country(parsed)),
		}, "hair", "eyes", "gender", "ranges", "countries")
	})
	return func() {
		l.next.options = parsed
		if !awaitFile() && l.previous.categories != nil {
			l.next.options = l.previous.options
		}
	}
}

// choices reads a list of options; lists in three languages have value2.
func (s *contentFile) choices(name string, threeLanguages bool, to *[]agency.Option) reader {
	return s.list(name, func(item *yaml.Node) {
		var value, label, value2 located[string]
		known := fields{"value": s.text("value", &value), "label": s.text("label", &label)}
		if threeLanguages {
			known["value2"] = s.text("value2", &value2)
		}
		s.mapping(item, "an entry of "+name, known, slices.Collect(maps.Keys(known))...)
		if value.isSet() && hasValue(*to, value.value) {
			s.fault(value.line, "%s has %q twice", name, value.value)
		}
		*to = append(*to, agency.Option{Value: value.value, Label: label.value, Value2: value2.value})
	})
}

func hasValue(list []agency.Option, value string) bool {
	return slices.ContainsFunc(list, func(o agency.Option) bool { return o.Value == value })
}

func (s *contentFile) measureRange(name string, to map[string]measureRange) reader {
	return func(node *yaml.Node) {
		var from, upTo, step located[float64]
		var unit located[string]
		s.mapping(node, name, fields{
			"from": s.number("from", &from), "to": s.number("to", &upTo),
			"step": s.number("step", &step), "unit": s.text("unit", &unit),
		}, "from", "to", "step")
		switch {
		case !from.isSet() || !upTo.isSet() || !step.isSet():
			return
		case upTo.value < from.value:
			s.fault(upTo.line, "the range of %s ends before it begins", name)
		case (upTo.value-from.value)/step.value > 1000:
			s.fault(step.line, "the range of %s has more than 1000 steps", name)
		case unit.isSet() && unit.value != "cm" && unit.value != "kg":
			s.fault(unit.line, "unit must be cm, kg or absent")
		}
		to[name] = measureRange{from.value, upTo.value, step.value, unit.value}
	}
}

func (s *contentFile) country(to *options) reader {
	return func(item *yaml.Node) {
		var id located[string]
		name := placeName{}
		var cities []placeName
		s.mapping(item, "a country", s.names(name, fields{
			"id": s.code("id", &id),
			"cities": s.list("cities", func(item *yaml.Node) {
				city := s.city(item)
				if slices.ContainsFunc(cities, func(c placeName) bool { return c.in("") == city.in("") }) {
					s.fault(item.Line, "%s has the city %s twice", name.in(""), city.in(""))
				}
				cities = append(cities, city)
			}),
		}), "id", "value")
		if slices.ContainsFunc(to.countries, func(c country) bool { return c.id == id.value }) {
			s.fault(id.line, "there is a second country %s", id.value)
		}
		s.missingNames(item, name)
		to.countries = append(to.countries, country{id.value, name, cities})
	}
}

// city reads a name that is the same in every language, or one in each.
func (s *contentFile) city(item *yaml.Node) placeName {
	name := placeName{}
	if item.Kind != yaml.MappingNode {
		var same located[string]
		s.text("a city", &same)(item)
		name[i18n.EN] = same.value
		return name
	}
	s.mapping(item, "a city", s.names(name, fields{}), "value")
	s.missingNames(item, name)
	return name
}

// names adds the fields with a place's name in each language: value for English, pt and the like for the others.
func (s *contentFile) names(to placeName, known fields) fields {
	for _, lang := range i18n.Langs() {
		field := string(lang)
		if lang == i18n.EN {
			field = "value"
		}
		known[field] = func(node *yaml.Node) {
			var name located[string]
			s.text(field, &name)(node)
			to[lang] = name.value
		}
	}
	return known
}

// missingNames adds a remark for a place that lacks a name in some language.
func (s *contentFile) missingNames(item *yaml.Node, name placeName) {
	for _, lang := range i18n.Langs() {
		if _, ok := name[lang]; !ok && name[i18n.EN] != "" {
			s.warn(item.Line, "%s has no name in %s", name[i18n.EN], lang)
		}
	}
}

// attributeRanges are the measures that the application form asks for.
var attributeRanges = []string{"height", "bust", "waist", "hips", "shoes", "suit"}

// choices are the values of a range with labels in both units, numbers with the language's decimal sign.
func (r measureRange) choices(measure, lang string) []agency.Option {
	var list []agency.Option
	for i := 0; ; i++ {
		value := r.from + float64(i)*r.step
		if r.step == 0 || value > r.to {
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
	case r.unit == "kg":
		return fmt.Sprintf("%s kg / %.0f lb", number, value*2.20462262)
	case r.unit == "cm" && measure == "height":
		return fmt.Sprintf(`%s cm / %d'%d%s"`, number, feet, inches, fraction)
	case r.unit == "cm":
		return fmt.Sprintf(`%s cm / %d%s"`, number, 12*feet+inches, fraction)
	}
	return number
}

// formatNumber is a number without trailing zeros.
func formatNumber(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }

// in gives the lists in a language, with the cities of one country where one is named.
func (o *options) in(query agency.OptionsQuery) agency.Options {
	lang := query.Language
	list := func(measure string) []agency.Option { return o.ranges[measure].choices(measure, lang) }
	all := agency.Options{
		Eyes: o.eyes, Hair: o.hair, Gender: o.gender,
		HairKind: o.hairKind, HairSize: o.hairSize, SkinColor: o.skinColor,
		Height: list("height"), Bust: list("bust"), Waist: list("waist"), Hips: list("hips"), Shoes: list("shoes"),
		Suit: list("suit"), Chest: list("chest"), Jeans: list("jeans"), Shirt: list("shirt"), Weight: list("weight"),
	}
	for _, c := range o.countries {
		all.Countries = append(all.Countries, agency.Place{ID: c.id, Value: c.name.in(lang)})
		if query.Country != "" && c.id == query.Country {
			for _, city := range c.cities {
				all.Cities = append(all.Cities, agency.Place{ID: city[i18n.EN], Value: city.in(lang)})
			}
		}
	}
	sortPlaces(all.Countries, lang)
	sortPlaces(all.Cities, lang)
	return all
}

// sortPlaces orders by name as a dictionary of the language does.
func sortPlaces(places []agency.Place, lang string) {
	collator := collate.New(language.Make(lang))
	slices.SortStableFunc(places, func(a, b agency.Place) int { return collator.CompareString(a.Value, b.Value) })
}
