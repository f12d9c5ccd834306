package agency

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"zedcard/i18n"
)

// MeasureFormatter is what the rows depend on beside the talent. Hair and Eyes are the options of the back end; without
// them a colour stays as the back end gave it.
type MeasureFormatter struct {
	Hair, Eyes []Option
	Today      time.Time
	Full       bool   // MINOR_MEASURES=full: the rule for minors does not apply
	Metric     bool   // lengths have no second unit
	Sizes      string // as that of Options
}

// MeasureRow is one line of a list of measures. Label is the key of its text; Imperial is empty where there is nothing
// to convert, or nobody wants it.
type MeasureRow struct {
	Name             Measure
	Label            string
	Metric, Imperial string
	length           bool
}

// Number splits the metric value into the number and the unit, with the space before it; the unit may be empty.
func (r MeasureRow) Number() (number, unit string) {
	if !r.length {
		return r.Metric, ""
	}
	space := strings.LastIndex(r.Metric, "\u00a0")
	return r.Metric[:space], r.Metric[space:]
}

// Minor reports whether the rule for minors applies to a talent.
func (s MeasureFormatter) Minor(t *Talent) bool { return t.Minor(s.Today) }

// Rows are the measures that may be shown of a talent, in order.
func (s MeasureFormatter) Rows(lang *i18n.Language, t *Talent) []MeasureRow {
	shown := t.ShownMeasures(s.Minor(t), s.Full)
	rows := make([]MeasureRow, len(shown))
	for i, m := range shown {
		rows[i] = MeasureRow{Name: m.Name, Label: label(m.Name, t.Gender)}
		switch known(m.Name).kind {
		case LengthKind:
			rows[i].Metric, rows[i].Imperial = length(lang, m.Name, m.Text)
			rows[i].length = rows[i].Imperial != ""
			if s.Metric {
				rows[i].Imperial = ""
			}
		case ColourKind:
			options := map[Measure][]Option{Hair: s.Hair, Eyes: s.Eyes}
			rows[i].Metric = colour(lang, options[m.Name], m.Text)
		case SizeKind:
			rows[i].Metric = s.size(lang, m.Text)
		}
	}
	return rows
}

// Line are the rows in one line below a name: height, bust, waist and hips (of a man chest and waist), shoes; of a
// minor only the height.
func (s MeasureFormatter) Line(lang *i18n.Language, t *Talent) []MeasureRow {
	minor := s.Minor(t) && !s.Full
	return slices.DeleteFunc(s.Rows(lang, t), func(row MeasureRow) bool {
		return !known(row.Name).inLine || minor && row.Name != Height || row.Name == Hips && t.Gender == Man
	})
}

func label(name Measure, gender Gender) string {
	switch {
	case name == Bust && gender == Man:
		return "measure.chest"
	case name == Suit && gender == Woman:
		return "measure.dress"
	}
	return known(name).label
}

// length formats a length in both units; a text that is not a length is returned unchanged.
func length(lang *i18n.Language, name Measure, text string) (metric, imperial string) {
	cm, again, ok := ParseLengths(text)
	if !ok {
		return text, ""
	}
	feet, inches, half := Inches(again)
	if name == Height {
		return lang.Centimetres(cm), i18n.FeetInches(feet, inches, half)
	}
	return lang.Centimetres(cm), i18n.Inches(12*feet+inches, half)
}

// size is a size with its system, where the options name it. A text that is not a number says its own.
func (s MeasureFormatter) size(lang *i18n.Language, text string) string {
	number := lang.Size(text)
	if s.Sizes != "" && number != "" && strings.Trim(number, "0123456789.,") == "" {
		return s.Sizes + "\u00a0" + number
	}
	return number
}

// aliases are other names that back ends use for listed colours.
var aliases = map[string]string{
	"blond": "Blonde", "gray": "Grey", "silver": "Grey",
	"chestnut": "Brown", "medium brown": "Brown", "brunette": "Brown",
	"ginger": "Red", "redhead": "Red", "jet black": "Black",
	"dyed": "Fantasy Colour", "multicolor": "Fantasy Colour", "bald": "Shaved",
}

// colour is the name of a hair or eye colour in a language. One that is not listed is returned unchanged.
func colour(lang *i18n.Language, options []Option, text string) string {
	trimmed := strings.TrimSpace(text)
	for _, name := range []string{trimmed, aliases[strings.ToLower(trimmed)]} {
		for _, o := range options {
			if name != "" && strings.EqualFold(o.Value, name) {
				return OptionName(lang, o)
			}
		}
	}
	return text
}

// OptionName is the name of an option in a language, the English one if the back end sends no other.
func OptionName(lang *i18n.Language, o Option) string {
	translations := map[string]string{"label": o.Label, "value2": o.Value2}
	return cmp.Or(o.Names[string(lang.Lang)], o.Names[string(lang.Base())], translations[lang.Option()], o.Value)
}
