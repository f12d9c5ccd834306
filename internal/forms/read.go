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

// MaxPhoto is the size in bytes of the largest photo that is taken.
const MaxPhoto = 10 << 20

// What is read of a form. It is far above what is taken, so that who writes or chooses too much gets
// everything back with what is wrong at its field; only what no visitor sends is refused as a whole. Nothing
// is kept of a photo above MaxPhoto nor of texts above their bounds, so that memory does not grow with it.
const (
	MaxContact     = 1 << 20
	MaxApplication = 3*40<<20 + maxPlain

	maxPlain = 512 << 10 // a form without photos that is not multipart, with its escapes
	maxTexts = 128 << 10 // of a multipart form together
	maxField = 64 << 10  // of one text: 16,000 characters of any alphabet
	maxParts = 40
)

// What Read answers when it can't go on.
var (
	// ErrTooLarge: the form sends more than it may (413).
	ErrTooLarge = errors.New("form too large")
	// ErrMalformed: it is no form (400).
	ErrMalformed = errors.New("malformed form")
	// ErrNoRoom: Intake.Reserve refused; the texts are all there, and the photos that came before (503).
	ErrNoRoom = errors.New("no room for another photo")
)

// Photo is a photo as it was sent: Name is the visitor's file name; of a photo above MaxPhoto,
// Data is the first MaxPhoto + 1 bytes.
type Photo struct {
	Field, Name string
	Data        []byte
}

// Intake is what happens to the photos of a form as they come. With the zero value they are passed over.
type Intake struct {
	// Take gets each input's photo as soon as it is read, so that no more than one is in memory as it came.
	Take func(Photo)
	// Reserve is asked before so many bytes more are held; after false no further photo is taken. nil: never refuses.
	Reserve func(bytes int64) bool
}

// ReadContact reads the values of a posted contact form. With an error, they are those that were read until then.
func ReadContact(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	return read(w, r, MaxContact, Intake{})
}

// ReadApplication reads the values of a posted get-scouted form and hands its
// photos over. With an error, the values are those that were read until then.
func ReadApplication(w http.ResponseWriter, r *http.Request, photos Intake) (url.Values, error) {
	return read(w, r, MaxApplication, photos)
}

func read(w http.ResponseWriter, r *http.Request, limit int64, photos Intake) (url.Values, error) {
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	parts, err := r.MultipartReader()
	if errors.Is(err, http.ErrNotMultipart) {
		return readPlain(r)
	}
	if err != nil {
		return url.Values{}, sizeOr(err)
	}
	form := parted{values: url.Values{}, left: maxTexts, photos: photos, taken: map[string]bool{}}
	for range maxParts + 1 {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return form.values, form.refused
		}
		if err == nil {
			err = form.read(part)
		}
		if err != nil {
			return form.values, sizeOr(err)
		}
	}
	return form.values, ErrTooLarge
}

// readPlain reads a form that is not multipart.
func readPlain(r *http.Request) (url.Values, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxPlain+1))
	if len(body) > maxPlain {
		err = ErrTooLarge
		body = body[:maxPlain]
		if escape := bytes.LastIndexByte(body, '%'); escape > maxPlain-3 {
			body = body[:escape]
		}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if parse := r.ParseForm(); err == nil {
		err = parse
	}
	for _, values := range r.PostForm {
		for i, value := range values {
			values[i] = cut(value, maxField)
		}
	}
	if len(r.PostForm) > maxParts {
		err = ErrTooLarge
	}
	return r.PostForm, sizeOr(err)
}

// parted is a multipart form that is being read.
type parted struct {
	values  url.Values
	left    int // bytes of texts that may still come
	photos  Intake
	taken   map[string]bool // photos, by input
	refused error           // ErrNoRoom, once there was none
}

// read reads one part: a field, a photo, or a file that nobody asked for, which is passed over, as is
// a second photo for the same input. A file input without a file has no name and is an empty field.
// What is not read of a part goes unkept when the next is asked for.
func (form *parted) read(part *multipart.Part) error {
	field := part.FormName()
	if part.FileName() == "" {
		bound := min(maxField, form.left)
		value, err := io.ReadAll(io.LimitReader(part, int64(bound)+1))
		text := cut(string(value), bound)
		form.left -= len(text)
		form.values.Add(field, text)
		return err
	}
	if form.photos.Take == nil || form.refused != nil || form.taken[field] || !slices.Contains(Photos, field) {
		return nil
	}
	data, err := form.readPhoto(part)
	if err != nil {
		return err
	}
	if len(data) > 0 && form.refused == nil {
		form.taken[field] = true
		form.photos.Take(Photo{Field: field, Name: part.FileName(), Data: data})
	}
	return nil
}

// reserveStep is how much room is asked for at once, in bytes. A sender who sends nothing holds no more.
const reserveStep = 64 << 10

// readPhoto reads MaxPhoto + 1 bytes at most, as far as there is room.
func (form *parted) readPhoto(part io.Reader) ([]byte, error) {
	var data bytes.Buffer
	for data.Len() <= MaxPhoto {
		if form.photos.Reserve != nil && !form.photos.Reserve(reserveStep) {
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

// cut is the beginning of a text, no longer than so many bytes.
func cut(text string, bound int) string {
	if len(text) <= bound {
		return text
	}
	for bound > 0 && !utf8.RuneStart(text[bound]) {
		bound--
	}
	return text[:bound]
}

// sizeOr is err as ErrTooLarge or ErrMalformed, which wraps it.
func sizeOr(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil || errors.Is(err, ErrTooLarge):
		return err
	case errors.As(err, &tooLarge):
		return ErrTooLarge
	}
	return fmt.Errorf("%w: %w", ErrMalformed, err)
}
