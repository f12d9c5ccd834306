package agency

import (
	"cmp"
	"slices"
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
	Preview           []byte // a small JPEG of it; may be empty
}

// MaxPhoto is the size of the largest photo, in bytes.
const MaxPhoto = 10 << 20

// MaxOriginal is the size of the largest picture that the site shows, in bytes.
const MaxOriginal = 40 << 20

// PhotoFields are the fields of an application's three photos.
var PhotoFields = []string{"image_1", "image_2", "image_3"}

// AdultFields are the fields of an application that minors are not asked for, and whose values they do not send.
var AdultFields = []string{"bust", "waist", "hips", "dress"}

// value is that of a field; empty where there is none.
func (s Submission) value(name string) string {
	for _, field := range s.Fields {
		if field.Name == name {
			return field.Value
		}
	}
	return ""
}

// Birthdate is the applicant's, as it was sent; empty where none is named.
func (s Submission) Birthdate() string { return s.value("birthdate") }

// Minor reports whether a submission is of an applicant under 18: by the date of birth, or because it names the
// responsible adult, whom only they have to name.
func (s Submission) Minor(today time.Time) bool {
	birth, err := time.Parse(time.DateOnly, s.value("birthdate"))
	return s.value("responsible") != "" || err == nil && Underage(birth, today)
}

// Contact is the sender's name and mail address; where the sender is withheld, those of the responsible adult.
func (s Submission) Contact() (name, email string) {
	if name = cmp.Or(s.value("name"), s.value("realname")); name == "" && s.responsible() != nil {
		return s.responsible()[0], s.GuardianAddress()
	}
	return name, s.value("email")
}

// Withheld is what may be seen of a minor's application before a guardian has confirmed it: whom to ask, and what was
// agreed to.
func (s Submission) Withheld() Submission {
	s.Files = nil
	s.Fields = slices.DeleteFunc(slices.Clone(s.Fields), func(f Field) bool {
		return f.Name != "responsible" && f.Name != ConsentsField
	})
	return s
}

// responsible are name, address and phone of the responsible adult, as the panel gets them; nil where none is named.
func (s Submission) responsible() []string {
	if value := s.value("responsible"); value != "" {
		return strings.Split(value, ResponsibleSeparator)
	}
	return nil
}

// GuardianAddress is the mail address of the responsible adult, as the panel gets it; empty where none is named.
func (s Submission) GuardianAddress() string {
	if parts := s.responsible(); len(parts) > 1 {
		return parts[1]
	}
	return ""
}

// MailAddresses are the mail addresses of the sender and, of a minor, of the responsible adult, normalised.
func (s Submission) MailAddresses() []string {
	var addresses []string
	for _, text := range append([]string{s.value("email")}, s.responsible()[min(1, len(s.responsible())):]...) {
		if strings.Contains(text, "@") {
			addresses = append(addresses, NormalizeAddress(text))
		}
	}
	return addresses
}

// NormalizeAddress is a mail address without spaces around it and in lower case.
func NormalizeAddress(text string) string { return strings.ToLower(strings.TrimSpace(text)) }
