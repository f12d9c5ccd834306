package agency

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

// Get is the text of one measurement, empty where absent.
func (m Measures) Get(name Measure) string {
	switch name {
	case Height:
		return m.Height
	case Bust:
		return m.Bust
	case Waist:
		return m.Waist
	case Suit:
		return m.Suit
	case Hips:
		return m.Hips
	case Shoes:
		return m.Shoes
	case Hair:
		return m.Hair
	case Eyes:
		return m.Eyes
	}
	return ""
}

// MeasureOrder is the order of a profile's measures.
var MeasureOrder = []Measure{Height, Bust, Waist, Suit, Hips, Shoes, Hair, Eyes}

// ShownMeasures lists, in order, the measures that are present and may be shown: only for a woman or a man, and for a
// minor only what ForMinor leaves. With full the rule for minors does not apply (MINOR_MEASURES=full). A man's bust
// falls back to his chest.
func (t *Talent) ShownMeasures(minor, full bool) []MeasureValue {
	if t.Gender != Woman && t.Gender != Man {
		return nil
	}
	measures := t.Measures
	if minor && !full {
		measures = measures.ForMinor()
	}
	shown := make([]MeasureValue, 0, len(MeasureOrder))
	for _, name := range MeasureOrder {
		text := measures.Get(name)
		if name == Bust && text == "" && t.Gender == Man {
			text = measures.Chest
		}
		if text != "" {
			shown = append(shown, MeasureValue{Name: name, Text: text})
		}
	}
	return shown
}

// MeasureValue is one measurement with its text as the back end gave it.
type MeasureValue struct {
	Name Measure
	Text string
}
