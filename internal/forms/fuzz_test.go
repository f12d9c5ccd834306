package forms_test

import (
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/forms"
)

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
		var photos []string
		values, _ := read(r, forms.Intake{Take: func(p forms.Photo) {
			assert.Contains(t, agency.PhotoFields, p.Field)
			assert.NotContains(t, photos, p.Field, "each input has one photo at most")
			assert.LessOrEqual(t, p.File.Size(), int64(agency.MaxPhoto+1))
			photos = append(photos, p.Field)
		}})
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
