package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"zedcard/internal/agency"
)

// legacyPaths are the paths on panels that do not have the entry call; they take the same body.
var legacyPaths = map[agency.Kind]string{
	agency.Contact:    "/api/contact/en",
	agency.GetScouted: "/api/get-scouted/en",
}

// Send delivers a submission, with its id as the Idempotency-Key. Nil means that the panel has it, now (2xx with
// anything but a page) or already (409). agency.ErrRejected means that it never will take it (400, 413, 415, 422), and
// the error names the fields it complains of; agency.ErrUnavailable, that a later try may succeed, agency.ErrNotTaken
// beside it, that a page or a redirect of something else answered. Retries are up to the outbox.
func (c *Panel) Send(ctx context.Context, submission agency.Submission) error {
	body, err := encode(submission)
	if err != nil {
		return fmt.Errorf("panel: submission %s: %w: %w", submission.ID, agency.ErrRejected, err)
	}
	call := Call{
		What:    "submission " + submission.ID,
		Method:  http.MethodPost,
		Path:    "/api/entry/" + url.PathEscape(string(submission.Kind)) + "/send",
		Header:  http.Header{"Idempotency-Key": {submission.ID}},
		Body:    body,
		NoRetry: true,
		Check:   taken,
	}
	status, err := c.send(ctx, call)
	path, ok := legacyPaths[submission.Kind]
	if ok && (status.Code == http.StatusNotFound || status.Code == http.StatusMethodNotAllowed) {
		call.Path = path
		status, err = c.send(ctx, call)
	}
	switch status.Code {
	case http.StatusConflict:
		return nil
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType,
		http.StatusUnprocessableEntity:
		return fmt.Errorf("panel: %s: %w: answered %d%s",
			call.What, agency.ErrRejected, status.Code, rejectedFields(status.Body))
	case http.StatusNotFound, http.StatusGone: // says something about the path, not the submission
		return fmt.Errorf("panel: %s: %w: answered %d", call.What, agency.ErrUnavailable, status.Code)
	}
	if status.Code/100 == 3 {
		return fmt.Errorf("%w: %w", agency.ErrNotTaken, err)
	}
	return err
}

// taken tells the panel's answer from a page of something in front of it (a sign-in, maintenance), which must not pass
// for a delivery: what is delivered is erased here.
func taken(body []byte) error {
	if strings.HasPrefix(http.DetectContentType(body), "text/html") {
		return fmt.Errorf("%w: answered with a page: of something in front of the panel?", agency.ErrNotTaken)
	}
	return nil
}

// send makes the call; the status is zero if the panel did not answer, or accepted it.
func (c *Panel) send(ctx context.Context, call Call) (StatusError, error) {
	_, err := c.Do(ctx, call)
	if status, ok := errors.AsType[*StatusError](err); ok {
		return *status, err
	}
	return StatusError{}, err
}

// encode encodes the fields and the photos as multipart/form-data, as a browser's FormData does. The photos are not
// copied.
func encode(submission agency.Submission) (*Body, error) {
	var text bytes.Buffer
	form := multipart.NewWriter(&text)
	body := &Body{Type: form.FormDataContentType()}
	offset := 0
	nextPart := func() []byte { // since the last call
		part := text.Bytes()[offset:]
		offset = text.Len()
		return slices.Clone(part) // the buffer may move
	}
	for _, field := range submission.Fields {
		if err := form.WriteField(field.Name, field.Value); err != nil {
			return nil, fmt.Errorf("encoding a field: %w", err)
		}
	}
	for _, file := range submission.Files {
		_, err := form.CreatePart(textproto.MIMEHeader{
			"Content-Disposition": {multipart.FileContentDisposition(file.Field, file.Name)},
			"Content-Type":        {cmp.Or(file.Type, "application/octet-stream")},
		})
		if err != nil {
			return nil, fmt.Errorf("encoding a photo: %w", err)
		}
		body.Parts = append(body.Parts, nextPart(), file.Data)
	}
	if err := form.Close(); err != nil {
		return nil, fmt.Errorf("encoding the form: %w", err)
	}
	body.Parts = append(body.Parts, nextPart())
	return body, nil
}

// fieldName matches names of fields, the only part of an answer that may be logged: they can't be something that a
// visitor typed.
var fieldName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,30}$`)

// rejectedFields lists the names of the fields in the answer's errors, without any text of theirs.
func rejectedFields(answer []byte) string {
	var refusal struct {
		Errors map[string]json.RawMessage `json:"errors"`
	}
	if json.Unmarshal(answer, &refusal) != nil {
		return ""
	}
	isOther := func(name string) bool { return !fieldName.MatchString(name) }
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(refusal.Errors)), isOther)
	if len(names) == 0 {
		return ""
	}
	return ", fields " + strings.Join(names, ", ")
}
