package agency

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// How long measures are taken to be right, in days. Who grows is measured twice as often.
const (
	MeasuresLast       = 180
	MinorsMeasuresLast = MeasuresLast / 2
)

// Measures are the measurements of a talent as the back end gave them, each a text such as
// "178", "178 cm" or "1,78 m", empty where absent.
type Measures struct {
	Height string `json:"height,omitempty"`
	Bust   string `json:"bust,omitempty"`
	Waist  string `json:"waist,omitempty"`
	Suit   string `json:"suit,omitempty"`
	Hips   string `json:"hips,omitempty"`
	Shoes  string `json:"shoes,omitempty"`
	Hair   string `json:"hair,omitempty"`
	Eyes   string `json:"eyes,omitempty"`
	Jeans  string `json:"jeans,omitempty"`
	Chest  string `json:"chest,omitempty"`
}

// Measure names one measurement by its field name.
type Measure string

// The measurements that a profile shows.
const (
	Height Measure = "height"
	Bust   Measure = "bust"
	Waist  Measure = "waist"
	Suit   Measure = "suit"
	Hips   Measure = "hips"
	Shoes  Measure = "shoes"
	Hair   Measure = "hair"
	Eyes   Measure = "eyes"
)

// MeasureKind is how a measure is written: a length in centimetres, a size as shops have it, or a colour.
type MeasureKind int

// The kinds of measures.
const (
	LengthKind MeasureKind = iota
	SizeKind
	ColourKind
)

// measure is what is known of one.
type measure struct {
	name   Measure
	kind   MeasureKind
	label  string // the key of its text; empty where no screen shows it
	of     func(*Measures) string
	least  float64 // of an adult, in cm; 0: none is known
	inLine bool    // in the line below a name, too
}

// measures are all of them, in the order of a profile. A field of Measures and a line here are what one takes.
var measures = []measure{
	{Height, LengthKind, "measure.height", func(m *Measures) string { return m.Height }, 130, true},
	{Bust, LengthKind, "measure.bust", func(m *Measures) string { return m.Bust }, 60, true},
	{"chest", LengthKind, "", func(m *Measures) string { return m.Chest }, 0, false},
	{Waist, LengthKind, "measure.waist", func(m *Measures) string { return m.Waist }, 45, true},
	{Suit, SizeKind, "measure.suit", func(m *Measures) string { return m.Suit }, 0, false},
	{Hips, LengthKind, "measure.hips", func(m *Measures) string { return m.Hips }, 60, true},
	{Shoes, SizeKind, "measure.shoes", func(m *Measures) string { return m.Shoes }, 0, true},
	{"jeans", SizeKind, "", func(m *Measures) string { return m.Jeans }, 0, false},
	{Hair, ColourKind, "measure.hair", func(m *Measures) string { return m.Hair }, 0, false},
	{Eyes, ColourKind, "measure.eyes", func(m *Measures) string { return m.Eyes }, 0, false},
}

// known is what is known of a measure.
func known(name Measure) measure {
	return measures[slices.IndexFunc(measures, func(m measure) bool { return m.name == name })]
}

// MeasureNames are the names of all measures, in the order of a profile.
func MeasureNames() (names []string) {
	for _, m := range measures {
		names = append(names, string(m.name))
	}
	return names
}

// IsMeasure reports whether a field is a measure of a kind.
func IsMeasure(field string, kind MeasureKind) bool {
	return slices.ContainsFunc(measures, func(m measure) bool { return string(m.name) == field && m.kind == kind })
}

// MeasureValue is one measurement with its text as the back end gave it.
type MeasureValue struct {
	Name Measure
	Text string
}

// InOrder are the measures that a profile shows, in its order, empty ones too.
func (m Measures) InOrder() (values []MeasureValue) {
	for _, measure := range measures {
		if measure.label != "" {
			values = append(values, MeasureValue{measure.name, measure.of(&m)})
		}
	}
	return values
}

// Small are the lengths, in centimetres, that are less than any adult's: most of them were typed in inches.
func (m Measures) Small() (values []MeasureValue) {
	for _, measure := range measures {
		text := measure.of(&m)
		if cm, err := strconv.ParseFloat(text, 64); err == nil && cm > 3 && cm < measure.least { // 3: metres
			values = append(values, MeasureValue{measure.name, text})
		}
	}
	return values
}

// ShownMeasures lists, in order, the measures that are present and may be shown: only for a woman or a man, and for a
// minor only what ForMinor leaves. With full the rule for minors does not apply (MINOR_MEASURES=full). A man's bust
// falls back to his chest.
func (t *Talent) ShownMeasures(minor, full bool) []MeasureValue {
	shown := t.Measures
	if t.Gender == Man {
		shown.Bust = cmp.Or(shown.Bust, shown.Chest)
	}
	if minor && !full {
		shown = shown.ForMinor()
	}
	return slices.DeleteFunc(shown.InOrder(), func(m MeasureValue) bool {
		return m.Text == "" || t.Gender != Woman && t.Gender != Man
	})
}

// ToMeasure are the names of those whose measures have no date, or an old one. Where nobody's have one the agency keeps
// none, and it is nobody.
func ToMeasure(all []*Talent, today time.Time) (names []string) {
	if !slices.ContainsFunc(all, func(t *Talent) bool { return !t.Measured.IsZero() }) {
		return nil
	}
	for _, t := range all {
		last := MeasuresLast
		if t.Minor(today) {
			last = MinorsMeasuresLast
		}
		since := today.AddDate(0, 0, -last).Format(time.DateOnly)
		if t.Measures != (Measures{}) && t.Measured.Format(time.DateOnly) < since {
			names = append(names, t.Name)
		}
	}
	return names
}
