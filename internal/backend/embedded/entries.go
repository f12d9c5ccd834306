package embedded

import (
	"crypto/rand"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	"zedcard/internal/agency"
)

// Limits of a submission, in bytes: three photos of 10 MiB.
const (
	maxForm  = 32 << 20
	maxField = 64 << 10
	maxParts = 100
)

// maxKeys is how many Idempotency-Keys this process remembers: many times what arrives while a sender retries.
const maxKeys = 100_000

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

// receive puts a submission into the inbox, once for each Idempotency-Key; without a key each counts as new.
func (a *api) receive(w http.ResponseWriter, r *http.Request, kind agency.Kind) {
	if required[kind] == nil {
		refuse(w, http.StatusNotFound, "no such entry")
		return
	}
	key := r.Header.Get("Idempotency-Key")
	sent := &form{agency.Submission{ID: key, Kind: kind}, map[string][]string{}}
	if key == "" {
		sent.ID = rand.Text()
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	err := sent.read(r)
	switch {
	case errors.Is(err, errNoForm):
		refuse(w, http.StatusUnsupportedMediaType,
			"send a form: multipart/form-data or application/x-www-form-urlencoded")
		return
	case tooLarge(err):
		refuse(w, http.StatusRequestEntityTooLarge, "the form is too large")
		return
	case err != nil:
		refuse(w, http.StatusBadRequest, "the form can't be read")
		return
	}
	if sent.check(); len(sent.faults) > 0 {
		answer(w, http.StatusUnprocessableEntity, errorAnswer{Message: "some fields are wrong", Errors: sent.faults})
		return
	}
	stored := new(atomic.Bool)
	if key != "" {
		if first := a.keys.GetOrMake(key, func() *atomic.Bool { return stored }); first.Load() {
			refuse(w, http.StatusConflict, "this submission has been received")
			return
		} else if first != stored {
			w.Header().Set("Retry-After", "1")
			refuse(w, http.StatusServiceUnavailable, "this submission is being received")
			return
		}
		defer func() {
			if !stored.Load() {
				a.keys.Remove(key) // it may be used again
			}
		}()
	}
	if err := a.source.Send(r.Context(), sent.Submission); err != nil {
		a.config.Log.Error("storing a submission failed", "kind", string(kind), "error", err)
		refuse(w, http.StatusServiceUnavailable, "the submission can't be stored now")
		return
	}
	stored.Store(true)
	answer(w, http.StatusCreated, map[string]string{"id": sent.ID})
}

// errNoForm: the body's type is not that of a form.
var errNoForm = errors.New("not a form")

func tooLarge(err error) bool {
	var limit *http.MaxBytesError
	return errors.As(err, &limit)
}

// read reads the fields and photos in the order in which they were sent.
func (f *form) read(r *http.Request) error {
	kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err == nil && kind == "application/x-www-form-urlencoded":
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		for pair := range strings.SplitSeq(string(body), "&") {
			name, value, _ := strings.Cut(pair, "=")
			name, nameErr := url.QueryUnescape(name)
			value, valueErr := url.QueryUnescape(value)
			if nameErr != nil || valueErr != nil {
				return errors.Join(nameErr, valueErr)
			}
			f.Fields = append(f.Fields, agency.Field{Name: name, Value: value})
		}
		return nil
	case err == nil && kind == "multipart/form-data" && parameters["boundary"] != "":
		return f.readParts(multipart.NewReader(r.Body, parameters["boundary"]))
	}
	return errNoForm
}

func (f *form) readParts(parts *multipart.Reader) error {
	for count := 0; ; count++ {
		part, err := parts.NextPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if count == maxParts {
			return errors.New("too many parts")
		}
		name, isPhoto, limit := part.FormName(), part.FileName() != "", int64(maxField)
		if isPhoto {
			limit = agency.MaxPhoto
		}
		data, err := io.ReadAll(io.LimitReader(part, limit+1))
		if err != nil {
			return err
		}
		kind := http.DetectContentType(data)
		switch {
		case !isPhoto && int64(len(data)) > limit:
			f.fault(name, "is too long")
		case !isPhoto:
			f.Fields = append(f.Fields, agency.Field{Name: name, Value: string(data)})
		case !slices.Contains(agency.PhotoFields, name):
			f.fault(name, "no file is asked for here")
		case int64(len(data)) > limit:
			f.fault(name, "must be at most 10 MiB")
		case !slices.Contains(photoTypes, kind):
			f.fault(name, "must be a png, gif or jpeg picture")
		default:
			f.Files = append(f.Files, agency.File{Field: name, Name: part.FileName(), Type: kind, Data: data})
		}
	}
}

// check names missing fields, and an invalid email address.
func (f *form) check() {
	for _, name := range required[f.Kind] {
		value := ""
		if at := slices.IndexFunc(f.Fields, func(field agency.Field) bool { return field.Name == name }); at >= 0 {
			value = f.Fields[at].Value
		}
		if strings.TrimSpace(value) == "" {
			f.fault(name, "is required")
		} else if name == "email" {
			if address, err := mail.ParseAddress(value); err != nil || address.Address != value {
				f.fault(name, "must be an e-mail address")
			}
		}
	}
}
