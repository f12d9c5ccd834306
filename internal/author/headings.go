package author

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/author/sheet"
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

// maxTitles is how many rows may stand above the headings.
const maxTitles = 30

// readHeadings finds the row of headings, that with the most known ones, and says which columns are left out. It
// returns the place of the row, negative if no row has a name.
func (im *importer) readHeadings(rows []sheet.Row) int {
	head, most := -1, 0
	for i, row := range rows[:min(len(rows), maxTitles)] {
		known, named := 0, false
		for _, heading := range row.Cells {
			fields, _ := im.fieldsOf(heading)
			if len(fields) > 0 {
				known++
			}
			named = named || slices.Contains(fields, "name") || slices.Contains(fields, nameParts[1])
		}
		if named && known > most {
			head, most = i, known
		}
	}
	if head < 0 {
		return head
	}
	row, seen := rows[head], map[string]bool{}
	for at, heading := range row.Cells {
		heading = strings.Join(strings.Fields(heading), " ")
		fields, note := im.fieldsOf(heading)
		if fields == nil && heading != "" && holdsFigures(rows[head+1:], at) {
			fields = figure
			im.say(row.Line, "the column %q is read as bust, waist, hips", heading)
		}
		unit, refused := unitOf(fields, note)
		twice := slices.IndexFunc(fields, func(field string) bool { return seen[field] })
		switch {
		case heading == "":
		case fields == nil:
			im.say(row.Line, "the column %q is unknown and left out", heading)
		case twice >= 0:
			im.say(row.Line, "the column %q is the second for %s and left out", heading, fields[twice])
			fields = nil
		case refused:
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
	return head
}

var (
	bracket  = regexp.MustCompile(`^(.*?)[(\[]([^)\]]*)[)\]](.*)$`)
	lastWord = regexp.MustCompile(`^(.*?)[ ,/.]*(\b\pL+|')\.?$`)
	between  = regexp.MustCompile(`\s*[-–/|+]\s*`)
)

// fieldsOf are the fields that a heading names, and what it says of their unit.
func (im *importer) fieldsOf(heading string) (fields []string, note string) {
	heading = strings.TrimSpace(heading)
	if found := bracket.FindStringSubmatch(heading); found != nil {
		heading, note = found[1]+found[3], found[2]
	}
	if strings.ContainsAny(heading, `"″”`) {
		note += ` "`
	}
	field := im.reading.FieldOf(heading)
	if field == "" {
		if found := lastWord.FindStringSubmatch(heading); found != nil && isUnit(found[2]) {
			heading, note = found[1], found[2]
			field = im.reading.FieldOf(heading)
		}
	}
	switch {
	case field == "measures":
		return figure, note
	case slices.Contains(importFields, field) || slices.Contains(nameParts, field):
		return []string{field}, note
	}
	for _, part := range between.Split(heading, -1) {
		field := im.reading.FieldOf(part)
		if !slices.Contains(lengthFields, field) {
			return nil, ""
		}
		fields = append(fields, field)
	}
	return fields, note
}

// units are words for the units of a heading: cm, in, ft, and others that are not converted.
var units = func() map[string]string {
	all := map[string]string{}
	for unit, words := range map[string]string{
		"cm":    "cm centimetres centimeters centimetros centimetres centimetri m metres meters metros metri",
		"in":    "in inch inches pol polegadas pulgadas pouces pollici cale zoll",
		"ft":    "ft feet foot pes pies pieds",
		"other": "us usa uk gb au jp jpn it mm kg lb lbs",
	} {
		for word := range strings.FieldsSeq(words) {
			all[word] = unit
		}
	}
	return all
}()

func isUnit(word string) bool {
	return units[agency.Fold(word)] != "" || word == "'"
}

// unitOf is the unit that a heading names for its fields. It is refused if nothing converts it.
func unitOf(fields []string, note string) (unit string, refused bool) {
	if len(fields) == 0 {
		return "", false
	}
	for word := range strings.FieldsFuncSeq(agency.Fold(note), letterWords) {
		if of := units[word]; unit == "" || of == "ft" || of == "other" {
			unit = of
		}
	}
	switch {
	case unit == "" && strings.ContainsAny(note, `"″”`):
		unit = "in"
	case unit == "" && strings.ContainsAny(note, `'′’`):
		unit = "ft"
	}
	if slices.Contains(sizeFields, fields[0]) {
		return "", unit != ""
	}
	return unit, unit == "other" && slices.Contains(lengthFields, fields[0])
}

var threeNumbers = regexp.MustCompile(`^\s*\d{2,3}([.,]5)?\s*[-–/]\s*\d{2,3}([.,]5)?\s*[-–/]\s*\d{2,3}([.,]5)?\s*$`)

// holdsFigures reports whether the values of a column are like 86-60-89.
func holdsFigures(rows []sheet.Row, at int) bool {
	alike, others := 0, 0
	for _, row := range rows {
		if at >= len(row.Cells) || strings.TrimSpace(row.Cells[at]) == "" {
			continue
		}
		if threeNumbers.MatchString(row.Cells[at]) {
			alike++
		} else {
			others++
		}
	}
	return alike > others
}

var bareNumber = regexp.MustCompile(`^\d+(?:[.,]\d+)?(½?)$`)

// put adds the values of a cell to those of a row, or says what is wrong.
func (c column) put(values map[string]string, cell string) (fault string) {
	if len(c.fields) == 0 {
		return ""
	}
	parts := []string{cell}
	if len(c.fields) > 1 {
		if parts = between.Split(strings.TrimSpace(cell), -1); len(parts) != len(c.fields) {
			return fmt.Sprintf("%s %q: %d numbers are needed, such as 86-60-89", strings.Join(c.fields, ", "),
				strings.TrimSpace(cell), len(c.fields))
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
