package author

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"zedcard/internal/agency"
)

// column is what a column of a spreadsheet holds.
type column struct {
	field string // empty: it is left out
	unit  string // of lengths without one: in; else centimetres, or metres
}

// isHead reports whether a row has the headings: one of them is the name's.
func (im *importer) isHead(cells []string) bool {
	return slices.ContainsFunc(cells, func(heading string) bool { return im.columnOf(heading).field == "name" })
}

// readHeadings says which columns are left out.
func (im *importer) readHeadings(row Row) {
	seen := map[string]bool{"": true}
	for _, heading := range row.Cells {
		heading = strings.Join(strings.Fields(heading), " ")
		c := im.columnOf(heading)
		isLength := agency.IsMeasure(c.field, agency.LengthKind)
		switch {
		case heading == "":
		case c.field == "":
			im.say(row.Line, "the column %q is unknown and left out", heading)
		case seen[c.field]:
			im.say(row.Line, "the column %q is the second for %s and left out", heading, c.field)
			c.field = ""
		case agency.IsMeasure(c.field, agency.SizeKind) && c.unit != "", isLength && c.unit == "other":
			im.notes.faulty = true
			im.say(row.Line, "the column %q is left out: lengths are in cm, m or inches here, sizes European; "+
				"convert them in the spreadsheet", heading)
			c.field = ""
		}
		seen[c.field] = true
		im.columns = append(im.columns, c)
	}
}

// units are the words for units that a heading may end with or have in brackets; nothing converts others.
var units = map[string]string{
	"cm": "cm", "centimetres": "cm", "m": "cm", "metres": "cm",
	"in": "in", "inch": "in", "inches": "in", `"`: "in", "″": "in", "pol": "in",
	"polegadas": "in", "pulgadas": "in", "pouces": "in",
	"us": "other", "uk": "other", "mm": "other", "ft": "other", "feet": "other", "'": "other",
}

// columnOf is the field that a heading names, and its unit.
func (im *importer) columnOf(heading string) column {
	heading = strings.TrimSpace(heading)
	unit := ""
	if at := strings.IndexAny(heading, "(["); at >= 0 {
		unit, heading = units[strings.ToLower(strings.Trim(heading[at:], "()[]. "))], heading[:at]
	} else if at := strings.LastIndexAny(heading, " ,/"); at >= 0 {
		if unit = units[strings.ToLower(strings.TrimRight(heading[at+1:], "."))]; unit != "" {
			heading = heading[:at]
		}
	}
	if field := im.reading.FieldOf(heading); slices.Contains(importFields, field) {
		return column{field, unit}
	}
	return column{}
}

var (
	// cellError is what a spreadsheet shows where it can't work out a value.
	cellError  = regexp.MustCompile(`^#[A-Z]`)
	bareNumber = regexp.MustCompile(`^\d+(?:[.,]\d+)?½?$`)
)

// put adds the value of a cell to those of a row, or says what is wrong.
func (c column) put(values map[string]string, cell string) (fault string) {
	switch {
	case c.field == "":
		return ""
	case cellError.MatchString(cell):
		return fmt.Sprintf("%s %s is an error of the spreadsheet; correct it there", c.field, cell)
	case c.field == "boards" || c.field == "categories":
		cell = strings.ReplaceAll(cell, "\n", "|")
	}
	value := strings.Join(strings.Fields(cell), " ")
	if c.unit == "in" && agency.IsMeasure(c.field, agency.LengthKind) {
		if value = strings.ReplaceAll(value, " 1/2", "½"); bareNumber.MatchString(value) {
			value += `"`
		}
	}
	values[c.field] = value
	return ""
}
