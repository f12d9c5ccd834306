package agency

import (
	"encoding/json"
	"slices"
	"time"
)

// ConsentsField is the field with what was agreed to, as JSON; a panel that does not know it ignores it.
const ConsentsField = "consents"

// Consent is a box that was ticked, or its sentence that somebody agreed to in another way.
type Consent struct {
	Box    string    `json:"box"`  // the name of its input
	Text   string    `json:"text"` // its sentence, as it was shown
	Lang   string    `json:"lang"`
	Time   time.Time `json:"time"`
	Policy string    `json:"policy"`        // SHA-256 of the privacy policy that it speaks of; empty: not known
	How    string    `json:"how,omitempty"` // such as ByTelephone; empty: ticked
	By     string    `json:"by,omitempty"`  // who of the agency noted it; empty: ticked
}

// ByTelephone is how a guardian usually confirms without the link.
const ByTelephone = "by telephone"

// AddConsents adds boxes to those of a submission's fields.
func AddConsents(fields []Field, added ...Consent) []Field {
	all := append(Consents(fields), added...)
	if len(all) == 0 {
		return fields
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // texts and times of this century can always be encoded
	}
	fields = slices.DeleteFunc(slices.Clone(fields), func(f Field) bool { return f.Name == ConsentsField })
	return append(fields, Field{ConsentsField, string(text)})
}

// Consents are what was agreed to; none where the field is missing or is not ours.
func Consents(fields []Field) (all []Consent) {
	for _, field := range fields {
		if field.Name == ConsentsField && json.Unmarshal([]byte(field.Value), &all) != nil {
			return nil
		}
	}
	return all
}

// GuardianBoxes are what a guardian confirms: the application, and the use of the data.
var GuardianBoxes = []string{"agree", "data"}

// BoxText is the sentence of a consent's box, as it is stored with what was consented to.
func BoxText(texts interface {
	T(key string, pairs ...string) string
}, box string,
) string {
	switch box {
	case "privacy":
		return texts.T("apply.accept") + " " + texts.T("apply.policy") + "."
	case "skin_color_consent":
		return texts.T("apply.skin_color.consent")
	case "responsible_consent":
		return texts.T("apply.guardian")
	case "responsible_data":
		return texts.T("apply.guardian.data")
	case "responsible_skin_color":
		return texts.T("apply.guardian.skin_color")
	case "agree":
		return texts.T("guardian.says.guardian") + " " + texts.T("guardian.says.agree")
	case "data":
		return texts.T("guardian.says.data") + " " + texts.T("guardian.policy") + "."
	}
	return ""
}
