package forms_test

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/forms"
)

var today = time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC)

func values(pairs map[string]string) url.Values {
	v := url.Values{}
	for name, value := range pairs {
		v.Set(name, value)
	}
	return v
}

// with is the pairs with some changed; an empty value is one that was sent empty.
func with(pairs map[string]string, changed ...string) map[string]string {
	pairs = maps.Clone(pairs)
	for i := 0; i < len(changed); i += 2 {
		pairs[changed[i]] = changed[i+1]
	}
	return pairs
}

// keys are errors as "field: key".
func keys(errors []forms.Error) []string {
	list := []string{}
	for _, e := range errors {
		list = append(list, e.Field+": "+e.Key)
	}
	return list
}

var contact = map[string]string{
	"name": "Ana Souza", "email": "ana@example.com", "phone": "+55 11 98765-4321", "message": "Olá,\r\n\r\nbooking?",
}

func TestContactRules(t *testing.T) {
	for name, test := range map[string]struct {
		change []string
		want   []string
	}{
		"all right": {nil, nil},
		"nothing sent": {[]string{"name", "", "email", "", "phone", "", "message", ""}, []string{
			"name: error.name.required", "email: error.email.required",
			"phone: error.phone.required", "message: error.message.required",
		}},
		"only spaces": {[]string{"name", " \t ", "message", "\r\n \x00"}, []string{
			"name: error.name.required", "message: error.message.required",
		}},
		"long name":              {[]string{"name", strings.Repeat("ã", 201)}, []string{"name: error.long"}},
		"name just fits":         {[]string{"name", strings.Repeat("ã", 200)}, nil},
		"long message":           {[]string{"message", strings.Repeat("ã", 4001)}, []string{"message: error.long"}},
		"mail without domain":    {[]string{"email", "ana"}, []string{"email: error.email.invalid"}},
		"mail without dot":       {[]string{"email", "ana@example"}, []string{"email: error.email.invalid"}},
		"mail with empty label":  {[]string{"email", "ana@example..com"}, []string{"email: error.email.invalid"}},
		"mail ends with a dot":   {[]string{"email", "ana@example."}, []string{"email: error.email.invalid"}},
		"mail with a hyphen end": {[]string{"email", "ana@example-.com"}, []string{"email: error.email.invalid"}},
		"mail with space":        {[]string{"email", "ana souza@example.com"}, []string{"email: error.email.invalid"}},
		"mail with a name":       {[]string{"email", "Ana <ana@example.com>"}, []string{"email: error.email.invalid"}},
		"two mails": {[]string{"email", "a@example.com,b@example.com"}, []string{
			"email: error.email.invalid",
		}},
		"mail to an address": {[]string{"email", "ana@127.0.0.1"}, []string{"email: error.email.invalid"}},
		"mail with a line break": {[]string{"email", "ana@example.com\r\nBcc: b@example.com"}, []string{
			"email: error.email.invalid",
		}},
		"mail in non-Latin letters": {[]string{"email", "josé@exemplo.com.br"}, nil},
		"mail at an idn":            {[]string{"email", "ana@münchen.example"}, nil},
		"mail with a tag":           {[]string{"email", "ana.souza+site@mail.example.co"}, nil},
		"phone with two digits":     {[]string{"phone", "1-2"}, []string{"phone: error.phone.invalid"}},
		"phone with three":          {[]string{"phone", "112"}, nil},
		"phone with extension":      {[]string{"phone", "(11) 4002-8922 ramal 7"}, nil},
		"phone in words":            {[]string{"phone", "call me"}, []string{"phone: error.phone.invalid"}},
		"long phone":                {[]string{"phone", strings.Repeat("1", 61)}, []string{"phone: error.long"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := forms.ParseContact(values(with(contact, test.change...)))
			assert.Equal(t, append([]string{}, test.want...), keys(c.Validate()))
		})
	}
}

func TestAFieldSentTwiceKeepsTheFirstAndIsAnError(t *testing.T) {
	v := values(contact)
	v["email"] = []string{"ana@example.com", "eve@example.com"}
	c := forms.ParseContact(v)
	assert.Equal(t, "ana@example.com", c.Email)
	assert.Equal(t, []string{"email: error.repeated"}, keys(c.Validate()))
}

func TestInvisibleCharactersAreRemoved(t *testing.T) {
	c := forms.ParseContact(url.Values{
		"name": {"\u202eAna\u200b \u2066Sou\u00adza\ufeff"}, "message": {"Oi\u202e!\nTudo bem?"},
	})
	assert.Equal(t, "Ana Souza", c.Name)
	assert.Equal(t, "Oi!\nTudo bem?", c.Message)
	assert.Empty(t, forms.ParseContact(url.Values{"name": {"\u200b\u2060"}}).Name, "a name that nobody can see is none")
}

func TestHoneypot(t *testing.T) {
	assert.False(t, forms.HoneypotFilled(values(contact)))
	assert.False(t, forms.HoneypotFilled(values(with(contact, forms.HoneypotInput, ""))))
	assert.True(t, forms.HoneypotFilled(values(with(contact, forms.HoneypotInput, "https://spam.example"))))
}

func option(values ...string) (list []agency.Option) {
	for _, value := range values {
		list = append(list, agency.Option{Value: value, Label: value})
	}
	return list
}

var options = agency.Options{
	Countries: []agency.Place{{ID: "BR", Value: "Brazil"}, {ID: "PT", Value: "Portugal"}},
	Cities:    []agency.Place{{ID: "sp", Value: "São Paulo"}},
	Gender:    option("woman", "man"), Height: option("178"),
	Bust: option("86"), Waist: option("61"), Hips: option("90"),
	Shoes: option("38"), Suit: option("36"), Eyes: option("Green"), Hair: option("Blonde"),
	HairKind: option("Curly"), HairSize: option("Long"), SkinColor: option("Brown"),
}

var application = map[string]string{
	"realname": "Ana Souza", "birthdate": "30/04/1999", "gender": "woman", "phone": "+55 (11) 98765-4321",
	"email": "ana@example.com", "nationality": "BR", "note": "PT", "height": "178", "bust": "86", "waist": "61",
	"hips": "90", "shoes": "38", "dress": "36", "eyes": "Green", "hair": "Blonde", "privacy": "on",
}

func apply(pairs map[string]string) *forms.Application {
	a := forms.ParseApplication(values(pairs), options, forms.MaskPhones, today)
	for _, photo := range agency.PhotoFields {
		a.Attach(agency.File{Field: photo, Name: photo + ".jpg", Type: "image/jpeg", Data: []byte(photo)})
	}
	return a
}

func TestApplicationRules(t *testing.T) {
	minor := []string{"birthdate", "22/11/2008", "bust", "", "waist", "", "hips", "", "dress", ""}
	nobody := []string{
		"responsible: error.responsible.required", "responsible_email: error.responsible_email.required",
		"responsible_phone: error.responsible_phone.required",
		"responsible_consent: error.responsible_consent.required",
	}
	child := slices.Clip(slices.Concat(minor, guardian))
	for name, test := range map[string]struct {
		change []string
		want   []string
	}{
		"all right":                  {nil, nil},
		"date as a browser sends it": {[]string{"birthdate", "1999-04-30"}, nil},
		"date with short numbers":    {[]string{"birthdate", "3/4/1999"}, nil},
		"no such day": {[]string{"birthdate", "31/02/1999"}, []string{
			"birthdate: error.birthdate.none",
		}},
		"29 February in a common year": {[]string{"birthdate", "2001-02-29"}, []string{
			"birthdate: error.birthdate.none",
		}},
		"month first": {[]string{"birthdate", "04/30/1999"}, []string{
			"birthdate: error.birthdate.none",
		}},
		"no date": {[]string{"birthdate", "April"}, []string{
			"birthdate: error.birthdate.invalid",
		}},
		"born tomorrow": {
			[]string{"birthdate", "2026-11-22"}, []string{"birthdate: error.birthdate.future"},
		},
		"born today is a minor": {[]string{"birthdate", "2026-11-21"}, nobody},
		"100 years old":         {[]string{"birthdate", "1925-11-22"}, nil},
		"101 years old": {
			[]string{"birthdate", "1925-11-21"}, []string{"birthdate: error.birthdate.old"},
		},
		"18 today":                       {[]string{"birthdate", "2008-11-21"}, nil},
		"18 tomorrow, no guardian named": {minor, nobody},
		"18 tomorrow, guardian named":    {child, nil},
		"minor with unknown measures":    {append(child, "bust", "banana", "dress", "x"), nil},
		"a teenager's own address, as the guardian's": {
			append(child, "responsible_email", "Ana+mum@Example.com"),
			[]string{"responsible_email: error.responsible_email.own"},
		},
		"a small child's parent with one address for both": {
			append(child, "birthdate", "22/11/2015", "responsible_email", application["email"]), nil,
		},
		"phone of another country": {[]string{"phone", "+34 612 345 678"}, []string{"phone: error.phone.abroad"}},
		"a guardian who can't be reached": {
			append(child, "responsible_email", "rosa@", "responsible_phone", "ask her"),
			[]string{"responsible_email: error.email.invalid", "responsible_phone: error.phone.invalid"},
		},
		"a guardian who does not agree": {
			append(child, "responsible_consent", ""),
			[]string{"responsible_consent: error.responsible_consent.required"},
		},
		"long responsible of an adult": {[]string{"responsible", strings.Repeat("r", 201)}, nil},
		"long responsible": {
			append(child, "responsible", strings.Repeat("r", 201)), []string{"responsible: error.long"},
		},
		"phone without mask": {[]string{"phone", "+5511987654321"}, nil},
		"phone with eight digits": {
			[]string{"phone", "+55 (11) 8765-4321"}, []string{"phone: error.phone.mask"},
		},
		"phone with text after it": {
			[]string{"phone", "+55 (11) 98765-43210"}, []string{"phone: error.phone.mask"},
		},
		"phone in other digits": {
			[]string{"phone", "+٥٥ (11) 98765-4321"}, []string{"phone: error.phone.mask"},
		},
		"bad mail":                   {[]string{"email", "ana@"}, []string{"email: error.email.invalid"}},
		"gender that is not offered": {[]string{"gender", "Woman"}, []string{"gender: error.option"}},
		"country by name":            {[]string{"nationality", "Brazil"}, []string{"nationality: error.option"}},
		"unknown nationality":        {[]string{"note", "XX"}, []string{"note: error.option"}},
		"options that are not offered": {
			[]string{"height", "1", "shoes", "1", "dress", "1", "eyes", "verde", "hair", "x"},
			[]string{
				"height: error.option", "shoes: error.option",
				"dress: error.option", "eyes: error.option", "hair: error.option",
			},
		},
		"privacy not ticked": {[]string{"privacy", ""}, []string{"privacy: error.privacy.required"}},
		"a man without measures": {[]string{"gender", "man", "bust", "", "dress", ""}, []string{
			"bust: error.jacket.required", "dress: error.suit.required",
		}},
		"a skin colour that is not offered": {[]string{"skin_color", "x", "skin_color_consent", "on"}, []string{
			"skin_color: error.option",
		}},
		"more about you": {[]string{
			"nickname", "Aninha", "country", "BR", "city", "sp", "instagram", "@ana",
			"hair_kind", "Curly", "hair_size", "Long", "skin_color", "Brown",
		}, nil},
		"more that is not offered": {
			[]string{"country", "XX", "city", "yy", "hair_kind", "x", "hair_size", "x"},
			[]string{
				"country: error.option", "city: error.option", "hair_kind: error.option", "hair_size: error.option",
			},
		},
		"city without a country": {[]string{"city", "yy"}, nil},
		"long nickname": {
			[]string{"nickname", strings.Repeat("n", 201), "instagram", strings.Repeat("n", 201)},
			[]string{"nickname: error.long", "instagram: error.long"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, append([]string{}, test.want...), keys(apply(with(application, test.change...)).Validate()))
		})
	}
}

// However the mask's thirteen digits are typed or pasted, the panel gets them in the mask's format.
func TestAPhoneNumberIsFormattedByTheMask(t *testing.T) {
	for typed, ok := range map[string]bool{
		"+55 (11) 98765-4321": true, "5511987654321": true, "+5511987654321": true, "55 11 98765 4321": true,
		"+55 11 98765‑4321": true, "+55.11.98765.4321": true,
		"\u202a+55 11 98765-4321\u202c": true, "tel:+5511987654321": false,
		"+55 (11) 8765-4321": false, "005511987654321": false, "(11) 98765-4321": false, "٥٥11987654321": false,
	} {
		a := apply(with(application, "phone", typed))
		if !ok {
			assert.Equal(t, []string{"phone: error.phone.mask"}, keys(a.Validate()), typed)
			continue
		}
		require.Empty(t, a.Validate(), typed)
		assert.Equal(t, "+55 (11) 98765-4321", value(a.Submission("abc"), "phone"), typed)
	}
}

func TestPhoneNumbersOfEveryCountry(t *testing.T) {
	for typed, want := range map[string]string{
		"+351 912 345 678": "+351 912 345 678", "00351912345678": "+351 912 345 678",
		"+55 (11) 98765-4321": "+55 11 98765-4321",
		"+34 612 34 56 78":    "+34 612 34 56 78", "\u202a+44 20 7946 0958\u202c": "+44 20 7946 0958",
		"912345678": "", "+351 12": "", "+999 1234567": "", "call me": "", "+35191234567890": "",
	} {
		a := forms.ParseApplication(values(with(application, "phone", typed)),
			options, forms.InternationalPhones, today)
		if want == "" {
			assert.Contains(t, keys(a.Validate()), "phone: error.phone.international", typed)
			continue
		}
		assert.NotContains(t, strings.Join(keys(a.Validate()), " "), "phone", typed)
		assert.Equal(t, want, value(a.Submission("abc"), "phone"), typed)
	}
}

func TestANumberWithoutACodeIsOneOfTheAgencysCountry(t *testing.T) {
	for typed, want := range map[string]string{
		"912 345 678": "+351 912 345 678", "+44 20 7946 0958": "+44 20 7946 0958", "12": "",
	} {
		a := forms.ParseApplication(values(with(application, "phone", typed)), options, forms.Phones("PT"), today)
		assert.Equal(t, want == "", strings.Contains(strings.Join(keys(a.Validate()), " "), "phone"), typed)
		if want != "" {
			assert.Equal(t, want, value(a.Submission("abc"), "phone"))
		}
	}
}

func TestSkinColourNeedsItsOwnConsentAndASetting(t *testing.T) {
	chosen := with(application, "skin_color", "Brown")
	a := apply(chosen)
	require.Empty(t, a.Validate())
	assert.Empty(t, value(a.Submission("abc"), "skin_color"), "without consent skin_color is not submitted")
	assert.Equal(t, "Brown", value(apply(with(chosen, "skin_color_consent", "on")).Submission("abc"), "skin_color"))

	child := with(with(chosen, guardian...), "birthdate", "22/11/2008", "skin_color_consent", "on")
	assert.Empty(t, value(apply(child).Submission("abc"), "skin_color"), "a minor’s needs the adult’s consent, too")
	a = apply(with(child, "responsible_skin_color", "on"))
	assert.Equal(t, "Brown", value(a.Submission("abc"), "skin_color"))
	assert.Equal(t, []string{"responsible_consent", "privacy", "skin_color_consent", "responsible_skin_color"}, a.Boxes)

	unasked := options
	unasked.SkinColor = nil
	a = forms.ParseApplication(values(with(chosen, "skin_color_consent", "on")), unasked, forms.MaskPhones, today)
	assert.NotContains(t, strings.Join(keys(a.Validate()), " "), "skin_color")
	assert.Empty(t, value(a.Submission("abc"), "skin_color"))
}

// value is what a submission has in a field.
func value(s agency.Submission, name string) string {
	for _, field := range s.Fields {
		if field.Name == name {
			return field.Value
		}
	}
	return ""
}

func TestAnEmptyApplicationReportsEveryRequiredField(t *testing.T) {
	want := []string{}
	for _, field := range []string{
		"realname", "birthdate", "gender", "phone", "email", "nationality", "note", "height", "bust",
		"waist", "hips", "shoes", "dress", "eyes", "hair", "image_1", "image_2", "image_3", "privacy",
	} {
		want = append(want, field+": error."+field+".required")
	}
	assert.Equal(t, want, keys(forms.ParseApplication(url.Values{}, options, forms.MaskPhones, today).Validate()))
}

func TestFieldsWithoutOptionsAreOptional(t *testing.T) {
	few := options
	few.Suit, few.Hair = nil, nil
	a := forms.ParseApplication(values(with(application, "dress", "", "hair", "")), few, forms.MaskPhones, today)
	assert.Equal(t,
		[]string{
			"image_1: error.image_1.required", "image_2: error.image_2.required", "image_3: error.image_3.required",
		},
		keys(a.Validate()))
}

// The list of a country's cities did not come when the form was sent, though it had when it was shown.
func TestValuesOfAnUnloadedListAreAccepted(t *testing.T) {
	few := options
	few.Cities, few.HairKind, few.HairSize = nil, nil, nil
	typed := with(application, "country", "BR", "city", "sp", "hair_kind", "Curly",
		"hair_size", "Long", "skin_color", "x", "skin_color_consent", "on")
	a := forms.ParseApplication(values(typed), few, forms.MaskPhones, today)
	a.Privacy = true
	assert.NotContains(t, keys(a.Validate()), "city: error.option")
	assert.Contains(t, keys(a.Validate()), "skin_color: error.option",
		"skin_color is validated even when other lists are missing")
	sent := a.Submission("1").Fields
	for _, field := range []agency.Field{
		{Name: "city", Value: "sp"}, {Name: "hair_kind", Value: "Curly"}, {Name: "hair_size", Value: "Long"},
	} {
		assert.Contains(t, sent, field)
	}
}

func TestARefusedPhotoSaysWhy(t *testing.T) {
	a := apply(application)
	a.Refuse("image_2", "error.photo.type", "name", "cv.pdf")
	assert.Equal(t, []forms.Error{{Field: "image_2", Key: "error.photo.type", Args: []string{"name", "cv.pdf"}}},
		a.Validate())
}

func TestAMinorsMeasuresAreNotPassedOn(t *testing.T) {
	a := apply(with(application, append(guardian, "birthdate", "2015-01-02")...))
	require.Empty(t, a.Validate())
	assert.True(t, a.Minor())
	var names []string
	for _, field := range a.Submission("abc").Fields {
		names = append(names, field.Name)
	}
	assert.Equal(t,
		[]string{
			"realname", "birthdate", "gender", "phone", "email", "nationality",
			"note", "responsible", "height", "shoes", "eyes", "hair",
		},
		names)
	assert.Equal(t, "Rosa Souza · rosa@example.com · +55 11 3333-4444", value(a.Submission("abc"), "responsible"))
}

func TestTheAgencySetsTheMinimumAge(t *testing.T) {
	for born, ok := range map[string]bool{"21/11/2010": true, "22/11/2010": false} {
		a := apply(with(application, append(guardian, "birthdate", born)...))
		a.MinimumAge = 16
		if ok {
			assert.Empty(t, a.Validate())
		} else {
			assert.Equal(t, []string{"birthdate: error.birthdate.young"}, keys(a.Validate()))
		}
	}
}

// guardian is the responsible adult of a minor.
var guardian = []string{
	"responsible", "Rosa Souza", "responsible_email", "rosa@example.com",
	"responsible_phone", "+55 11 3333-4444", "responsible_consent", "on",
}
