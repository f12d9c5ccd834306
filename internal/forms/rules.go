package forms

import (
	"net/mail"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/go-playground/validator/v10"

	"zedcard/internal/agency"
)

// rules are validator's own (required, max) and the ones below.
var rules = newRules()

func newRules() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string { return f.Tag.Get("form") })
	text := func(ok func(string) bool) validator.Func {
		return func(level validator.FieldLevel) bool { return ok(level.Field().String()) }
	}
	application := func(ok func(a *Application, field, value string) bool) validator.Func {
		return func(level validator.FieldLevel) bool {
			a, is := level.Top().Interface().(*Application)
			return is && ok(a, level.FieldName(), level.Field().String())
		}
	}
	for tag, rule := range map[string]validator.Func{
		"mail":     text(isMail),
		"anyphone": text(isPhone),

		"phone": application(func(a *Application, _, value string) bool { _, ok := a.phones.fit(value); return ok }),

		// An existing date, not in the future, of somebody not older than 100.
		"date": application(func(a *Application, _, _ string) bool { _, ok := a.ParseBirthdate(); return ok }),
		"past": application(
			func(a *Application, _, _ string) bool { born, _ := a.ParseBirthdate(); return !born.After(a.today) }),
		"oldenough": application(func(a *Application, _, _ string) bool {
			born, _ := a.ParseBirthdate()
			return agency.Age(born, a.today) >= a.MinimumAge
		}),
		"lifetime": application(func(a *Application, _, _ string) bool {
			born, _ := a.ParseBirthdate()
			return agency.Age(born, a.today) <= maxApplicantAge
		}),

		// Required if there are options, and the field is asked of the applicant's age; required of minors.
		"offered": application(func(a *Application, field, value string) bool {
			return value != "" || a.Minor() && slices.Contains(agency.AdultFields, field) || !a.canChoose(field)
		}),
		"another": application(func(a *Application, _, value string) bool { return !a.isOwnAddress(value) }),
		"minor":   application(func(a *Application, _, value string) bool { return value != "" || !a.Minor() }),
		"consent": application(func(a *Application, _, _ string) bool {
			return a.ResponsibleConsent || !a.Minor()
		}),

		// Empty, or one of the options that the back end offers. Values of a country's own list are not checked if that
		// list was not loaded.
		"option": application(func(a *Application, field, value string) bool {
			values, _ := a.offered(field)
			return value == "" || slices.Contains(values, value) ||
				len(values) == 0 && slices.Contains(byCountry, field)
		}),
	} {
		if err := v.RegisterValidation(tag, rule, true); err != nil {
			panic(err) // all tags are listed above
		}
	}
	return v
}

// byCountry are the fields whose options the back end gives for a country.
var byCountry = []string{"city", "hair_kind", "hair_size"}

// maxApplicantAge is the greatest plausible age, in years.
const maxApplicantAge = 100

// canChoose is false if the back end gives no options for a field; the form then can't ask for it.
func (a *Application) canChoose(field string) bool {
	values, _ := a.offered(field)
	return len(values) > 0
}

// isPhone accepts any way to write a phone number, also short ones and those with a word such as "ext.".
func isPhone(value string) bool {
	digits := 0
	for _, r := range value {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return digits >= 3
}

// isMail accepts an address that can get mail from the internet: a plain one with a dot in its domain, in letters of
// any language.
func isMail(value string) bool {
	address, err := mail.ParseAddress(value)
	if err != nil || address.Address != value {
		return false
	}
	at := strings.LastIndexByte(value, '@')
	labels := strings.Split(value[at+1:], ".")
	if len(labels) < 2 {
		return false
	}
	for _, label := range labels {
		if !isLabel(label) {
			return false
		}
	}
	top := []rune(labels[len(labels)-1])
	return len(top) >= 2 && !unicode.IsDigit(top[len(top)-1])
}

// isLabel reports whether text is a valid label of a domain.
func isLabel(text string) bool {
	if text == "" || len(text) > 63 || strings.HasPrefix(text, "-") || strings.HasSuffix(text, "-") {
		return false
	}
	for _, r := range text {
		if r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			return false
		}
	}
	return true
}

// messageKey is the key of the message for a field that breaks the rule of this tag.
func messageKey(field, tag string) string {
	switch tag {
	case "max":
		return "error.long"
	case "option":
		return "error.option"
	case "mail":
		return "error.email.invalid"
	case "another":
		return "error.responsible_email.own"
	case "anyphone":
		return "error.phone.invalid"
	case "date":
		return "error.birthdate.invalid"
	case "past":
		return "error.birthdate.future"
	case "oldenough":
		return "error.birthdate.young"
	case "lifetime":
		return "error.birthdate.old"
	}
	return missing[field]
}

// missing are the keys of the messages for required fields that are empty.
var missing = map[string]string{
	"name": "error.name.required", "email": "error.email.required", "phone": "error.phone.required",
	"message": "error.message.required", "realname": "error.realname.required",
	"birthdate": "error.birthdate.required", "responsible": "error.responsible.required",
	"responsible_email": "error.responsible_email.required", "responsible_phone": "error.responsible_phone.required",
	"responsible_consent": "error.responsible_consent.required", "gender": "error.gender.required",
	"nationality": "error.nationality.required", "note": "error.note.required", "height": "error.height.required",
	"bust": "error.bust.required", "waist": "error.waist.required", "hips": "error.hips.required",
	"shoes": "error.shoes.required", "dress": "error.dress.required", "eyes": "error.eyes.required",
	"hair": "error.hair.required", "image_1": "error.image_1.required", "image_2": "error.image_2.required",
	"image_3": "error.image_3.required", "privacy": "error.privacy.required",
}
