package forms

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"unicode/utf8"

	"zedcard/internal/agency"
)

// How much of a form is read, in bytes. It is more than is accepted, so that a photo that is a little too large is an
// error at its field; a form that is larger is refused as a whole.
const (
	MaxContact     = 1 << 20
	MaxApplication = 3*20<<20 + MaxContact

	maxField = 64 << 10 // of one text that is given back: 16,000 characters of any alphabet
)

// Photo is a photo as it was sent: Name is the visitor's file name.
type Photo struct {
	Field, Name string
	File        *io.SectionReader // in memory
}

// Read reads the values of a posted form of at most limit bytes, and the first photo of each input. Nothing is written
// to the disk. A form that is larger is an *http.MaxBytesError.
func Read(r *http.Request, limit int64) (values url.Values, photos []Photo, err error) {
	posted := r.WithContext(r.Context())
	posted.URL = &url.URL{} // its query is not the form's
	posted.Body = http.MaxBytesReader(nil, r.Body, limit)
	if err = posted.ParseForm(); err == nil {
		err = posted.ParseMultipartForm(limit)
	}
	if err != nil && !errors.Is(err, http.ErrNotMultipart) {
		return nil, nil, err
	}
	for _, texts := range posted.PostForm {
		for i, text := range texts {
			texts[i] = truncate(text, maxField)
		}
	}
	if posted.MultipartForm == nil {
		return posted.PostForm, nil, nil
	}
	for _, field := range agency.PhotoFields {
		sent := posted.MultipartForm.File[field]
		if len(sent) == 0 {
			continue
		}
		file, err := sent[0].Open()
		if err != nil {
			return nil, nil, err
		}
		photos = append(photos, Photo{field, sent[0].Filename, io.NewSectionReader(file, 0, sent[0].Size)})
	}
	return posted.PostForm, photos, nil
}

// truncate is the beginning of a text, at most limit bytes.
func truncate(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}
