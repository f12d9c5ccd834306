package forms

import (
	"cmp"
	"net/mail"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

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
	age := func(ok func(a *Application, born time.Time) bool) validator.Func {
		return application(func(a *Application, _, _ string) bool { born, _ := a.ParseBirthdate(); return ok(a, born) })
	}
	for tag, rule := range map[string]validator.Func{
		"mail":     text(isMail),
		"name":     text(agency.HasLetter),
		"anyphone": text(isPhone),

		"phone": application(func(a *Application, _, value string) bool { _, ok := a.phones.fit(value); return ok }),

		// An existing date, not in the future, of somebody not older than 100.
		"date": application(func(a *Application, _, _ string) bool { _, ok := a.ParseBirthdate(); return ok }),
		"past": age(func(a *Application, born time.Time) bool { return !born.After(a.today) }),
		"oldenough": age(func(a *Application, born time.Time) bool {
			return agency.Age(born, a.today) >= a.MinimumAge
		}),
		"lifetime": age(func(a *Application, born time.Time) bool {
			return agency.Age(born, a.today) <= maxApplicantAge
		}),

		// Required if there are options, without which the form can't ask, and the field is asked of the applicant's
		// age; required of minors.
		"offered": application(func(a *Application, field, value string) bool {
			return value != "" || a.Minor() && slices.Contains(agency.AdultFields, field) || len(a.offered(field)) == 0
		}),
		"another": application(func(a *Application, _, value string) bool { return !a.isOwnAddress(value) }),
		"minor":   application(func(a *Application, _, value string) bool { return value != "" || !a.Minor() }),
		"consent": application(func(a *Application, _, _ string) bool { return a.ResponsibleConsent || !a.Minor() }),

		// Empty, or one of the options that the back end offers. Values of a country's own list are not checked if that
		// list was not loaded.
		"option": application(func(a *Application, field, value string) bool {
			values := a.offered(field)
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

// isPhone accepts any way to write a phone number, also short ones and those with a word such as "ext.".
func isPhone(value string) bool {
	return len(digit.FindAllString(value, 3)) == 3
}

var digit = regexp.MustCompile(`\p{Nd}`)

// domain is one that the internet has, with a dot, in letters of any language.
var domain = regexp.MustCompile(`^(?:[\pL\pM\p{Nd}](?:[\pL\pM\p{Nd}-]{0,61}[\pL\pM\p{Nd}])?\.)+` +
	`[\pL\pM\p{Nd}][\pL\pM\p{Nd}-]{0,61}[\pL\pM]$`)

// isMail accepts an address that can get mail from the internet: a plain one.
func isMail(value string) bool {
	address, err := mail.ParseAddress(value)
	return err == nil && address.Address == value && domain.MatchString(value[strings.LastIndexByte(value, '@')+1:])
}

// messages are the keys of the messages for a broken rule. All others say that a field is required.
var messages = map[string]string{
	"max": "error.long", "option": "error.option", "mail": "error.email.invalid",
	"another": "error.responsible_email.own", "anyphone": "error.phone.invalid", "date": "error.birthdate.invalid",
	"past": "error.birthdate.future", "oldenough": "error.birthdate.young", "lifetime": "error.birthdate.old",
}

// messageKey is the key of the message for a field that breaks the rule of this tag.
func messageKey(field, tag string) string {
	return cmp.Or(messages[tag], missing[field])
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
