package forms

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
)

// The bounds of what a form may send (reliability, section 6).
const (
	MaxPhoto = 10 << 20 // bytes of one photo

	maxContact     = 32 << 10
	maxApplication = 3*MaxPhoto + 256<<10
	maxPlain       = 256 << 10 // of a form without photos, whichever it is
	maxParts       = 40
	maxField       = 16 << 10 // 4,000 letters of any alphabet
)

// What Read answers when it can't go on.
var (
	// ErrTooLarge: the form sends more than it may (413).
	ErrTooLarge = errors.New("form too large")
	// ErrMalformed: it is no form (400).
	ErrMalformed = errors.New("malformed form")
)

// Photo is a photo as it was sent: Name is the visitor's file name; of a photo above MaxPhoto,
// Data is the first MaxPhoto + 1 bytes.
type Photo struct {
	Field, Name string
	Data        []byte
}

// ReadContact reads the values of a posted contact form.
func ReadContact(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	return read(w, r, maxContact, nil)
}

// ReadApplication reads the values of a posted get-scouted form and hands each photo over as soon as
// it is read, so that no more than one is in memory as it came. With an error, the values are those
// that were read until then.
func ReadApplication(w http.ResponseWriter, r *http.Request, photo func(Photo)) (url.Values, error) {
	return read(w, r, maxApplication, photo)
}

func read(w http.ResponseWriter, r *http.Request, limit int64, photo func(Photo)) (url.Values, error) {
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	parts, err := r.MultipartReader()
	if errors.Is(err, http.ErrNotMultipart) {
		r.Body = http.MaxBytesReader(w, r.Body, min(limit, maxPlain))
		err := r.ParseForm()
		if len(r.PostForm) > maxParts || slices.ContainsFunc(slices.Collect(maps.Values(r.PostForm)), tooLong) {
			return url.Values{}, ErrTooLarge
		}
		return r.PostForm, sizeOr(err)
	}
	if err != nil {
		return url.Values{}, sizeOr(err)
	}
	values := url.Values{}
	for range maxParts + 1 {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return values, nil
		}
		if err == nil {
			err = readPart(part, values, photo)
		}
		if err != nil {
			return values, sizeOr(err)
		}
	}
	return values, ErrTooLarge
}

// tooLong reports whether a value is longer than any field may be.
func tooLong(values []string) bool {
	return slices.ContainsFunc(values, func(value string) bool { return len(value) > maxField })
}

// readPart reads one part: a field, a photo, or a file that nobody asked for, which is passed over.
// A file input without a file has no name and is an empty field.
func readPart(part *multipart.Part, values url.Values, photo func(Photo)) error {
	if part.FileName() == "" {
		value, err := io.ReadAll(io.LimitReader(part, maxField+1))
		if err == nil && len(value) > maxField {
			err = ErrTooLarge
		}
		if err != nil {
			return err
		}
		values.Add(part.FormName(), string(value))
		return nil
	}
	if photo == nil || !slices.Contains(Photos, part.FormName()) {
		_, err := io.Copy(io.Discard, part)
		return err
	}
	data, err := io.ReadAll(io.LimitReader(part, MaxPhoto+1))
	if err != nil {
		return err
	}
	if len(data) > 0 {
		photo(Photo{Field: part.FormName(), Name: part.FileName(), Data: data})
	}
	_, err = io.Copy(io.Discard, part)
	return err
}

// sizeOr is err as one of the two errors of Read.
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
