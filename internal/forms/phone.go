package forms

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/nyaruka/phonenumbers"
)

// Phones says which phone numbers an application may have (apply in agency.yaml): one of these, or the ISO code of the
// country whose numbers may come without their code, among those of every country.
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

// Country is the ISO code of the country whose numbers may come without their code; empty if there is none.
func (p Phones) Country() string {
	if len(p) == 2 {
		return string(p)
	}
	return ""
}

// maskDigits are the digits of a number, in the groups of the mask.
var maskDigits = regexp.MustCompile(`^(\d\d)(\d\d)(\d{5})(\d{4})$`)

func fitMask(typed string) (number string, ok bool) {
	digits := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsSymbol(r) { // as people type or paste between them
			return -1
		}
		return r
	}, typed)
	if !maskDigits.MatchString(digits) {
		return typed, false
	}
	return maskDigits.ReplaceAllString(digits, "+$1 ($2) $3-$4"), true
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
