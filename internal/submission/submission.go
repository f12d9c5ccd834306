// Package submission accepts posted forms: it validates them, gives each an id by which a repeat is recognised, and
// commits it to the outbox before the visitor is told that it was sent. It knows nothing of HTTP and pages.
package submission

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"log/slog"
	"maps"
	"net/url"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/forms"
	"zedcard/internal/photo"
)

// Outbox stores submissions. Once Put has returned nil the submission is never lost; a second Put with the same id
// changes nothing.
type Outbox interface {
	Put(ctx context.Context, submission agency.Submission) error
	// Hold stores a submission that may be spam, until an operator has looked at it.
	Hold(ctx context.Context, submission agency.Submission) error
	// Has reports whether one was put or held under this id.
	Has(ctx context.Context, id string) (bool, error)
}

// PhotoStore keeps cleaned photos while their form has an error.
type PhotoStore interface {
	Keep(ctx context.Context, client string, file agency.File, preview []byte) (id string, err error)
	Get(ctx context.Context, id string) (agency.File, error)
	Preview(ctx context.Context, id string) ([]byte, error)
	Drop(ctx context.Context, id string)
}

// Config are the dependencies of a Service.
type Config struct {
	Keys   func(context.Context) ([][]byte, error) // the site's secret keys, newest first
	Outbox Outbox
	Photos PhotoStore
	Now    func() time.Time
	Log    *slog.Logger
}

// Service accepts forms.
type Service struct {
	Config
	tokens *forms.Tokens
}

// New makes a service. Outbox and Photos may be nil if no form is posted.
func New(c Config) *Service { return &Service{Config: c, tokens: forms.NewTokens(c.Keys, c.Now)} }

// Form is a form as it was posted.
type Form struct {
	Name    string // the name that its token was issued for, such as "contact"
	Client  string // the address that rate limits count
	Values  url.Values
	Content Content
	Photos  Photos // posted with it
}

// Content is a parsed form: *forms.Contact or *forms.Application.
type Content interface {
	Validate() []forms.Error
	Submission(id string) agency.Submission
}

// Outcome is the outcome of submitting a form.
type Outcome int

// The outcomes. Only Sent is final; otherwise the form is returned to the visitor with everything that was typed.
const (
	Sent    Outcome = iota // stored, now or by an earlier post of the same form
	Invalid                // it has validation errors
	Busy                   // too many photos at once; the same form may be sent again
	Down                   // could not be stored; the same form may be sent again
)

// Result is the outcome of a form and, unless it was sent, what the returned form needs.
type Result struct {
	Outcome   Outcome
	Reference agency.Reference // of the sent form

	Problem    string               // key of the message about the whole form; may be empty
	Errors     []forms.Error        // of single fields
	Token      string               // for the returned form
	KeptPhotos map[string]KeptPhoto // photos that are kept for it, by input
}

// Submit validates a form and stores it.
func (s *Service) Submit(ctx context.Context, form Form) Result {
	token := s.checkToken(ctx, form)
	kept := s.attachPhotos(ctx, form)
	result := s.process(ctx, form, token, kept)
	if result.Outcome == Sent {
		for _, photo := range kept.found {
			s.Photos.Drop(ctx, photo.ID)
		}
		return result
	}
	return s.prepareReturn(ctx, form, token, kept, result)
}

// Redisplay prepares a form to be returned without being submitted; problem is the key of the reason, which may be
// empty.
func (s *Service) Redisplay(ctx context.Context, form Form, problem string) Result {
	token := s.checkToken(ctx, form)
	return s.prepareReturn(ctx, form, token, s.attachPhotos(ctx, form), Result{Outcome: Invalid, Problem: problem})
}

func (s *Service) process(ctx context.Context, form Form, token token, kept keptPhotos) Result {
	if token.err != nil {
		return Result{Outcome: Down, Problem: "error.form.down"}
	}
	if kept.err != nil {
		return s.storeFailed(form, kept.err)
	}
	if token.verdict == forms.Genuine && len(kept.expired) > 0 {
		id := submissionID(form, token, form.Content.Submission(""), kept.expired)
		duplicate, err := s.isDuplicate(ctx, id)
		if err != nil {
			return s.storeFailed(form, err)
		}
		if duplicate {
			return s.sentResult(form, id)
		}
	}
	if faults := form.Content.Validate(); len(faults) > 0 {
		if form.Photos.busy() {
			return Result{Outcome: Busy, Errors: faults}
		}
		return Result{Outcome: Invalid, Errors: faults}
	}
	if token.verdict != forms.Genuine {
		return Result{Outcome: Invalid, Problem: token.verdict.MessageKey()}
	}
	id, err := s.store(ctx, form, token)
	if err != nil {
		return s.storeFailed(form, err)
	}
	return s.sentResult(form, id)
}

// sentResult is the result of a form that is stored with this id.
func (s *Service) sentResult(form Form, id string) Result {
	kind := agency.MessageReference
	if application, ok := form.Content.(*forms.Application); ok {
		kind = agency.ApplicationReference
		if application.Minor() {
			kind = agency.MinorReference
		}
	}
	return Result{Outcome: Sent, Reference: agency.NewReference(kind, s.Now(), id)}
}

// storeTimeout is how long the database may take to store a submission before the visitor is told that it could not be
// stored; a resend is the same submission.
const storeTimeout = 15 * time.Second

// store commits a submission and returns its id. One whose honeypot is filled in is held, but never dropped, because a
// browser's autofill may fill it in, too.
func (s *Service) store(ctx context.Context, form Form, token token) (id string, err error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	submission := form.Content.Submission("")
	submission.ID, submission.Client = submissionID(form, token, submission, nil), form.Client
	if forms.HoneypotFilled(form.Values) {
		return submission.ID, s.Outbox.Hold(ctx, submission)
	}
	return submission.ID, s.Outbox.Put(ctx, submission)
}

func (s *Service) storeFailed(form Form, err error) Result {
	s.Log.Error("form: not stored", "form", form.Name, "error", err)
	return Result{Outcome: Down, Problem: "error.form.down"}
}

// isDuplicate reports whether a form was stored before (double click, reload). Its kept photos were removed then, so it
// would look incomplete.
func (s *Service) isDuplicate(ctx context.Context, id string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return s.Outbox.Has(ctx, id)
}

// submissionID is the id of a page's submission. Posting the page again with the same content is the same submission
// (double click, reload, resend); with other content it is a new one, so that nothing is lost that was answered with
// "sent". A form that the honeypot caught is a new one, too, when it is posted again without it. expired are the hashes
// of photos, by input, that were part of it and are no longer kept.
func submissionID(form Form, token token, submission agency.Submission, expired map[string]string) string {
	hash := sha256.New()
	write := func(text string) {
		hash.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
		hash.Write([]byte(text))
	}
	write(token.id)
	if forms.HoneypotFilled(form.Values) {
		write("held")
	}
	for _, field := range submission.Fields {
		write(field.Name)
		write(field.Value)
	}
	photoHashes := maps.Clone(expired)
	if photoHashes == nil {
		photoHashes = map[string]string{}
	}
	for _, file := range submission.Files {
		photoHashes[file.Field] = photo.Hash(file.Data)
	}
	for _, input := range forms.PhotoInputs {
		write(photoHashes[input])
	}
	return hex.EncodeToString(hash.Sum(nil)[:16])
}

// token is the result of checking a posted form's token.
type token struct {
	id      string // of the page that it was issued for; empty if it is forged
	verdict forms.Verdict
	err     error // it could not be checked
}

func (s *Service) checkToken(ctx context.Context, form Form) token {
	id, verdict, err := s.tokens.Check(ctx, form.Name, form.Values.Get(forms.TokenInput))
	if err != nil {
		s.Log.Error("form: token not checked", "error", err)
	}
	return token{id: id, verdict: verdict, err: err}
}

// Token is a new token for the form of this name, for its input forms.TokenInput. If the keys are unavailable it is
// empty, and the visitor will be asked to submit the form once more.
func (s *Service) Token(ctx context.Context, form string) string {
	token, err := s.tokens.Issue(ctx, form)
	if err != nil {
		s.Log.Error("form: token not issued", "error", err)
		return ""
	}
	return token
}

// prepareReturn adds what a returned form needs. It keeps its token if that is still valid, so that it stays one
// submission however often it is posted.
func (s *Service) prepareReturn(
	ctx context.Context, form Form, token token, kept keptPhotos, result Result,
) Result {
	result.Token = form.Values.Get(forms.TokenInput)
	if token.id == "" || token.verdict == forms.Expired {
		result.Token = s.Token(ctx, form.Name)
	}
	result.KeptPhotos = s.keepPhotos(ctx, form, kept.found)
	return result
}
