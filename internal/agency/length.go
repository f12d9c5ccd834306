package agency

import (
	"cmp"
	"math"
	"regexp"
	"strconv"
	"strings"
)

const (
	cmPerInch = 2.54
	cmPerFoot = 12 * cmPerInch
)

// The ways in which a length is written: centimetres or metres, metres and centimetres, feet and inches, inches. A bare
// number up to 3 is metres: nobody is 1.78 cm tall. After a separator the same length is repeated in the other unit.
var (
	separator = regexp.MustCompile(`[/|()]| [-–] `)

	metric = regexp.MustCompile(`^(\d+(?:[.,]\d+)?)\s*(m|cm|)\.?$`)
	metres = regexp.MustCompile(`^(\d)\s*m\s*(\d\d)$`)
	feet   = regexp.MustCompile(`^(\d+)\s*(?:'|’|′|ft)\s*(?:(\d+(?:[.,]\d+)?)?\s*(½)?\s*(?:''|"|”|″|’’|′′|in)?)$`)
	inches = regexp.MustCompile(`^(\d+(?:[.,]\d+)?)?\s*(½)?\s*(?:''|"|”|″|’’|′′|in)$`)
)

// ParseLength reads a length as the back ends write it: "178", "178 cm", "1,78 m", `178/5'10"`,
// `5'10"`, `33½"`. ok is false where the text is no length.
func ParseLength(text string) (cm float64, ok bool) {
	cm, _, ok = ParseLengths(text)
	return cm, ok
}

// ParseLengths also gives the length that the text repeats in feet or inches, in centimetres, too: the same where it
// does not.
func ParseLengths(text string) (cm, imperial float64, ok bool) {
	if cm, err := strconv.ParseUint(text, 10, 16); err == nil && cm > 3 { // nearly all of them, without the expressions
		return float64(cm), float64(cm), true
	}
	for _, part := range separator.Split(strings.ToLower(text), -1) {
		part = strings.TrimSpace(part)
		length, isLength := parseLength(part)
		switch isImperial := feet.MatchString(part) || inches.MatchString(part); {
		case !isLength:
		case isImperial && imperial == 0:
			imperial = length
		case !isImperial && cm == 0:
			cm = length
		}
	}
	cm, imperial = cmp.Or(cm, imperial), cmp.Or(imperial, cm)
	return cm, imperial, cm > 0
}

func parseLength(text string) (cm float64, ok bool) {
	if m := metric.FindStringSubmatch(text); m != nil {
		cm = number(m[1])
		if m[2] == "m" || m[2] == "" && cm <= 3 {
			cm = math.Round(cm*10000) / 100 // 1.78*100 is not exactly 178
		}
	} else if m := metres.FindStringSubmatch(text); m != nil {
		cm = number(m[1])*100 + number(m[2])
	} else if m := feet.FindStringSubmatch(text); m != nil {
		cm = number(m[1])*cmPerFoot + (number(m[2])+half(m[3]))*cmPerInch
	} else if m := inches.FindStringSubmatch(text); m != nil {
		cm = (number(m[1]) + half(m[2])) * cmPerInch
	}
	return cm, cm > 0
}

func number(text string) float64 {
	n, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil {
		return 0
	}
	return n
}

func half(sign string) float64 {
	if sign == "" {
		return 0
	}
	return 0.5
}

// Inches converts a length to feet and inches, to the nearest half inch.
func Inches(cm float64) (feet, inches int, half bool) {
	halves := int(math.Floor((200*cm + 127) / 254))
	return halves / 24, halves % 24 / 2, halves%2 == 1
}
