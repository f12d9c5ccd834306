package forms

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"zedcard/internal/agency"
)

// Application is the get-scouted form. The fields hold what was typed or chosen: for an option its value, for a country
// its id. Their order is that of the page, of the errors and of the submission.
type Application struct {
	Realname    string `form:"realname" validate:"required,name,max=200"`
	Birthdate   string `form:"birthdate" validate:"required,max=40,date,past,oldenough,lifetime"`
	Gender      string `form:"gender" validate:"required,option"`
	Phone       string `form:"phone" validate:"required,max=60,phone"`
	Email       string `form:"email" validate:"required,max=254,mail"`
	Nationality string `form:"nationality" validate:"offered,option"`
	Note        string `form:"note" validate:"offered,option"`

	Responsible string `form:"responsible" validate:"minor,omitempty,name,max=200"`

	// The address may be the applicant's own only for a small child: see ownAddress.
	ResponsibleEmail   string `form:"responsible_email" validate:"minor,omitempty,max=254,mail,another"`
	ResponsiblePhone   string `form:"responsible_phone" validate:"minor,omitempty,max=60,anyphone"`
	ResponsibleConsent bool   `form:"responsible_consent" validate:"consent"`

	Height string `form:"height" validate:"offered,option"`
	Bust   string `form:"bust" validate:"offered,option"`
	Waist  string `form:"waist" validate:"offered,option"`
	Hips   string `form:"hips" validate:"offered,option"`
	Shoes  string `form:"shoes" validate:"offered,option"`
	Dress  string `form:"dress" validate:"offered,option"`
	Eyes   string `form:"eyes" validate:"offered,option"`
	Hair   string `form:"hair" validate:"offered,option"`

	Profile *agency.File `form:"image_1" validate:"required"`
	Body    *agency.File `form:"image_2" validate:"required"`
	Face    *agency.File `form:"image_3" validate:"required"`

	Nickname  string `form:"nickname" validate:"max=200"`
	Instagram string `form:"instagram" validate:"max=200"`
	Country   string `form:"country" validate:"option"`
	City      string `form:"city" validate:"option,max=200"`
	HairKind  string `form:"hair_kind" validate:"option,max=200"`
	HairSize  string `form:"hair_size" validate:"option,max=200"`
	SkinColor string `form:"skin_color" validate:"option"`

	Privacy bool `form:"privacy" validate:"required"`

	MinimumAge int    // of an applicant, in years
	Lang       string // of the form's page, and of the mail to a guardian

	// Boxes are the consents that were ticked, by their inputs, in the order of the form.
	Boxes []string

	options agency.Options
	phones  Phones
	today   time.Time
	faults  faults
}

// KeptPhotoInput is the name of the hidden input with the id of a photo that the server keeps.
func KeptPhotoInput(photo string) string { return photo + "_kept" }

// ParseApplication reads the posted values of the get-scouted form. options are what the form offered, with the cities
// of the chosen country, phones the numbers that it accepts.
func ParseApplication(values url.Values, options agency.Options, phones Phones, now time.Time) *Application {
	a := &Application{options: options, phones: phones, today: now}
	a.faults = fill(a, values)
	a.Phone, _ = phones.fit(a.Phone)
	if a.Country == "" {
		a.City = "" // a city means nothing without its country
	}
	a.takeSizes()
	// Values of what the form does not ask adults, or minors, are neither validated nor submitted.
	notAsked := []string{"responsible", "responsible_email", "responsible_phone"}
	boxes, skinConsents := []string{"privacy"}, []string{"skin_color_consent"}
	if a.Minor() {
		notAsked = agency.AdultFields
		boxes = []string{"responsible_consent", "responsible_data", "privacy"}
		skinConsents = append(skinConsents, "responsible_skin_color")
	}
	a.forget(notAsked)
	unticked := func(box string) bool { return values.Get(box) == "" }
	if len(options.SkinColor) == 0 || slices.ContainsFunc(skinConsents, unticked) {
		a.forget([]string{"skin_color"}) // not requested, or without the required consent
	}
	if a.SkinColor != "" {
		boxes = append(boxes, skinConsents...)
	}
	a.Boxes = slices.DeleteFunc(boxes, unticked)
	a.Privacy = !unticked("privacy")
	a.ResponsibleConsent = !unticked("responsible_consent")
	return a
}

// ownAddress is the age from which on the responsible adult has another address than the applicant, so that no teenager
// confirms their own application. For a smaller child a parent fills in the form, and has one address for both.
const ownAddress = 13

// isOwnAddress reports whether an address is the applicant's mailbox.
func (a *Application) isOwnAddress(address string) bool {
	born, _ := a.ParseBirthdate()
	return agency.Age(born, a.today) >= ownAddress && Mailbox(address) == Mailbox(a.Email)
}

// Mailbox is an address without what the servers of mail leave out: a tag behind a plus, and Gmail's dots. Anybody can
// write one mailbox in many ways.
func Mailbox(address string) string {
	name, domain, _ := strings.Cut(agency.NormalizeAddress(address), "@")
	name, _, _ = strings.Cut(name, "+")
	if domain == "googlemail.com" || domain == "gmail.com" {
		name, domain = strings.ReplaceAll(name, ".", ""), "gmail.com"
	}
	return name + "@" + domain
}

func (a *Application) forget(names []string) {
	for name, field := range fields(a) {
		if slices.Contains(names, name) {
			field.SetString("")
			delete(a.faults, name)
		}
	}
}

// Attach adds a cleaned photo; file.Field names its input.
func (a *Application) Attach(file agency.File) {
	switch file.Field {
	case "image_1":
		a.Profile = &file
	case "image_2":
		a.Body = &file
	case "image_3":
		a.Face = &file
	}
}

// Refuse notes why a photo is not accepted; args are as in Error.
func (a *Application) Refuse(photo, key string, args ...string) {
	a.faults[photo] = Error{Field: photo, Key: key, Args: args}
}

// ParseBirthdate is the date of birth: day, month, year or year, month, day with any signs between them, or eight
// digits. It is false if none was given, or one that does not exist: 20010417 is no day of the year 417.
func (a *Application) ParseBirthdate() (time.Time, bool) {
	text := eightDigits.ReplaceAllString(a.Birthdate, "$1/$2/$3")
	parts := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) && !unicode.IsLetter(r) })
	if len(parts) > 0 && len(parts[0]) == len("2001") {
		slices.Reverse(parts)
	}
	born, err := time.Parse("2/1/2006", strings.Join(parts, "/"))
	return born, err == nil && born.Year() >= 1000
}

var eightDigits = regexp.MustCompile(`^(\d\d)(\d\d)(\d{4})$`)

// DisplayBirthdate is the date of birth as the form shows it, however it was typed; text that is not a date is shown as
// typed.
func (a *Application) DisplayBirthdate() string {
	if born, ok := a.ParseBirthdate(); ok {
		return born.Format("02/01/2006")
	}
	return a.Birthdate
}

// writtenAsDate is a date in figures, also one that does not exist.
var writtenAsDate = regexp.MustCompile(`^\d{8}$|^\d{1,2}\D+\d{1,2}\D+\d{4}$|^\d{4}\D+\d{1,2}\D+\d{1,2}$`)

// Minor reports whether the applicant is known to be under 18.
func (a *Application) Minor() bool {
	born, ok := a.ParseBirthdate()
	return ok && !born.After(a.today) && agency.Underage(born, a.today)
}

// Validate lists the errors in the order of the form; none means that it can be submitted.
func (a *Application) Validate() []Error { return check(a, a.faults, a.messageKey) }

// ValidateGuardian checks another address of the guardian of a stored application with these fields.
func ValidateGuardian(stored []agency.Field, address string, now time.Time) []Error {
	a := &Application{ResponsibleEmail: address, today: now}
	for _, field := range stored {
		switch field.Name {
		case "birthdate":
			a.Birthdate = field.Value
		case "email":
			a.Email = field.Value
		}
	}
	return slices.DeleteFunc(a.Validate(), func(e Error) bool { return e.Field != "responsible_email" })
}

// messageKey is messageKey of the package, but for the kind of phone numbers, and for two fields with another name for
// men.
func (a *Application) messageKey(field, tag string) string {
	man := tag == "offered" && a.Gender == string(agency.Man)
	switch {
	case tag == "date" && writtenAsDate.MatchString(a.Birthdate):
		return "error.birthdate.none"
	case tag == "phone" && a.phones.Abroad():
		return "error.phone.international"
	case tag == "phone":
		if number, ok := fitInternational(a.Phone, ""); ok && !strings.HasPrefix(number, "+55") {
			return "error.phone.abroad"
		}
		return "error.phone.mask"
	case man && field == "bust":
		return "error.jacket.required"
	case man && field == "dress":
		return "error.suit.required"
	}
	return messageKey(field, tag)
}

// Submission is what the panel receives under this id.
func (a *Application) Submission(id string) agency.Submission {
	s := agency.Submission{ID: id, Kind: agency.GetScouted}
	for name, field := range fields(a) {
		if name != "responsible_email" && name != "responsible_phone" { // they are sent in one field with the name
			s.Fields = add(s.Fields, name, a.panelValue(name, field.String()))
		}
	}
	for _, photo := range []*agency.File{a.Profile, a.Body, a.Face} {
		if photo != nil {
			s.Files = append(s.Files, *photo)
		}
	}
	if a.ResponsibleEmail != "" {
		s.Guardian = agency.Guardian{Email: a.ResponsibleEmail, Lang: a.Lang}
	}
	return s
}

// panelValue is a field's value as the panel expects it: dates as yyyy-mm-dd, note as a country's name, nationality as
// {"value": id, "label": name}, the responsible adult as "name · address · phone".
func (a *Application) panelValue(name, value string) string {
	if value == "" {
		return ""
	}
	switch name {
	case "birthdate":
		born, _ := a.ParseBirthdate()
		return born.Format(time.DateOnly)
	case "responsible":
		return strings.Join([]string{value, a.ResponsibleEmail, a.ResponsiblePhone}, agency.ResponsibleSeparator)
	case "note":
		return placeName(a.options.Countries, value)
	case "nationality":
		object, err := json.Marshal(struct {
			Value string `json:"value"`
			Label string `json:"label"`
		}{value, placeName(a.options.Countries, value)})
		if err != nil {
			panic(err) // two texts can always be encoded
		}
		return string(object)
	}
	return value
}

func placeName(places []agency.Place, id string) string {
	if i := slices.IndexFunc(places, func(place agency.Place) bool { return place.ID == id }); i >= 0 {
		return places[i].Value
	}
	return id
}

// offered lists the values that a field may have.
func (a *Application) offered(field string) (values []string) {
	places := map[string][]agency.Place{
		"nationality": a.options.Countries, "note": a.options.Countries, "country": a.options.Countries,
		"city": a.options.Cities,
	}
	for _, place := range places[field] {
		values = append(values, place.ID)
	}
	for _, option := range a.optionLists()[field] {
		values = append(values, option.Value)
	}
	if field == "gender" && len(values) == 0 {
		values = []string{string(agency.Woman), string(agency.Man)}
	}
	return values
}

// optionLists are the back end's options, by field.
func (a *Application) optionLists() map[string][]agency.Option {
	return map[string][]agency.Option{
		"gender": a.options.Gender, "height": a.options.Height, "bust": a.options.Bust, "waist": a.options.Waist,
		"hips": a.options.Hips, "shoes": a.options.Shoes, "dress": a.options.Suit, "eyes": a.options.Eyes,
		"hair": a.options.Hair, "hair_kind": a.options.HairKind, "hair_size": a.options.HairSize,
		"skin_color": a.options.SkinColor,
	}
}
