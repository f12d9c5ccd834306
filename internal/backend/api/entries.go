package api

import (
	"cmp"
	"crypto/rand"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/mail"
	"slices"
	"strings"

	"zedcard/internal/agency"
)

// Limits of a submission, in bytes: three photos of 10 MiB.
const (
	maxForm  = 32 << 20
	maxField = 64 << 10
	maxParts = 100
)

// required are the fields that every entry must have. The site checks those that depend on the applicant's age.
var required = map[agency.Kind][]string{
	agency.Contact:    {"name", "email", "message"},
	agency.GetScouted: {"realname", "email", "birthdate"},
}

var photoTypes = []string{"image/png", "image/gif", "image/jpeg"}

// form is a submission as it is read, with the faults of its fields, by name.
type form struct {
	agency.Submission
	faults map[string][]string
}

func (f *form) fault(field, text string) { f.faults[field] = append(f.faults[field], text) }

// receive puts a submission into the inbox, which knows a repeated one by its Idempotency-Key; without a key each
// counts as new.
func (a *api) receive(w http.ResponseWriter, r *http.Request, kind agency.Kind) {
	if required[kind] == nil {
		refuse(w, http.StatusNotFound, "no such entry")
		return
	}
	id := cmp.Or(r.Header.Get("Idempotency-Key"), rand.Text())
	sent := &form{agency.Submission{ID: id, Kind: kind}, map[string][]string{}}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	parts, err := r.MultipartReader()
	if err != nil {
		refuse(w, http.StatusUnsupportedMediaType, "send a form: multipart/form-data")
		return
	}
	switch err := sent.read(parts); {
	case tooLarge(err):
		refuse(w, http.StatusRequestEntityTooLarge, "the form is too large")
		return
	case err != nil:
		refuse(w, http.StatusBadRequest, "the form can't be read")
		return
	}
	if sent.check(); len(sent.faults) > 0 {
		answer(w, http.StatusUnprocessableEntity, object{"message": "some fields are wrong", "errors": sent.faults})
		return
	}
	if err := a.source.Send(r.Context(), sent.Submission); err != nil {
		a.config.Log.ErrorContext(r.Context(), "storing a submission failed", "kind", string(kind), "error", err)
		refuse(w, http.StatusServiceUnavailable, "the submission can't be stored now")
		return
	}
	answer(w, http.StatusCreated, object{"id": id})
}

func tooLarge(err error) bool {
	var limit *http.MaxBytesError
	return errors.As(err, &limit)
}

// read reads the fields and photos in the order in which they were sent.
func (f *form) read(parts *multipart.Reader) error {
	for range maxParts {
		part, err := parts.NextPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return err
		}
		name, file, kind := part.FormName(), part.FileName(), http.DetectContentType(data)
		switch {
		case file == "" && len(data) > maxField:
			f.fault(name, "is too long")
		case file == "":
			f.Fields = append(f.Fields, agency.Field{Name: name, Value: string(data)})
		case !slices.Contains(agency.PhotoFields, name):
			f.fault(name, "no file is asked for here")
		case len(data) > agency.MaxPhoto:
			f.fault(name, "must be at most 10 MiB")
		case !slices.Contains(photoTypes, kind):
			f.fault(name, "must be a png, gif or jpeg picture")
		default:
			f.Files = append(f.Files, agency.File{Field: name, Name: file, Type: kind, Data: data})
		}
	}
	return errors.New("too many parts")
}

func (f *form) check() {
	values := map[string]string{}
	for _, field := range f.Fields {
		values[field.Name] = field.Value
	}
	for _, name := range required[f.Kind] {
		value := values[name]
		if address, err := mail.ParseAddress(value); strings.TrimSpace(value) == "" {
			f.fault(name, "is required")
		} else if name == "email" && (err != nil || address.Address != value) {
			f.fault(name, "must be an e-mail address")
		}
	}
}
