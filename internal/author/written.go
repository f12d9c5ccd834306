package author

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/folder"
)

var (
	dayParts  = regexp.MustCompile(`^([0-9]{1,4}) ?[./-] ?([0-9]{1,2}) ?[./-] ?([0-9]{1,4})$`)
	dayTime   = regexp.MustCompile(`[ T][0-9]{1,2}:.*$`)
	plainName = regexp.MustCompile(`^\pL[\pL\pN +-]*$`)
	truthy    = []string{"true", "yes", "sim", "sí", "si", "oui", "x", "1"}
)

// written is a value as a talent.yaml has it, or the fault for which there is none.
func (im *importer) written(line int, field, value string) (written, fault string) {
	if agency.IsMeasure(field, agency.LengthKind) {
		return im.length(line, field, value), ""
	}
	switch field {
	case "birthdate", "measured", "in_town_from", "in_town_until":
		return im.day(line, field, value)
	case "boards", "categories":
		return list(value), ""
	case "draft":
		return strconv.FormatBool(slices.Contains(truthy, folder.Fold(value))), ""
	case "gender":
		gender := agency.GenderOf(value, im.reading.Site().Texts)
		if gender == "" || im.mixed && folder.Fold(value) == "m" {
			return "", fmt.Sprintf("gender %q: write woman or man", value)
		}
		return string(gender), ""
	case "name", "hair", "eyes", "in_town", "instagram":
		return quoted(value), ""
	}
	return value, "" // the reader says what is wrong with a number
}

// withUnit finds a unit in a length, or a sign of one.
var withUnit = regexp.MustCompile(`[\pL'’′"”″]`)

// length is a length in centimetres, from whatever unit stands behind it. The reader says what is wrong with others.
func (im *importer) length(line int, field, value string) string {
	number, isNumber := folder.ParseNumber(value)
	switch {
	case isNumber && number > 3:
		return value
	case !isNumber && !withUnit.MatchString(value):
		return quoted(value)
	}
	cm, ok := agency.ParseLength(value)
	if !ok {
		return quoted(value)
	}
	unit := "metres"
	if !isNumber && !strings.Contains(value, "m") {
		unit, cm = "inches", math.Round(cm)
	}
	im.notes.add(line, field+": "+unit+" are read as centimetres")
	return strconv.FormatFloat(math.Round(cm*10)/10, 'f', -1, 64)
}

// list is a list of the names in a cell, with | or line breaks between them.
func list(value string) string {
	var names []string
	for name := range strings.SplitSeq(value, "|") {
		if name = strings.TrimSpace(name); name != "" && !plainName.MatchString(name) {
			name = strconv.Quote(name)
		}
		if name != "" {
			names = append(names, name)
		}
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// day is a date as yyyy-mm-dd; one that can't be read stays, and is a fault. A year of two digits is the last that was.
func (im *importer) day(line int, field, value string) (written, fault string) {
	date := dayTime.ReplaceAllString(value, "")
	parts := dayParts.FindStringSubmatch(date)
	if parts == nil {
		return quoted(date), ""
	}
	layout := map[string]string{"dmy": "2/1/2006", "mdy": "1/2/2006"}[im.Dates]
	isShort := len(parts[1]) < 4 && len(parts[3]) == 2
	switch {
	case len(parts[1]) == 4:
		layout = "2006/1/2"
	case layout == "":
		return "", field + ": does the day come first? say it with --dates dmy or mdy"
	case isShort:
		layout = strings.TrimSuffix(layout, "2006") + "06"
	}
	day, err := time.Parse(layout, strings.Join(parts[1:], "/"))
	if err != nil {
		return quoted(date), ""
	}
	if isShort {
		if field == "birthdate" && day.After(im.now) {
			day = day.AddDate(-100, 0, 0)
		}
		im.notes.add(line, field+": of a year of two digits the last that was is taken")
	}
	return day.Format(time.DateOnly), ""
}
