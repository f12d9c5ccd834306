package forms_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/forms"
)

// posted is a multipart request that write fills.
func posted(t *testing.T, write func(*multipart.Writer)) *http.Request {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	write(form)
	require.NoError(t, form.Close())
	r := httptest.NewRequest(http.MethodPost, "/be-a-model", &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	return r
}

func file(t *testing.T, form *multipart.Writer, field, name string, size int) {
	t.Helper()
	part, err := form.CreateFormFile(field, name)
	require.NoError(t, err)
	_, err = part.Write(make([]byte, size))
	require.NoError(t, err)
}

func TestReadApplicationHandsPhotosOver(t *testing.T) {
	r := posted(t, func(form *multipart.Writer) {
		require.NoError(t, form.WriteField("realname", "Ana"))
		file(t, form, "image_1", "eu.jpg", 5)
		file(t, form, "image_2", "", 0) // as browsers send an input without a file
		file(t, form, "image_3", "big.jpg", forms.MaxPhoto+20)
		file(t, form, "cv", "cv.pdf", 5)
		require.NoError(t, form.WriteField("realname", "Eva"))
	})
	sizes := map[string]int{}
	values, err := forms.ReadApplication(httptest.NewRecorder(), r, func(p forms.Photo) { sizes[p.Field+" "+p.Name] = len(p.Data) })
	require.NoError(t, err)
	assert.Equal(t, map[string]int{"image_1 eu.jpg": 5, "image_3 big.jpg": forms.MaxPhoto + 1}, sizes)
	assert.Equal(t, []string{"Ana", "Eva"}, values["realname"])
}

func TestReadRefusesWhatIsTooMuch(t *testing.T) {
	none := func(forms.Photo) {}
	urlencoded := func(body string) *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/contact", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return r
	}
	application := func(r *http.Request) (url.Values, error) {
		return forms.ReadApplication(httptest.NewRecorder(), r, none)
	}
	contact := func(r *http.Request) (url.Values, error) { return forms.ReadContact(httptest.NewRecorder(), r) }

	noBoundary := urlencoded("x")
	noBoundary.Header.Set("Content-Type", "multipart/form-data")
	cut := posted(t, func(form *multipart.Writer) { file(t, form, "image_1", "a.jpg", 1000) })
	cut.Body = io.NopCloser(io.LimitReader(cut.Body, 500))
	manyEncoded := url.Values{}
	for i := range 41 {
		manyEncoded.Set(fmt.Sprint("f", i), "x")
	}

	for name, test := range map[string]struct {
		read func(*http.Request) (url.Values, error)
		r    *http.Request
		want error
	}{
		"a contact above 32 KiB":      {contact, urlencoded("message=" + strings.Repeat("a", 33<<10)), forms.ErrTooLarge},
		"photos above 30 MiB":         {application, posted(t, func(form *multipart.Writer) { file(t, form, "image_1", "a.jpg", 40<<20) }), forms.ErrTooLarge},
		"a field above its bound":     {application, posted(t, func(form *multipart.Writer) { _ = form.WriteField("realname", strings.Repeat("a", 17<<10)) }), forms.ErrTooLarge},
		"more than 40 parts":          {application, posted(t, func(form *multipart.Writer) { many(form, 41) }), forms.ErrTooLarge},
		"more than 40 encoded fields": {contact, urlencoded(manyEncoded.Encode()), forms.ErrTooLarge},
		"40 parts":                    {application, posted(t, func(form *multipart.Writer) { many(form, 40) }), nil},
		"no boundary":                 {application, noBoundary, forms.ErrMalformed},
		"cut in a photo":              {application, cut, forms.ErrMalformed},
		"bad encoding":                {contact, urlencoded("name=%zz"), forms.ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := test.read(test.r)
			require.ErrorIs(t, err, test.want)
		})
	}
}

func many(form *multipart.Writer, parts int) {
	for i := range parts {
		_ = form.WriteField(fmt.Sprint("f", i), "x")
	}
}

func TestWhatWasReadBeforeAPhotoThatIsTooMuchIsKept(t *testing.T) {
	r := posted(t, func(form *multipart.Writer) {
		require.NoError(t, form.WriteField("realname", "Ana"))
		file(t, form, "image_1", "a.jpg", 40<<20)
	})
	values, err := forms.ReadApplication(httptest.NewRecorder(), r, func(forms.Photo) {})
	require.ErrorIs(t, err, forms.ErrTooLarge)
	assert.Equal(t, "Ana", values.Get("realname"))
}

func TestAFormThatIsNotMultipartIsBoundedToo(t *testing.T) {
	for name, body := range map[string]string{
		"a long field":   "nickname=" + strings.Repeat("x", 1<<20),
		"a large body":   strings.Repeat("a=1&", 1<<20),
		"an encoded one": "nickname=" + strings.Repeat("%26", 1<<19),
	} {
		r := httptest.NewRequest(http.MethodPost, "/be-a-model", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		_, err := forms.ReadApplication(httptest.NewRecorder(), r, nil)
		assert.ErrorIs(t, err, forms.ErrTooLarge, name)
	}
}
