package forms_test

import (
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
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

// keys are errors as "field: key", a line each.
func keys(errors []forms.Error) string {
	var list []string
	for _, e := range errors {
		list = append(list, e.Field+": "+e.Key)
	}
	return strings.Join(list, "\n")
}

var contact = map[string]string{
	"name": "Ana Souza", "email": "ana@example.com", "phone": "+55 11 98765-4321", "message": "Olá,\r\n\r\nbooking?",
}

func TestContactRules(t *testing.T) {
	long := strings.Repeat("ã", 4000)
	for _, c := range []struct{ field, value, key string }{
		{"name", " \t ", "error.name.required"},
		{"name", strings.Repeat("ã", 201), "error.long"},
		{"name", strings.Repeat("ã", 200), ""},
		{"message", "\r\n \x00", "error.message.required"},
		{"message", long + "ã", "error.long"},
		{"message", long, ""},
		{"email", "ana", "error.email.invalid"},
		{"email", "ana@example", "error.email.invalid"},
		{"email", "ana@example..com", "error.email.invalid"},
		{"email", "ana@example.", "error.email.invalid"},
		{"email", "ana@example-.com", "error.email.invalid"},
		{"email", "ana souza@example.com", "error.email.invalid"},
		{"email", "Ana <ana@example.com>", "error.email.invalid"},
		{"email", "a@example.com,b@example.com", "error.email.invalid"},
		{"email", "ana@127.0.0.1", "error.email.invalid"},
		{"email", "ana@example.com\r\nBcc: b@example.com", "error.email.invalid"},
		{"email", "josé@exemplo.com.br", ""},
		{"email", "ana@münchen.example", ""},
		{"email", "ana.souza+site@mail.example.co", ""},
		{"phone", "1-2", "error.phone.invalid"},
		{"phone", "112", ""},
		{"phone", "(11) 4002-8922 ramal 7", ""},
		{"phone", "call me", "error.phone.invalid"},
		{"phone", strings.Repeat("1", 61), "error.long"},
	} {
		want := ""
		if c.key != "" {
			want = c.field + ": " + c.key
		}
		form := forms.ParseContact(values(with(contact, c.field, c.value)))
		assert.Equal(t, want, keys(form.Validate()), "%s: %.50q", c.field, c.value)
	}
	assert.Equal(t, "name: error.name.required\nemail: error.email.required\nphone: error.phone.required\n"+
		"message: error.message.required", keys(forms.ParseContact(nil).Validate()))
}

func TestAFieldSentTwiceKeepsTheFirstAndIsAnError(t *testing.T) {
	v := values(contact)
	v["email"] = []string{"ana@example.com", "eve@example.com"}
	c := forms.ParseContact(v)
	assert.Equal(t, "ana@example.com", c.Email)
	assert.Equal(t, "email: error.repeated", keys(c.Validate()))
}

func TestInvisibleCharactersAreRemoved(t *testing.T) {
	c := forms.ParseContact(url.Values{
		"name": {"\u202eAna\u200b \u2066Sou\u00adza\ufeff"}, "message": {"Oi\u202e!\nTudo bem?"},
	})
	assert.Equal(t, "Ana Souza", c.Name)
	assert.Equal(t, "Oi!\nTudo bem?", c.Message)
	assert.Empty(t, forms.ParseContact(url.Values{"name": {"\u200b\u2060"}}).Name, "a name that nobody can see is none")
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
	const nobody = "responsible: error.responsible.required\n" +
		"responsible_email: error.responsible_email.required\n" +
		"responsible_phone: error.responsible_phone.required\n" +
		"responsible_consent: error.responsible_consent.required"
	child := slices.Clip(slices.Concat(minor, guardian))
	for name, test := range map[string]struct {
		change []string
		want   string
	}{
		"all right":                    {nil, ""},
		"date as a browser sends it":   {[]string{"birthdate", "1999-04-30"}, ""},
		"date with short numbers":      {[]string{"birthdate", "3/4/1999"}, ""},
		"no such day":                  {[]string{"birthdate", "31/02/1999"}, "birthdate: error.birthdate.none"},
		"29 February in a common year": {[]string{"birthdate", "2001-02-29"}, "birthdate: error.birthdate.none"},
		"month first":                  {[]string{"birthdate", "04/30/1999"}, "birthdate: error.birthdate.none"},
		"no such day in digits":        {[]string{"birthdate", "31021999"}, "birthdate: error.birthdate.none"},
		"date of a year in two digits": {[]string{"birthdate", "30.4.99"}, "birthdate: error.birthdate.invalid"},
		"no date":                      {[]string{"birthdate", "April"}, "birthdate: error.birthdate.invalid"},
		"a long date":                  {[]string{"birthdate", strings.Repeat("1", 41)}, "birthdate: error.long"},
		"born tomorrow":                {[]string{"birthdate", "2026-11-22"}, "birthdate: error.birthdate.future"},
		"born today is a minor":        {[]string{"birthdate", "2026-11-21"}, nobody},
		"100 years old":                {[]string{"birthdate", "1925-11-22"}, ""},
		"101 years old":                {[]string{"birthdate", "1925-11-21"}, "birthdate: error.birthdate.old"},

		"18 today":                       {[]string{"birthdate", "2008-11-21"}, ""},
		"18 tomorrow, no guardian named": {minor, nobody},
		"18 tomorrow, guardian named":    {child, ""},
		"minor with unknown measures":    {append(child, "bust", "banana", "dress", "x"), ""},
		"a teenager's own address, as the guardian's": {
			append(child, "responsible_email", "Ana+mum@Example.com"),
			"responsible_email: error.responsible_email.own",
		},
		"a small child's parent with one address for both": {
			append(child, "birthdate", "22/11/2015", "responsible_email", application["email"]), "",
		},
		"a guardian who can't be reached": {
			append(child, "responsible_email", "rosa@", "responsible_phone", "ask her"),
			"responsible_email: error.email.invalid\nresponsible_phone: error.phone.invalid",
		},
		"a guardian who does not agree": {
			append(child, "responsible_consent", ""), "responsible_consent: error.responsible_consent.required",
		},
		"long responsible of an adult": {[]string{"responsible", strings.Repeat("r", 201)}, ""},
		"long responsible": {
			append(child, "responsible", strings.Repeat("r", 201)), "responsible: error.long",
		},

		"bad mail":                   {[]string{"email", "ana@"}, "email: error.email.invalid"},
		"gender that is not offered": {[]string{"gender", "Woman"}, "gender: error.option"},
		"country by name":            {[]string{"nationality", "Brazil"}, "nationality: error.option"},
		"unknown nationality":        {[]string{"note", "XX"}, "note: error.option"},
		"options that are not offered": {
			[]string{"height", "1", "shoes", "1", "dress", "1", "eyes", "verde", "hair", "x"},
			"height: error.size.none\nshoes: error.size.none\ndress: error.size.none\n" +
				"eyes: error.option\nhair: error.option",
		},
		"privacy not ticked": {[]string{"privacy", ""}, "privacy: error.privacy.required"},
		"a man without measures": {
			[]string{"gender", "man", "bust", "", "dress", ""},
			"bust: error.jacket.required\ndress: error.suit.required",
		},
		"a skin colour that is not offered": {
			[]string{"skin_color", "x", "skin_color_consent", "on"}, "skin_color: error.option",
		},
		"more about you": {[]string{
			"nickname", "Aninha", "country", "BR", "city", "sp", "instagram", "@ana",
			"hair_kind", "Curly", "hair_size", "Long", "skin_color", "Brown",
		}, ""},
		"more that is not offered": {
			[]string{"country", "XX", "city", "yy", "hair_kind", "x", "hair_size", "x"},
			"country: error.option\ncity: error.option\nhair_kind: error.option\nhair_size: error.option",
		},
		"city without a country": {[]string{"city", "yy"}, ""},
		"long nickname": {
			[]string{"nickname", strings.Repeat("n", 201), "instagram", strings.Repeat("n", 201)},
			"nickname: error.long\ninstagram: error.long",
		},
	} {
		assert.Equal(t, test.want, keys(apply(with(application, test.change...)).Validate()), name)
	}
}

// However a number is typed or pasted, the panel gets it in one format: with the mask's thirteen digits in the mask's,
// from every country in the international one.
func TestPhoneNumbersHaveOneFormat(t *testing.T) {
	const mask, masked = forms.MaskPhones, "+55 (11) 98765-4321"
	for _, c := range []struct {
		phones           forms.Phones
		typed, want, key string
	}{
		{mask, masked, masked, ""},
		{mask, "5511987654321", masked, ""},
		{mask, "+5511987654321", masked, ""},
		{mask, "+55 11 98765‑4321", masked, ""},
		{mask, "+55.11.98765.4321", masked, ""},
		{mask, "\u202a+55 11 98765-4321\u202c", masked, ""},
		{mask, "+34 612 345 678", "", "error.phone.abroad"},
		{mask, "tel:+5511987654321", "", "error.phone.mask"},
		{mask, "+55 (11) 8765-4321", "", "error.phone.mask"},
		{mask, "+55 (11) 98765-43210", "", "error.phone.mask"},
		{mask, "005511987654321", "", "error.phone.mask"},
		{mask, "(11) 98765-4321", "", "error.phone.mask"},
		{mask, "٥٥11987654321", "", "error.phone.mask"},
		{forms.InternationalPhones, "+351 912 345 678", "+351 912 345 678", ""},
		{forms.InternationalPhones, "00351912345678", "+351 912 345 678", ""},
		{forms.InternationalPhones, masked, "+55 11 98765-4321", ""},
		{forms.InternationalPhones, "+34 612 34 56 78", "+34 612 34 56 78", ""},
		{forms.InternationalPhones, "\u202a+44 20 7946 0958\u202c", "+44 20 7946 0958", ""},
		{forms.InternationalPhones, "912345678", "", "error.phone.international"},
		{forms.InternationalPhones, "+351 12", "", "error.phone.international"},
		{forms.InternationalPhones, "+999 1234567", "", "error.phone.international"},
		{forms.InternationalPhones, "call me", "", "error.phone.international"},
		{forms.InternationalPhones, "+35191234567890", "", "error.phone.international"},
		{"PT", "912 345 678", "+351 912 345 678", ""}, // a number without a code is one of the agency's country
		{"PT", "+44 20 7946 0958", "+44 20 7946 0958", ""},
		{"PT", "12", "", "error.phone.international"},
	} {
		a := forms.ParseApplication(values(with(application, "phone", c.typed)), options, c.phones, today)
		if c.key != "" {
			assert.Contains(t, keys(a.Validate()), "phone: "+c.key, c.typed)
			continue
		}
		assert.NotContains(t, keys(a.Validate()), "phone", c.typed)
		assert.Equal(t, c.want, value(a.Submission("abc"), "phone"), c.typed)
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
	assert.NotContains(t, keys(a.Validate()), "skin_color")
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
	var want []string
	for _, field := range []string{
		"realname", "birthdate", "gender", "phone", "email", "nationality", "note", "height", "bust",
		"waist", "hips", "shoes", "dress", "eyes", "hair", "image_1", "image_2", "image_3", "privacy",
	} {
		want = append(want, field+": error."+field+".required")
	}
	empty := forms.ParseApplication(url.Values{}, options, forms.MaskPhones, today)
	assert.Equal(t, strings.Join(want, "\n"), keys(empty.Validate()))
}

func TestFieldsWithoutOptionsAreOptional(t *testing.T) {
	few := options
	few.Suit, few.Hair = nil, nil
	a := forms.ParseApplication(values(with(application, "dress", "", "hair", "")), few, forms.MaskPhones, today)
	lacks := keys(a.Validate())
	assert.NotContains(t, lacks, "dress")
	assert.NotContains(t, lacks, "hair")
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

func TestAMinorsMeasuresAreNotPassedOn(t *testing.T) {
	a := apply(with(application, append(guardian, "birthdate", "2015-01-02")...))
	require.Empty(t, a.Validate())
	assert.True(t, a.Minor())
	var names []string
	for _, field := range a.Submission("abc").Fields {
		names = append(names, field.Name)
	}
	assert.Equal(t, "realname birthdate gender phone email nationality note responsible height shoes eyes hair",
		strings.Join(names, " "))
	assert.Equal(t, "Rosa Souza · rosa@example.com · +55 11 3333-4444", value(a.Submission("abc"), "responsible"))
}

func TestABirthdateIsReadAsPeopleWriteIt(t *testing.T) {
	for _, born := range []string{
		"17042001", "17-04-2001", "17.4.2001", "17 / 04 / 2001", "2001/04/17", "2001-4-17", "17 04 2001", "17.04.2001.",
		"17–04–2001", "2001. 04. 17.",
	} {
		a := apply(with(application, "birthdate", born))
		assert.Empty(t, a.Validate(), born)
		assert.Equal(t, "2001-04-17", value(a.Submission("abc"), "birthdate"), born)
		assert.Equal(t, "17/04/2001", a.DisplayBirthdate(), born)
		assert.False(t, a.Minor(), born)
	}
	assert.True(t, apply(with(application, "birthdate", "05032012")).Minor())
	a := apply(with(application, "birthdate", "20010417"))
	assert.Equal(t, "birthdate: error.birthdate.none", keys(a.Validate()))
	assert.Equal(t, "20010417", a.DisplayBirthdate(), "never 20/01/0417")
}

func TestTheAgencySetsTheMinimumAge(t *testing.T) {
	for born, ok := range map[string]bool{"21/11/2010": true, "22/11/2010": false} {
		a := apply(with(application, append(guardian, "birthdate", born)...))
		a.MinimumAge = 16
		assert.Equal(t, map[bool]string{false: "birthdate: error.birthdate.young"}[ok], keys(a.Validate()))
	}
}

// guardian is the responsible adult of a minor.
var guardian = []string{
	"responsible", "Rosa Souza", "responsible_email", "rosa@example.com",
	"responsible_phone", "+55 11 3333-4444", "responsible_consent", "on",
}

// FuzzReadApplication looks for a body that makes the reading hold more than its limits.
func FuzzReadApplication(f *testing.F) {
	var whole strings.Builder
	parts := multipart.NewWriter(&whole)
	require.NoError(f, parts.SetBoundary("limit"))
	require.NoError(f, parts.WriteField("realname", "Ana"))
	photo, err := parts.CreateFormFile("image_1", "../../a\r\n.jpg")
	require.NoError(f, err)
	_, err = photo.Write([]byte("\xff\xd8\xff"))
	require.NoError(f, err)
	require.NoError(f, parts.Close())
	const multi, plain = "multipart/form-data; boundary=limit", "application/x-www-form-urlencoded"
	f.Add(multi, whole.String())
	f.Add(multi, whole.String()[:whole.Len()-9])
	f.Add(multi, "--limit\r\n\r\n--limit\r\nContent-Disposition: form-data; name=a; filename*=utf-8''%zz\r\n\r\n")
	f.Add("multipart/form-data", "--")
	f.Add("multipart/mixed; boundary=\"\"", "--\r\n")
	f.Add(plain, "realname=Ana&email=%zz&a;b&"+strings.Repeat("x=1&", 50))
	f.Add("", "realname=Ana")
	f.Fuzz(func(t *testing.T, kind, body string) {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.Header["Content-Type"] = []string{kind}
		values, photos, _ := forms.Read(r, forms.MaxApplication)
		assert.LessOrEqual(t, len(photos), len(agency.PhotoFields))
		held := 0
		for _, texts := range values {
			held += len(strings.Join(texts, ""))
		}
		assert.LessOrEqual(t, held, len(body), "no more is read than was sent")
	})
}

// FuzzApplication looks for a form that is accepted although the agency must not get it: measures of a minor, or a
// minor without a guardian.
func FuzzApplication(f *testing.F) {
	for _, birthdate := range []string{
		"30/04/1999", "2012-12-31", "31.12.2012", "12/31/2012", "2012", "0001-01-01", "é",
	} {
		f.Add(birthdate, "+55 (11) 98765-4321", "ana@example.com", "")
	}
	f.Add("22/11/2008", "+351 912 345 678", "ana@example.com\r\nBcc: x@example.com", "Mãe")
	f.Fuzz(func(t *testing.T, birthdate, phone, email, responsible string) {
		a := apply(map[string]string{
			"birthdate": birthdate, "phone": phone, "email": email, "responsible": responsible,
			"responsible_email": email, "responsible_phone": phone, "responsible_consent": "on",
		})
		born, ok := a.ParseBirthdate()
		if ok {
			shown := apply(map[string]string{"birthdate": a.DisplayBirthdate()})
			again, ok := shown.ParseBirthdate()
			require.True(t, ok && again.Equal(born) || born.Year() > 9999,
				"birth date %q is shown as %q", birthdate, a.DisplayBirthdate())
		}
		if a.Minor() {
			require.Empty(t, a.Bust+a.Waist+a.Hips+a.Dress, "a minor's measures are not kept")
		}
		if slices.ContainsFunc(a.Validate(), func(forms.Error) bool { return true }) {
			return
		}
		require.True(t, ok, "an accepted birth date is readable: %q", birthdate)
		require.True(t, born.Before(today), "an accepted birth date is in the past: %q", birthdate)
		require.NotContains(t, a.Email+a.ResponsibleEmail, "\n")
		if agency.Underage(born, today) {
			require.NotEmpty(t, strings.TrimSpace(a.Responsible))
		}
	})
}

// FuzzPhone looks for a number that is another one when it is typed as the site shows it.
func FuzzPhone(f *testing.F) {
	for _, seed := range []string{
		"+55 (11) 98765-4321", "5511987654321", "00351 912 345 678", "+1 (650) 253-0000 ext. 5", "+",
		"\u202d+351912345678",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		for _, phones := range []forms.Phones{forms.MaskPhones, forms.InternationalPhones} {
			parse := func(typed string) *forms.Application {
				return forms.ParseApplication(url.Values{"phone": {typed}}, options, phones, today)
			}
			shown := parse(typed).Phone
			require.Equal(t, shown, parse(shown).Phone, "%q", typed)
		}
	})
}
