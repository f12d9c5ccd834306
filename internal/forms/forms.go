// Package forms parses and validates the two forms and makes the submission that the panel receives. Messages are keys
// of i18n.
package forms

import (
	"crypto/rand"
	"iter"
	"maps"
	"net/url"
	"reflect"
	"strings"

	"github.com/go-playground/validator/v10"

	"zedcard/internal/agency"
)

// Error is a validation error of a field. Key is the key of its message and Args the names and values of the message's
// placeholders, as for i18n's T.
type Error struct {
	Field string
	Key   string
	Args  []string
}

// faults are the errors that were found before validation, by field.
type faults map[string]Error

// fields are the string fields of a form's struct with their inputs' names, in order.
func fields(form any) iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		value := reflect.ValueOf(form).Elem()
		for _, field := range reflect.VisibleFields(value.Type()) {
			name := field.Tag.Get("form")
			if name != "" && field.Type.Kind() == reflect.String && !yield(name, value.FieldByIndex(field.Index)) {
				return
			}
		}
	}
}

// fill puts posted values into a form's struct. A repeated field keeps the first value and is a fault: browsers don't
// do that.
func fill(form any, values url.Values) faults {
	found := faults{}
	for name, field := range fields(form) {
		sent := values[name]
		if len(sent) == 0 {
			continue
		}
		field.SetString(agency.Clean(sent[0], name == "message"))
		if len(sent) > 1 {
			found[name] = Error{Field: name, Key: "error.repeated"}
		}
	}
	return found
}

// check validates a form by its tags; known faults take precedence. The errors are in the order of the struct, one for
// each field.
func check(form any, known faults, key func(field, tag string) string) []Error {
	found := make(faults, len(known))
	if broken, ok := rules.Struct(form).(validator.ValidationErrors); ok {
		for _, b := range broken {
			e := Error{Field: b.Field(), Key: key(b.Field(), b.Tag())}
			if b.Tag() == "max" {
				e.Args = []string{"max", b.Param()}
			}
			found[e.Field] = e
		}
	}
	maps.Copy(found, known)
	var errors []Error
	for _, field := range reflect.VisibleFields(reflect.TypeOf(form).Elem()) {
		if e, wrong := found[field.Tag.Get("form")]; wrong {
			errors = append(errors, e)
		}
	}
	return errors
}

// Contact is the contact form.
type Contact struct {
	Name    string `form:"name" validate:"required,name,max=200"`
	Email   string `form:"email" validate:"required,max=254,mail"`
	Phone   string `form:"phone" validate:"required,max=60,anyphone"`
	Message string `form:"message" validate:"required,max=4000"`

	Brief

	// Notes are added to the message for the agency: the talents that it is about, and the brief.
	Notes string

	faults faults
}

// Brief is the information that lets the agency answer a booking enquiry at once; all of it is optional.
type Brief struct {
	Dates     string `form:"dates" validate:"max=200"`
	City      string `form:"city" validate:"max=200"`
	Deadline  string `form:"deadline" validate:"max=200"`
	Usage     string `form:"usage" validate:"max=200"`
	Territory string `form:"territory" validate:"max=200"`
	Term      string `form:"term" validate:"max=200"`
}

// ParseContact reads the posted values of the contact form.
func ParseContact(values url.Values) *Contact {
	c := &Contact{}
	c.faults = fill(c, values)
	return c
}

// Validate lists the errors in the order of the form; none means that it can be submitted.
func (c *Contact) Validate() []Error { return check(c, c.faults, messageKey) }

// Submission is what the panel receives under this id.
func (c *Contact) Submission(id string) agency.Submission {
	s, message := agency.Submission{ID: id, Kind: agency.Contact}, c.Message
	if c.Notes != "" {
		message += "\n\n" + c.Notes
	}
	for _, field := range [][2]string{{"name", c.Name}, {"email", c.Email}, {"phone", c.Phone}, {"message", message}} {
		s.Fields = add(s.Fields, field[0], field[1])
	}
	return s
}

// add appends a field that is not empty.
func add(fields []agency.Field, name, value string) []agency.Field {
	if value == "" {
		return fields
	}
	return append(fields, agency.Field{Name: name, Value: value})
}

// HoneypotInput is an input that people do not see, but programs that fill in everything fill in.
const HoneypotInput = "homepage"

// HoneypotFilled reports whether the honeypot is filled in. Such a form is answered like any other.
func HoneypotFilled(values url.Values) bool {
	return strings.Join(values[HoneypotInput], "") != ""
}

// TokenInput is the hidden input that carries a form's token: a page that is posted twice with the same content (double
// click, reload, resend) is one submission. It is no secret and nothing is refused for it.
const TokenInput = "form_token"

// NewToken is the token of one page.
func NewToken() string { return rand.Text() }
