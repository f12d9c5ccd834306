package i18n

import (
	"strconv"
	"strings"
	"time"
)

const noBreakSpace = "\u00a0"

// Decimal writes a number with at most one decimal: a point in English, a comma in Portuguese
// and Spanish.
func (l Lang) Decimal(value float64) string {
	text := strings.TrimSuffix(strconv.FormatFloat(value, 'f', 1, 64), ".0")
	if l != EN {
		text = strings.Replace(text, ".", ",", 1)
	}
	return text
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

// Size writes a clothing or shoe size such as 39.5: the decimal point becomes the language's own.
// A text that is not a number is shown as it came.
func (l Lang) Size(text string) string {
	value, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(text), ",", ".", 1), 64)
	if err != nil {
		return text
	}
	return l.Decimal(value)
}

var months = map[Lang][]string{
	EN: {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
	PT: {"janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro"},
	ES: {"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"},
}

// Date writes a day in full: 3 March 2026, 3 de março de 2026, 3 de marzo de 2026.
func (l Lang) Date(day time.Time) string {
	number, month, year := strconv.Itoa(day.Day()), months[l][day.Month()-1], strconv.Itoa(day.Year())
	if l == EN {
		return number + " " + month + " " + year
	}
	return number + " de " + month + " de " + year
}
