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

func encoded(body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/contact?name=Eva;a", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

func TestReadGivesTheFirstPhotoOfEachInputWithoutAFileOnTheDisk(t *testing.T) {
	t.Setenv("TMPDIR", "/nowhere")
	values, photos, err := forms.Read(posted(t, func(form *multipart.Writer) {
		require.NoError(t, form.WriteField("realname", "Ana"))
		file(t, form, "image_1", "eu.jpg", 5)
		file(t, form, "image_2", "", 0) // as browsers send an input without a file
		file(t, form, "image_3", "big.jpg", 40<<20)
		file(t, form, "cv", "cv.pdf", 5)
		file(t, form, "image_1", "another.jpg", 5)
		require.NoError(t, form.WriteField("realname", "Eva"))
		require.NoError(t, form.WriteField("nickname", strings.Repeat("ã", 40_000)))
	}), forms.MaxApplication)
	require.NoError(t, err)
	sizes := map[string]int64{}
	for _, photo := range photos {
		sizes[photo.Field+" "+photo.Name] = photo.File.Size()
	}
	assert.Equal(t, map[string]int64{"image_1 eu.jpg": 5, "image_3 big.jpg": 40 << 20}, sizes)
	assert.Equal(t, []string{"Ana", "Eva"}, values["realname"])
	assert.Equal(t, strings.Repeat("ã", 32<<10), values.Get("nickname"), "64 KB of a text are given back")
}

func TestReadRefusesWhatIsTooLargeOrNoForm(t *testing.T) {
	noBoundary := encoded("x")
	noBoundary.Header.Set("Content-Type", "multipart/form-data")
	cut := posted(t, func(form *multipart.Writer) { file(t, form, "image_1", "a.jpg", 1000) })
	cut.Body = io.NopCloser(io.LimitReader(cut.Body, 500))
	for name, test := range map[string]struct {
		r       *http.Request
		refused string
	}{
		"encoded, above 1 MiB": {encoded("message=" + strings.Repeat("a", 1<<20)), "too large"},
		"above 1 MiB": {
			posted(t, func(form *multipart.Writer) { file(t, form, "image_1", "a.jpg", 1<<20) }), "too large",
		},
		"many parts": {posted(t, func(form *multipart.Writer) {
			for i := range 1001 {
				_ = form.WriteField(fmt.Sprint("f", i), "")
			}
		}), "too large"},
		"no boundary":          {noBoundary, "boundary"},
		"truncated in a photo": {cut, "unexpected EOF"},
		"bad encoding":         {encoded("name=%zz"), "invalid URL escape"},
	} {
		_, _, err := forms.Read(test.r, forms.MaxContact)
		require.ErrorContains(t, err, test.refused, name)
	}
	values, _, err := forms.Read(encoded("name=Ana"), forms.MaxContact)
	require.NoError(t, err)
	assert.Equal(t, url.Values{"name": {"Ana"}}, values, "the address's query is not the form's")
}
