package forms

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"unicode/utf8"
)

// MaxPhoto is the size in bytes of the largest photo that is accepted.
const MaxPhoto = 10 << 20

// How much of a form is read, in bytes. It is far more than is accepted, so that a visitor who sends too much gets the
// form back with the error at its field; only sizes that no visitor sends are refused as a whole. Photos above MaxPhoto
// and texts above their limits are not kept in memory.
const (
	MaxContact     = 1 << 20
	MaxApplication = 3*40<<20 + maxURLEncoded

	maxURLEncoded = 512 << 10 // a form that is not multipart, with its percent-encoding
	maxTexts      = 128 << 10 // of all texts of a multipart form
	maxField      = 64 << 10  // of one text: 16,000 characters of any alphabet
	maxParts      = 40
)

// Errors of ReadContact and ReadApplication.
var (
	// ErrTooLarge: the form is larger than allowed (413).
	ErrTooLarge = errors.New("form too large")
	// ErrMalformed: the body is not a form (400).
	ErrMalformed = errors.New("malformed form")
	// ErrNoRoom: Intake.Reserve refused; all texts, and the photos before it, have been read (503).
	ErrNoRoom = errors.New("no room for another photo")
)

// Photo is a photo as it was sent: Name is the visitor's file name; of a photo above MaxPhoto,
// Data is the first MaxPhoto + 1 bytes.
type Photo struct {
	Field, Name string
	Data        []byte
}

// Intake handles the photos of a form as they arrive. With the zero value they are skipped.
type Intake struct {
	// Take gets each input's photo as soon as it is read, so that at most one original is in memory.
	Take func(Photo)
	// Reserve is called before more bytes are held in memory; once it returns false no further photo is read. nil: no
	// limit.
	Reserve func(bytes int64) bool
}

// ReadContact reads the values of a posted contact form. With an error, they are those read so far.
func ReadContact(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	return read(w, r, MaxContact, Intake{})
}

// ReadApplication reads the values of a posted get-scouted form and hands its photos over. With an error, the values
// are those read so far.
func ReadApplication(w http.ResponseWriter, r *http.Request, intake Intake) (url.Values, error) {
	return read(w, r, MaxApplication, intake)
}

func read(w http.ResponseWriter, r *http.Request, limit int64, intake Intake) (url.Values, error) {
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	parts, err := r.MultipartReader()
	if errors.Is(err, http.ErrNotMultipart) {
		return readURLEncoded(r)
	}
	if err != nil {
		return url.Values{}, readError(err)
	}
	form := multipartForm{values: url.Values{}, remainingText: maxTexts, intake: intake, seen: map[string]bool{}}
	for range maxParts + 1 {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return form.values, form.refused
		}
		if err == nil {
			err = form.read(part)
		}
		if err != nil {
			return form.values, readError(err)
		}
	}
	return form.values, ErrTooLarge
}

// readURLEncoded reads a form that is not multipart.
func readURLEncoded(r *http.Request) (url.Values, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxURLEncoded+1))
	if len(body) > maxURLEncoded {
		err = ErrTooLarge
		body = body[:maxURLEncoded]
		if escape := bytes.LastIndexByte(body, '%'); escape > maxURLEncoded-3 {
			body = body[:escape]
		}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if parseErr := r.ParseForm(); err == nil {
		err = parseErr
	}
	for _, values := range r.PostForm {
		for i, value := range values {
			values[i] = truncate(value, maxField)
		}
	}
	if len(r.PostForm) > maxParts {
		err = ErrTooLarge
	}
	return r.PostForm, readError(err)
}

// multipartForm is a multipart form that is being read.
type multipartForm struct {
	values        url.Values
	remainingText int // bytes of texts that may still come
	intake        Intake
	seen          map[string]bool // inputs whose photo was read
	refused       error           // ErrNoRoom, once Reserve has refused
}

// read reads one part: a field or a photo. Other files, and a second photo for the same input, are skipped. A file
// input without a file has no name and is an empty field. The unread rest of a part is discarded when the next one is
// read.
func (form *multipartForm) read(part *multipart.Part) error {
	field := part.FormName()
	if part.FileName() == "" {
		limit := min(maxField, form.remainingText)
		value, err := io.ReadAll(io.LimitReader(part, int64(limit)+1))
		text := truncate(string(value), limit)
		form.remainingText -= len(text)
		form.values.Add(field, text)
		return err
	}
	if form.intake.Take == nil || form.refused != nil || form.seen[field] || !slices.Contains(PhotoInputs, field) {
		return nil
	}
	data, err := form.readPhoto(part)
	if err != nil {
		return err
	}
	if len(data) > 0 && form.refused == nil {
		form.seen[field] = true
		form.intake.Take(Photo{Field: field, Name: part.FileName(), Data: data})
	}
	return nil
}

// reserveStep is how many bytes are reserved at a time, so that a sender who stalls holds little.
const reserveStep = 64 << 10

// readPhoto reads at most MaxPhoto + 1 bytes, as far as they can be reserved.
func (form *multipartForm) readPhoto(part io.Reader) ([]byte, error) {
	var data bytes.Buffer
	for data.Len() <= MaxPhoto {
		if form.intake.Reserve != nil && !form.intake.Reserve(reserveStep) {
			form.refused = ErrNoRoom
			return nil, nil
		}
		_, err := io.CopyN(&data, part, min(reserveStep, int64(MaxPhoto+1-data.Len())))
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return data.Bytes(), nil
}

// truncate is the beginning of a text, at most bound bytes.
func truncate(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// readError is err wrapped in ErrTooLarge or ErrMalformed.
func readError(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil || errors.Is(err, ErrTooLarge):
		return err
	case errors.As(err, &tooLarge):
		return ErrTooLarge
	}
	return fmt.Errorf("%w: %w", ErrMalformed, err)
}
