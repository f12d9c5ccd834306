package agency

import (
	"cmp"
	"slices"
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

// MeasureValue is one measurement with its text as the back end gave it.
type MeasureValue struct {
	Name Measure
	Text string
}

// InOrder are the measures that a profile shows, in its order, empty ones too.
func (m Measures) InOrder() []MeasureValue {
	return []MeasureValue{
		{Height, m.Height}, {Bust, m.Bust}, {Waist, m.Waist}, {Suit, m.Suit}, {Hips, m.Hips}, {Shoes, m.Shoes},
		{Hair, m.Hair}, {Eyes, m.Eyes},
	}
}

// ShownMeasures lists, in order, the measures that are present and may be shown: only for a woman or a man, and for a
// minor only what ForMinor leaves. With full the rule for minors does not apply (MINOR_MEASURES=full). A man's bust
// falls back to his chest.
func (t *Talent) ShownMeasures(minor, full bool) []MeasureValue {
	measures := t.Measures
	if t.Gender == Man {
		measures.Bust = cmp.Or(measures.Bust, measures.Chest)
	}
	if minor && !full {
		measures = measures.ForMinor()
	}
	return slices.DeleteFunc(measures.InOrder(), func(m MeasureValue) bool {
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
