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
	"zedcard/internal/web"
)

// Limits of a submission, in bytes: three photos of 10 MiB.
const (
	maxForm  = 32 << 20
	maxParts = 100
)

// required are the fields that every entry must have. The site checks those that depend on the applicant's age.
var required = map[agency.Kind][]string{
	agency.Contact:    {"name", "email", "message"},
	agency.GetScouted: {"realname", "email", "birthdate"},
}

// receive puts a submission into the inbox, which knows a repeated one by its Idempotency-Key; without a key each
// counts as new.
func (a *api) receive(w http.ResponseWriter, r *http.Request, kind agency.Kind) {
	if required[kind] == nil {
		refuse(w, http.StatusNotFound, "no such entry")
		return
	}
	sent := agency.Submission{ID: cmp.Or(r.Header.Get("Idempotency-Key"), rand.Text()), Kind: kind}
	web.AllowUpload(w, r, maxForm)
	parts, err := r.MultipartReader()
	if err != nil {
		refuse(w, http.StatusUnsupportedMediaType, "send a form: multipart/form-data")
		return
	}
	switch err := read(parts, &sent); {
	case tooLarge(err):
		refuse(w, http.StatusRequestEntityTooLarge, "the form is too large")
		return
	case err != nil:
		refuse(w, http.StatusBadRequest, "the form can't be read")
		return
	}
	if faults := faultsOf(sent); len(faults) > 0 {
		answer(w, http.StatusUnprocessableEntity, object{"message": "some fields are wrong", "errors": faults})
		return
	}
	if err := a.actions.Send(r.Context(), sent); err != nil {
		a.config.Log.ErrorContext(r.Context(), "storing a submission failed", "kind", string(kind), "error", err)
		refuse(w, http.StatusServiceUnavailable, "the submission can't be stored now")
		return
	}
	answer(w, http.StatusCreated, object{"id": sent.ID})
}

func tooLarge(err error) bool {
	var limit *http.MaxBytesError
	return errors.As(err, &limit)
}

// read reads the fields and photos in the order in which they were sent.
func read(parts *multipart.Reader, into *agency.Submission) error {
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
		if name, file := part.FormName(), part.FileName(); file == "" {
			into.Fields = append(into.Fields, agency.Field{Name: name, Value: string(data)})
		} else {
			kind := http.DetectContentType(data)
			into.Files = append(into.Files, agency.File{Field: name, Name: file, Type: kind, Data: data})
		}
	}
	return errors.New("too many parts")
}

// faultsOf are the faults of a submission, by the names of its fields.
func faultsOf(sent agency.Submission) map[string][]string {
	values, faults := map[string]string{}, map[string][]string{}
	for _, field := range sent.Fields {
		values[field.Name] = field.Value
	}
	for _, name := range required[sent.Kind] {
		address, err := mail.ParseAddress(values[name])
		if strings.TrimSpace(values[name]) == "" {
			faults[name] = []string{"is required"}
		} else if name == "email" && (err != nil || address.Address != values[name]) {
			faults[name] = []string{"must be an e-mail address"}
		}
	}
	for _, file := range sent.Files {
		if !slices.Contains(agency.PhotoFields, file.Field) || !strings.HasPrefix(file.Type, "image/") {
			faults[file.Field] = []string{"must be a picture, of one of the three photos"}
		}
	}
	return faults
}
