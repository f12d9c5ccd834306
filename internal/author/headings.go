package author

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// column is what a column of a spreadsheet holds.
type column struct {
	fields []string // none: it is left out; several: their values stand in one cell, as 86-60-89
	unit   string   // of lengths without one: in, ft; empty: centimetres, or metres
}

var (
	lengthFields = []string{"height", "bust", "chest", "waist", "hips"}
	sizeFields   = []string{"shoes", "suit", "jeans"}
	figure       = []string{"bust", "waist", "hips"}
)

// isHead reports whether a row has the headings: one of them is the name's.
func (im *importer) isHead(cells []string) bool {
	return slices.ContainsFunc(cells, func(heading string) bool {
		fields, _ := im.fieldsOf(heading)
		return slices.Contains(fields, "name") || slices.Contains(fields, nameParts[1])
	})
}

// readHeadings says which columns are left out.
func (im *importer) readHeadings(row Row) {
	seen := map[string]bool{}
	for _, heading := range row.Cells {
		heading = strings.Join(strings.Fields(heading), " ")
		fields, unit := im.fieldsOf(heading)
		twice := slices.IndexFunc(fields, func(field string) bool { return seen[field] })
		isSize := len(fields) == 1 && slices.Contains(sizeFields, fields[0])
		isLength := len(fields) > 0 && slices.Contains(lengthFields, fields[0])
		switch {
		case heading == "":
		case fields == nil:
			im.say(row.Line, "the column %q is unknown and left out", heading)
		case twice >= 0:
			im.say(row.Line, "the column %q is the second for %s and left out", heading, fields[twice])
			fields = nil
		case isSize && unit != "", isLength && unit == "other":
			im.notes.faulty = true
			im.say(row.Line, "the column %q is left out: lengths are in cm, m, inches or feet here, sizes European; "+
				"convert them in the spreadsheet", heading)
			fields = nil
		}
		for _, field := range fields {
			seen[field] = true
		}
		im.columns = append(im.columns, column{fields, unit})
	}
}

// units are the words for units that a heading may end with or have in brackets; nothing converts others.
var units = map[string]string{
	"cm": "cm", "centimetres": "cm", "m": "cm", "metres": "cm",
	"in": "in", "inch": "in", "inches": "in", `"`: "in", "″": "in", "pol": "in",
	"polegadas": "in", "pulgadas": "in", "pouces": "in", "ft": "ft", "feet": "ft", "'": "ft",
	"us": "other", "uk": "other", "mm": "other",
}

var between = regexp.MustCompile(`\s*[-–/|+]\s*`)

// fieldsOf are the fields that a heading names, and its unit.
func (im *importer) fieldsOf(heading string) (fields []string, unit string) {
	heading = strings.TrimSpace(heading)
	if at := strings.IndexAny(heading, "(["); at >= 0 {
		unit, heading = units[strings.ToLower(strings.Trim(heading[at:], "()[]. "))], heading[:at]
	} else if at := strings.LastIndexAny(heading, " ,/"); at >= 0 {
		if unit = units[strings.ToLower(strings.TrimRight(heading[at+1:], "."))]; unit != "" {
			heading = heading[:at]
		}
	}
	switch field := im.reading.FieldOf(heading); {
	case field == "measures":
		return figure, unit
	case slices.Contains(importFields, field) || slices.Contains(nameParts, field):
		return []string{field}, unit
	}
	for _, part := range between.Split(heading, -1) {
		field := im.reading.FieldOf(part)
		if !slices.Contains(lengthFields, field) {
			return nil, ""
		}
		fields = append(fields, field)
	}
	return fields, unit
}

var (
	// cellError is what a spreadsheet shows where it can't work out a value.
	cellError  = regexp.MustCompile(`^#(N/?A|VALUE!|WERT!|ARG!|REF!|DIV/0!|NAME\?|NUM!|NULL!|ERROR!|BRAK|N/D)`)
	bareNumber = regexp.MustCompile(`^\d+(?:[.,]\d+)?(½?)$`)
)

// put adds the values of a cell to those of a row, or says what is wrong.
func (c column) put(values map[string]string, cell string) (fault string) {
	if len(c.fields) == 0 {
		return ""
	}
	if cellError.MatchString(cell) {
		return fmt.Sprintf("%s %s is an error of the spreadsheet; correct it there", c.fields[0], cell)
	}
	parts := []string{cell}
	if len(c.fields) > 1 {
		if parts = between.Split(cell, -1); len(parts) != len(c.fields) {
			return fmt.Sprintf("%s %q: %d numbers are needed, such as 86-60-89", strings.Join(c.fields, ", "), cell,
				len(c.fields))
		}
	}
	for i, field := range c.fields {
		value := parts[i]
		if field == "boards" || field == "categories" {
			value = strings.ReplaceAll(value, "\n", "|")
		}
		value = strings.Join(strings.Fields(value), " ")
		if slices.Contains(lengthFields, field) && c.unit != "" && c.unit != "cm" {
			value = strings.ReplaceAll(value, " 1/2", "½")
			switch {
			case !bareNumber.MatchString(value):
			case c.unit == "ft":
				return fmt.Sprintf(`%s %s: write feet and inches, such as 5'10"`, field, value)
			default:
				value += `"`
			}
		}
		values[field] = value
	}
	return ""
}
