package agency

import (
	"strings"
	"time"
)

// Kind names what a visitor sends, and with it the panel's entry.
type Kind string

// The two forms.
const (
	Contact    Kind = "contact"
	GetScouted Kind = "getScouted"
)

// Submission is what a form sends to the panel. ID is the idempotency key.
type Submission struct {
	ID     string
	Kind   Kind
	Fields []Field // in the order of the form, without empty ones
	Files  []File
	// Guardian is asked to confirm it, and is not delivered to the panel.
	Guardian Guardian
	Client   string // the address that rate limits count; not delivered to the panel
}

// Guardian is the parent or guardian of an applicant under 18; the zero value is nobody.
type Guardian struct {
	Email string
	Lang  string // of the mail to them, such as "pt"
}

// Field is a text field of a submission.
type Field struct {
	Name, Value string
}

// File is a photo of a submission. Type is a MIME type.
type File struct {
	Field, Name, Type string
	Data              []byte
}

// MaxPhoto is the size of the largest photo, in bytes.
const MaxPhoto = 10 << 20

// MaxOriginal is the size of the largest picture that the site shows, in bytes.
const MaxOriginal = 40 << 20

// PhotoFields are the fields of an application's three photos.
var PhotoFields = []string{"image_1", "image_2", "image_3"}

// AdultFields are the fields of an application that minors are not asked for, and whose values they do not send.
var AdultFields = []string{"bust", "waist", "hips", "dress"}

// Minor reports whether a submission is of an applicant under 18: by the date of birth, or because it names the
// responsible adult, whom only they have to name.
func (s Submission) Minor(today time.Time) bool {
	for _, field := range s.Fields {
		birth, err := time.Parse(time.DateOnly, field.Value)
		if field.Name == "responsible" || field.Name == "birthdate" && err == nil && Underage(birth, today) {
			return true
		}
	}
	return false
}

// Contact is the sender's name and mail address.
func (s Submission) Contact() (name, email string) {
	for _, field := range s.Fields {
		switch field.Name {
		case "name", "realname":
			name = field.Value
		case "email":
			email = field.Value
		}
	}
	return name, email
}

// MailAddresses are the mail addresses of the sender and, of a minor, of the responsible adult, normalised.
func (s Submission) MailAddresses() []string {
	var addresses []string
	for _, field := range s.Fields {
		texts := []string{field.Value}
		switch field.Name {
		case "email":
		case "responsible":
			texts = strings.Split(field.Value, ResponsibleSeparator)[1:]
		default:
			continue
		}
		for _, text := range texts {
			if strings.Contains(text, "@") {
				addresses = append(addresses, NormalizeAddress(text))
			}
		}
	}
	return addresses
}

// NormalizeAddress is a mail address without spaces around it and in lower case.
func NormalizeAddress(text string) string { return strings.ToLower(strings.TrimSpace(text)) }
