package i18n

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

const noBreakSpace = "\u00a0"

// formats are how a language writes dates and numbers, from its texts.
type formats struct {
	name, locale       string
	months             []string // from January
	date, firstDay     string
	decimal, thousands string // the signs of a number
	groupFrom          int    // the fewest digits that are grouped
}

// newFormats reads the formats of a language: the signs of numbers from examples, 12,345.6 and 1,234. What its texts
// don't say is as Unicode's tables have it, or as in English.
func newFormats(l Lang, own, english func(key string) string) formats {
	tag := language.Make(string(l))
	region, _ := tag.Region()
	printer := message.NewPrinter(language.Make(string(l) + "-u-nu-latn"))
	f := formats{
		name:   cmp.Or(own("language.name"), cases.Title(tag, cases.NoLower).String(display.Self.Name(tag))),
		locale: cmp.Or(own("language.locale"), string(l.Base())+"_"+region.String()),
		months: strings.Fields(cmp.Or(own("language.months"), english("language.months"))),
		date:   cmp.Or(own("language.date"), english("language.date")),

		firstDay: cmp.Or(own("language.first-day"), "1"), groupFrom: 5,
	}
	if region := l.Region(); region != "" {
		f.locale = string(l.Base()) + "_" + region
	}
	example := cmp.Or(own("language.number"), printer.Sprint(number.Decimal(12345.6)))
	f.thousands, f.decimal, _ = strings.Cut(strings.TrimSuffix(strings.TrimPrefix(example, "12"), "6"), "345")
	if four := cmp.Or(own("language.thousand"), printer.Sprint(number.Decimal(1234))); len(four) > len("1234") {
		f.groupFrom = 4
	}
	return f
}

// Integer writes a whole number with the language's thousands separator.
func (l *Language) Integer(n int) string {
	digits := strconv.Itoa(n)
	if n < 0 || len(digits) < l.groupFrom {
		return digits
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + l.thousands + digits[at:]
	}
	return digits
}

// Decimal writes a number with at most one decimal, after the language's own sign.
func (l *Language) Decimal(value float64) string {
	return l.Digits(strings.TrimSuffix(strconv.FormatFloat(value, 'f', 1, 64), ".0"))
}

// Digits is a number such as 38.5 with the language's own sign for the point.
func (l *Language) Digits(number string) string {
	return strings.Replace(number, ".", l.decimal, 1)
}

// Centimetres writes a length in centimetres, such as "177 cm", with a no-break space.
func (l *Language) Centimetres(cm float64) string { return l.Decimal(cm) + noBreakSpace + "cm" }

// FeetInches writes a height such as 5′9½″, to the half inch.
func FeetInches(feet, inches int, half bool) string {
	return strconv.Itoa(feet) + "′" + Inches(inches, half)
}

// Inches writes a length such as 24½″, to the half inch.
func Inches(inches int, half bool) string {
	if half {
		if inches == 0 {
			return "½″"
		}
		return strconv.Itoa(inches) + "½″"
	}
	return strconv.Itoa(inches) + "″"
}

// Size writes a clothing or shoe size such as 39.5: the decimal point becomes the language's own. A text that is not a
// number is returned unchanged.
func (l *Language) Size(text string) string {
	value, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(text), ",", ".", 1), 64)
	if err != nil {
		return text
	}
	return l.Decimal(value)
}

// Date writes a day in full: 3 March 2026, 3 de março de 2026.
func (l *Language) Date(day time.Time) string { return l.write(day, l.date) }

// DayMonth writes a day without its year, where the language writes that last: 3 March.
func (l *Language) DayMonth(day time.Time) string {
	before, _, _ := strings.Cut(l.date, "{month}")
	if !strings.Contains(before, "{day}") {
		return l.Date(day)
	}
	return l.write(day, before+"{month}")
}

// MonthYear writes a month with its year, where the language writes the day first: March 2026, março de 2026.
func (l *Language) MonthYear(day time.Time) string {
	before, after, _ := strings.Cut(l.date, "{month}")
	if !strings.Contains(before, "{day}") {
		return l.Date(day)
	}
	return l.write(day, "{month}"+after)
}

func (l *Language) write(day time.Time, pattern string) string {
	number := strconv.Itoa(day.Day())
	if day.Day() == 1 {
		number = l.firstDay
	}
	month := strconv.Itoa(int(day.Month()))
	if len(l.months) == 12 {
		month = l.months[day.Month()-1]
	}
	return fill(pattern, []string{"day", number, "month", month, "year", strconv.Itoa(day.Year())})
}
