package forms

import (
	"strings"
	"unicode"

	"github.com/nyaruka/phonenumbers"
)

// Phones says which phone numbers an application may have (APPLY_PHONE): one of these, or the ISO code of the country
// whose numbers may come without their code, among those of every country.
type Phones string

const (
	// MaskPhones are thirteen digits, written +NN (NN) NNNNN-NNNN.
	MaskPhones Phones = "mask"
	// InternationalPhones are those of any country's numbering plan, with the country's code.
	InternationalPhones Phones = "international"
)

// fit normalises a number, however it was typed or pasted; false if it is not valid.
func (p Phones) fit(typed string) (number string, ok bool) {
	switch p {
	case MaskPhones, "":
		return fitMask(typed)
	case InternationalPhones:
		return fitInternational(typed, "")
	}
	return fitInternational(typed, string(p))
}

// Abroad reports whether numbers of every country are taken.
func (p Phones) Abroad() bool { return p != MaskPhones && p != "" }

// maskDigits is how many digits the mask has.
const maskDigits = 13

func fitMask(typed string) (number string, ok bool) {
	var digits []byte
	for _, r := range typed {
		switch {
		case r >= '0' && r <= '9':
			digits = append(digits, byte(r))
		case !isPunctuation(r):
			return typed, false
		}
	}
	if len(digits) != maskDigits {
		return typed, false
	}
	d := string(digits)
	return "+" + d[:2] + " (" + d[2:4] + ") " + d[4:9] + "-" + d[9:], true
}

// isPunctuation reports whether a character may appear between digits that people type or paste.
func isPunctuation(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsSymbol(r)
}

// fitInternational reads a number with its country code, after + or 00, or without it one of this country, if any.
func fitInternational(typed, country string) (number string, ok bool) {
	full := typed
	if rest, found := strings.CutPrefix(typed, "00"); found {
		full = "+" + rest
	}
	parsed, err := phonenumbers.Parse(full, country)
	if err != nil || !phonenumbers.IsValidNumber(parsed) {
		return typed, false
	}
	return phonenumbers.Format(parsed, phonenumbers.INTERNATIONAL), true
}
