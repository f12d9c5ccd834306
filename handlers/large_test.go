package handlers_test

import (
	"html"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/forms"
	"zedcard/internal/middleware"
)

// limited adds the body limit of every route to the office.
func limited(o *formsSite) *formsSite {
	o.Handler = middleware.Limits(middleware.DefaultMaxBody)(o.Handler)
	return o
}

func TestALongMessageIsRefilledCompletely(t *testing.T) {
	for path, text := range map[string]string{
		"/contact":    "Please shorten this to 4000 characters at most.",
		"/pt/contato": "Encurte este texto: no máximo 4000 caracteres.",
		"/es/contact": "Acorta este texto: 4000 caracteres como máximo.",
	} {
		for _, length := range []int{4001, 16_500, 30_000} {
			o := limited(open(t))
			long := strings.Repeat("ã", length)
			answer := o.post(path, with(message, "form_token", o.token(path), "message", long))
			require.Equal(t, http.StatusUnprocessableEntity, answer.Code, length)
			body := unstyled(answer)
			assert.Contains(t, body, `<a href="#message">`+text+`</a>`)
			assert.True(t, strings.Contains(body, long), "the message of %d characters is refilled completely", length)
			assert.Equal(t, "Júlia Prado", valueOf(t, body, "name"))
			assert.Equal(t, "+351 912 345 678", valueOf(t, body, "phone"))
		}
	}
}

func TestALongNameIsReportedAtItsField(t *testing.T) {
	o := limited(open(t))
	long := strings.Repeat("a", 17_000)
	answer := o.upload("/be-a-model",
		with(applicant, "form_token", o.token("/be-a-model"), "realname", long, "birthdate", long), photosOf(t))
	require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
	body := unstyled(answer)
	assert.Contains(t, body, `<a href="#realname">Please shorten this to 200 characters at most.</a>`)
	assert.Contains(t, body, `<a href="#birthdate">Please shorten this to 40 characters at most.</a>`,
		"the birth date is reported at its own limit")
	assert.Equal(t, long, valueOf(t, body, "realname"))
	assert.Equal(t, "ana@example.com", valueOf(t, body, "email"))
	assert.NotEmpty(t, valueOf(t, body, "image_3_kept"))
}

func TestTooLargePhotosAreReportedAtTheirFields(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	for name, sizes := range map[string]map[string]int{
		"one of 12 MiB":      {"image_1": 12 << 20},
		"one of 40 MiB":      {"image_1": 40 << 20},
		"two of 16 MiB":      {"image_1": 16 << 20, "image_3": 16 << 20},
		"three above 10 MiB": {"image_1": 11 << 20, "image_2": 11 << 20, "image_3": 11 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			o := limited(open(t))
			photos := photosOf(t)
			for field, size := range sizes {
				photos[field] = append([]byte("\xff\xd8\xff"), make([]byte, size)...)
			}
			answer := o.upload("/be-a-model", with(applicant, "form_token", o.token("/be-a-model")), photos)
			require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
			body := unstyled(answer)
			for field := range photos {
				if sizes[field] == 0 {
					assert.NotEmpty(t, valueOf(t, body, field+"_kept"))
					continue
				}
				assert.Contains(t, body,
					`<a href="#`+field+`">This photo is larger than 10 MB. Choose a smaller one.</a>`)
				assert.Regexp(t, `(?s)id="`+field+`-error".{0,200}larger than 10 MB`, body)
			}
			for field, value := range applicant {
				assert.True(t, strings.Contains(html.UnescapeString(body), `"`+value+`"`) || field == "privacy", field)
			}
		})
	}
}

func TestMalformedAndOversizedForms(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	o := limited(open(t))
	answer := o.post("/contact",
		with(message, "form_token", o.token("/contact"), "zzz", strings.Repeat("a", forms.MaxContact)))
	assert.Equal(t, http.StatusRequestEntityTooLarge, answer.Code)
	assert.Contains(t, unstyled(answer), "<h2>Your text is too long for this form.")
	assert.Equal(t, "Júlia Prado", valueOf(t, answer.Body.String(), "name"))

	noForm := newRequest(http.MethodPost, "/be-a-model", "no form", "Content-Type", "multipart/form-data")
	assert.Equal(t, http.StatusBadRequest, answerTo(o, noForm).Code)

	answer = o.upload("/be-a-model", with(applicant, "form_token", o.token("/be-a-model")),
		map[string][]byte{"image_1": make([]byte, forms.MaxApplication)})
	assert.Equal(t, http.StatusRequestEntityTooLarge, answer.Code)
	assert.Contains(t, unstyled(answer), "<h2>The photos are too large:")
	assert.Equal(t, "Ana Souza", valueOf(t, answer.Body.String(), "realname"))
	assert.Empty(t, o.storedSubmissions())
}
