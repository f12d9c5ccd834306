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

	"zedcard/internal/agency"
	"zedcard/internal/forms"
)

// jpegMagic begins every JPEG.
const jpegMagic = "\xff\xd8\xff"

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

// read reads a posted application.
func read(r *http.Request, intake forms.Intake) (url.Values, error) {
	if intake.Memory == nil {
		intake.Memory = func(int64) bool { return true }
	}
	return forms.Read(httptest.NewRecorder(), r, forms.MaxApplication, intake)
}

// readContact reads a posted contact form.
func readContact(r *http.Request) (url.Values, error) {
	return forms.Read(httptest.NewRecorder(), r, forms.MaxContact,
		forms.Intake{Memory: func(int64) bool { return true }})
}

func file(t *testing.T, form *multipart.Writer, field, name string, size int) {
	t.Helper()
	part, err := form.CreateFormFile(field, name)
	require.NoError(t, err)
	_, err = part.Write(append([]byte(jpegMagic), make([]byte, size)...)[:size])
	require.NoError(t, err)
}

func TestReadPassesPhotosOn(t *testing.T) {
	r := posted(t, func(form *multipart.Writer) {
		require.NoError(t, form.WriteField("realname", "Ana"))
		file(t, form, "image_1", "eu.jpg", 5)
		file(t, form, "image_2", "", 0) // as browsers send an input without a file
		file(t, form, "image_3", "big.jpg", agency.MaxPhoto+20)
		file(t, form, "cv", "cv.pdf", 5)
		file(t, form, "image_1", "another.jpg", 5) // each input has one
		require.NoError(t, form.WriteField("realname", "Eva"))
	})
	sizes := map[string]int{}
	values, err := read(r, forms.Intake{Take: func(p forms.Photo) {
		sizes[p.Field+" "+p.Name] = int(p.File.Size())
	}})
	require.NoError(t, err)
	assert.Equal(t, map[string]int{"image_1 eu.jpg": 5, "image_3 big.jpg": agency.MaxPhoto + 1}, sizes)
	assert.Equal(t, []string{"Ana", "Eva"}, values["realname"])
}

func TestReadRefusesTooLargeForms(t *testing.T) {
	fields := func(n, size int) *http.Request {
		return posted(t, func(form *multipart.Writer) {
			for i := range n {
				_ = form.WriteField(fmt.Sprint("f", i), strings.Repeat("a", size))
			}
		})
	}
	noBoundary := encoded("x")
	noBoundary.Header.Set("Content-Type", "multipart/form-data")
	cut := posted(t, func(form *multipart.Writer) { file(t, form, "image_1", "a.jpg", 1000) })
	cut.Body = io.NopCloser(io.LimitReader(cut.Body, 500))
	manyEncoded := url.Values{}
	for i := range 41 {
		manyEncoded.Set(fmt.Sprint("f", i), "x")
	}
	for name, test := range map[string]struct {
		r    *http.Request
		want error
	}{
		"a long encoded field":        {encoded("message=" + strings.Repeat("a", 513<<10)), forms.ErrTooLarge},
		"many encoded fields":         {encoded(strings.Repeat("a=1&", 1<<20)), forms.ErrTooLarge},
		"escapes":                     {encoded("message=" + strings.Repeat("%26", 1<<19)), forms.ErrTooLarge},
		"above 1 MiB":                 {fields(1, 1<<20), forms.ErrTooLarge},
		"more than 40 parts":          {fields(41, 1), forms.ErrTooLarge},
		"more than 40 encoded fields": {encoded(manyEncoded.Encode()), forms.ErrTooLarge},
		"40 parts":                    {fields(40, 1), nil},
		"no boundary":                 {noBoundary, forms.ErrMalformed},
		"truncated in a photo":        {cut, forms.ErrMalformed},
		"bad encoding":                {encoded("name=%zz"), forms.ErrMalformed},
	} {
		_, err := readContact(test.r)
		require.ErrorIs(t, err, test.want, name)
	}
}

func TestTheTextsOfAFormAreLimited(t *testing.T) {
	values, err := readContact(posted(t, func(form *multipart.Writer) {
		for i := range 8 {
			_ = form.WriteField(fmt.Sprint("f", i), strings.Repeat("a", 100_000))
		}
	}))
	require.NoError(t, err)
	whole := 0
	for _, value := range values {
		whole += len(value[0])
	}
	assert.Equal(t, 128<<10, whole)
	for _, name := range []string{"Ana", "Anna", "Annia"} { // the body is cut at each byte of an escape
		values, err = readContact(encoded("name=" + name + "&message=" + strings.Repeat("%C3%A3", 1<<20)))
		require.ErrorIs(t, err, forms.ErrTooLarge)
		assert.Equal(t, name, values.Get("name"), "what was read is there")
		assert.Equal(t, strings.Repeat("ã", 32<<10), values.Get("message"))
	}
}

func encoded(body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/contact", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

// counted is the memory that a form holds.
type counted struct{ held, most int64 }

func (c *counted) memory(bytes int64) bool {
	c.held += bytes
	c.most = max(c.most, c.held)
	return true
}

func TestTheHeaderOfAPartIsBounded(t *testing.T) {
	for name, header := range map[string]string{
		"a line that never ends": "X-Long: " + strings.Repeat("a", 9<<20),
		"many lines":             strings.Repeat("X-Line: a\r\n", 1<<20),
	} {
		r := encoded("")
		r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		rest := strings.NewReader("--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\n" +
			"Ana\r\n--b\r\n" + header)
		size := rest.Len()
		r.Body = io.NopCloser(rest)
		values, err := readContact(r)
		require.Error(t, err, name)
		assert.Equal(t, "Ana", values.Get("name"), name)
		assert.Less(t, size-rest.Len(), 32<<10, name)
	}
}

func TestAPhotosBytesAreGivenBackOnceItWasTaken(t *testing.T) {
	var held counted
	_, err := read(posted(t, func(form *multipart.Writer) {
		file(t, form, "image_1", "a.jpg", 3<<20)
		file(t, form, "image_2", "b.jpg", 3<<20)
	}), forms.Intake{Memory: held.memory, Take: func(forms.Photo) {}})
	require.NoError(t, err)
	assert.Less(t, held.most, int64(4<<20), "one photo at a time")
	assert.Less(t, held.held, int64(1<<20), "only texts")
}

func TestAFileThatIsNoPhotoIsNotHeld(t *testing.T) {
	var held counted
	var beginning []byte
	_, err := read(posted(t, func(form *multipart.Writer) {
		part, err := form.CreateFormFile("image_1", "a.jpg")
		require.NoError(t, err)
		_, err = part.Write(bytes.Repeat([]byte("%PDF-1.7 "), 1<<20))
		require.NoError(t, err)
	}), forms.Intake{Memory: held.memory, Take: func(p forms.Photo) { beginning, _ = io.ReadAll(p.File) }})
	require.NoError(t, err)
	assert.True(t, bytes.HasPrefix(beginning, []byte("%PDF-1.7 ")), "its beginning tells what it is")
	assert.Less(t, held.most, int64(256<<10))
}

func TestTextsOfAFormAreCounted(t *testing.T) {
	for name, r := range map[string]*http.Request{
		"multipart": posted(t, func(form *multipart.Writer) { _ = form.WriteField("message", "a") }),
		"encoded":   encoded("message=a"),
	} {
		_, err := read(r, forms.Intake{Memory: func(int64) bool { return false }})
		assert.ErrorIs(t, err, forms.ErrNoRoom, name)
	}
}
