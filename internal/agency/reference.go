package agency

import (
	"regexp"
	"strings"
	"time"
)

// How long a submission is kept: half a year, as agencies commonly publish, and for minors as long as a guardian may
// take to confirm.
const (
	Retention      = 180 * 24 * time.Hour
	MinorRetention = 15 * 24 * time.Hour
)

// ResponsibleSeparator separates name, address and phone of the responsible adult, which are one field on the wire.
const ResponsibleSeparator = " · "

// Reference is what the receipt of a form tells a visitor to quote, such as B-261122-9F3C07. It names a submission by
// its day and the beginning of its id, and tells nothing about the sender.
type Reference struct {
	Form     ReferenceForm
	Day      time.Time // of the agency's time zone (TZ), at midnight UTC
	IDPrefix string    // the first six characters of the id, in capitals
}

// ReferenceForm is the first letter of a reference.
type ReferenceForm byte

// The kinds of submission that have references.
const (
	MessageReference     ReferenceForm = 'B'
	ApplicationReference ReferenceForm = 'A'
	MinorReference       ReferenceForm = 'G' // a guardian's confirmation is waited for
)

const referenceDayLayout = "060102"

// referenceFormat is a reference as visitors type it, in any case.
var referenceFormat = regexp.MustCompile(`^([ABG])-([0-9]{6})-([0-9A-F]{6})$`)

// NewReference is the reference of a submission that was received at this time.
func NewReference(form ReferenceForm, received time.Time, id string) Reference {
	year, month, date := received.Local().Date()
	day := time.Date(year, month, date, 0, 0, 0, 0, time.UTC)
	return Reference{Form: form, Day: day, IDPrefix: strings.ToUpper(id[:min(6, len(id))])}
}

// ParseReference reads a reference; false where the text is none.
func ParseReference(text string) (Reference, bool) {
	parts := referenceFormat.FindStringSubmatch(strings.ToUpper(strings.TrimSpace(text)))
	if parts == nil {
		return Reference{}, false
	}
	day, err := time.Parse(referenceDayLayout, parts[2])
	return Reference{Form: ReferenceForm(parts[1][0]), Day: day, IDPrefix: parts[3]}, err == nil
}

func (r Reference) String() string {
	return string(r.Form) + "-" + r.Day.Format(referenceDayLayout) + "-" + r.IDPrefix
}

// Working days and days within which the agency answers a message and an application.
const (
	messageAnswered     = 1
	applicationAnswered = 14
)

// AnswerBy is the day by which the sender was promised an answer; zero for a minor, whose guardian comes first.
func (r Reference) AnswerBy() time.Time {
	switch r.Form {
	case MessageReference:
		return afterWorkingDays(r.Day, messageAnswered)
	case ApplicationReference:
		return r.Day.AddDate(0, 0, applicationAnswered)
	case MinorReference:
	}
	return time.Time{}
}

// EraseOn is the day on which it is erased, of a minor unless a guardian has confirmed it.
func (r Reference) EraseOn() time.Time {
	if r.Form == MinorReference {
		return r.Day.Add(MinorRetention)
	}
	return r.Day.Add(Retention)
}

// afterWorkingDays is the day n working days after another.
func afterWorkingDays(day time.Time, n int) time.Time {
	for n > 0 {
		day = day.AddDate(0, 0, 1)
		if day.Weekday() != time.Saturday && day.Weekday() != time.Sunday {
			n--
		}
	}
	return day
}
