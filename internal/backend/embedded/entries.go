package embedded

import (
	"context"
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
	"sync"
	"time"

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

func (a *api) entry(w http.ResponseWriter, r *http.Request) {
	kind := agency.Kind(r.PathValue("entry"))
	if required[kind] == nil {
		refuse(w, http.StatusNotFound, "no such entry")
		return
	}
	a.receive(w, r, kind)
}

func (a *api) contact(w http.ResponseWriter, r *http.Request) { a.receive(w, r, agency.Contact) }
func (a *api) getScouted(w http.ResponseWriter, r *http.Request) {
	a.receive(w, r, agency.GetScouted)
}

// receive puts a submission into the inbox, once for each Idempotency-Key.
func (a *api) receive(w http.ResponseWriter, r *http.Request, kind agency.Kind) {
	key := r.Header.Get("Idempotency-Key")
	submission := agency.Submission{ID: key, Kind: kind}
	if submission.ID == "" {
		submission.ID = rand.Text()
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	fieldErrors, err := readForm(r, &submission)
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
	checkSubmission(submission, fieldErrors)
	if len(fieldErrors) > 0 {
		answer(w, http.StatusUnprocessableEntity, errorAnswer{Message: "some fields are wrong", Errors: fieldErrors})
		return
	}
	switch a.keys.begin(key) {
	case inProgress:
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusServiceUnavailable, "this submission is being received")
		return
	case stored:
		refuse(w, http.StatusConflict, "this submission has been received")
		return
	}
	if err := a.store(r.Context(), key, submission); err != nil {
		a.config.Log.Error("storing a submission failed", "kind", string(kind), "error", err)
		refuse(w, http.StatusServiceUnavailable, "the submission can't be stored now")
		return
	}
	answer(w, http.StatusCreated, struct {
		ID string `json:"id"`
	}{submission.ID})
}

// store sends a submission on and ends its key before the sender has an answer.
func (a *api) store(ctx context.Context, key string, submission agency.Submission) error {
	stored := false
	defer func() { a.keys.end(key, stored) }()
	err := a.source.Send(ctx, submission)
	stored = err == nil
	return err
}

// errNoForm: the body's type is not that of a form.
var errNoForm = errors.New("not a form")

func tooLarge(err error) bool {
	var limit *http.MaxBytesError
	return errors.As(err, &limit)
}

// readForm reads the fields and photos in the order in which they were sent. wrong holds the faults of fields, by name.
func readForm(r *http.Request, to *agency.Submission) (fieldErrors map[string][]string, err error) {
	fieldErrors = map[string][]string{}
	kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err == nil && kind == "application/x-www-form-urlencoded":
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return fieldErrors, err
		}
		for pair := range strings.SplitSeq(string(body), "&") {
			name, value, _ := strings.Cut(pair, "=")
			name, nameErr := url.QueryUnescape(name)
			value, valueErr := url.QueryUnescape(value)
			if nameErr != nil || valueErr != nil {
				return fieldErrors, errors.Join(nameErr, valueErr)
			}
			to.Fields = append(to.Fields, agency.Field{Name: name, Value: value})
		}
		return fieldErrors, nil
	case err == nil && kind == "multipart/form-data" && parameters["boundary"] != "":
		return fieldErrors, readParts(multipart.NewReader(r.Body, parameters["boundary"]), to, fieldErrors)
	}
	return fieldErrors, errNoForm
}

func readParts(form *multipart.Reader, to *agency.Submission, fieldErrors map[string][]string) error {
	for count := 0; ; count++ {
		part, err := form.NextPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if count == maxParts {
			return errors.New("too many parts")
		}
		name := part.FormName()
		if part.FileName() == "" {
			value, err := io.ReadAll(io.LimitReader(part, maxField+1))
			if err != nil {
				return err
			}
			if len(value) > maxField {
				fieldErrors[name] = append(fieldErrors[name], "is too long")
				continue
			}
			to.Fields = append(to.Fields, agency.Field{Name: name, Value: string(value)})
			continue
		}
		data, err := io.ReadAll(io.LimitReader(part, agency.MaxPhoto+1))
		if err != nil {
			return err
		}
		kind := http.DetectContentType(data)
		switch {
		case !slices.Contains(agency.PhotoFields, name):
			fieldErrors[name] = append(fieldErrors[name], "no file is asked for here")
		case len(data) > agency.MaxPhoto:
			fieldErrors[name] = append(fieldErrors[name], "must be at most 10 MiB")
		case !slices.Contains(photoTypes, kind):
			fieldErrors[name] = append(fieldErrors[name], "must be a png, gif or jpeg picture")
		}
		to.Files = append(to.Files, agency.File{Field: name, Name: part.FileName(), Type: kind, Data: data})
	}
}

// checkSubmission adds missing fields, and an invalid email address, to wrong.
func checkSubmission(submission agency.Submission, fieldErrors map[string][]string) {
	for _, name := range required[submission.Kind] {
		value := fieldValue(submission, name)
		if strings.TrimSpace(value) == "" {
			fieldErrors[name] = append(fieldErrors[name], "is required")
		} else if name == "email" {
			if address, err := mail.ParseAddress(value); err != nil || address.Address != value {
				fieldErrors[name] = append(fieldErrors[name], "must be an e-mail address")
			}
		}
	}
}

func fieldValue(submission agency.Submission, name string) string {
	for _, field := range submission.Fields {
		if field.Name == name {
			return field.Value
		}
	}
	return ""
}

// keyTTL is how long an Idempotency-Key is remembered: longer than a sender retries.
const keyTTL = 24 * time.Hour

// delivery is the state of the submission with a key.
type delivery struct {
	done    bool
	expires time.Time
}

// idempotencyKeys remembers the Idempotency-Keys of this process.
type idempotencyKeys struct {
	now  func() time.Time
	mu   sync.Mutex
	keys map[string]delivery
}

type progress int

const (
	begun      progress = iota // by this call, which must call end
	inProgress                 // by another call
	stored
)

// begin notes that the submission with this key is being received; without a key each counts as new.
func (k *idempotencyKeys) begin(key string) progress {
	if key == "" {
		return begun
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.now()
	for entry, delivery := range k.keys {
		if delivery.done && now.After(delivery.expires) {
			delete(k.keys, entry)
		}
	}
	if entry, ok := k.keys[key]; ok {
		if entry.done {
			return stored
		}
		return inProgress
	}
	k.keys[key] = delivery{}
	return begun
}

// end notes whether the submission was stored; if not, the key may be used again.
func (k *idempotencyKeys) end(key string, saved bool) {
	if key == "" {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if saved {
		k.keys[key] = delivery{done: true, expires: k.now().Add(keyTTL)}
	} else {
		delete(k.keys, key)
	}
}
