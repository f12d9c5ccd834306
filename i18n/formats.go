package i18n

import (
	"cmp"
	"strconv"
	"strings"
	"time"
)

const noBreakSpace = "\u00a0"

// Integer writes a whole number with the language's thousands separator.
func (l Lang) Integer(n int) string {
	digits := strconv.Itoa(n)
	language := l.language()
	if n < 0 || len(digits) < language.GroupFrom {
		return digits
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + language.Thousands + digits[at:]
	}
	return digits
}

// Decimal writes a number with at most one decimal, after the language's own sign.
func (l Lang) Decimal(value float64) string {
	return l.Digits(strings.TrimSuffix(strconv.FormatFloat(value, 'f', 1, 64), ".0"))
}

// Digits is a number such as 38.5 with the language's own sign for the point.
func (l Lang) Digits(number string) string {
	return strings.Replace(number, ".", l.language().Decimal, 1)
}

// Centimetres writes a length in centimetres, such as "177 cm", with a no-break space.
func (l Lang) Centimetres(cm float64) string { return l.Decimal(cm) + noBreakSpace + "cm" }

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
func (l Lang) Size(text string) string {
	value, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(text), ",", ".", 1), 64)
	if err != nil {
		return text
	}
	return l.Decimal(value)
}

// Date writes a day in full: 3 March 2026, 3 de março de 2026.
func (l Lang) Date(day time.Time) string {
	language := l.language()
	number := strconv.Itoa(day.Day())
	if day.Day() == 1 {
		number = cmp.Or(language.FirstDay, number)
	}
	return fill(language.Date, []string{
		"day", number, "month", language.Months[day.Month()-1], "year", strconv.Itoa(day.Year()),
	})
}
