// Package submission takes the forms that visitors post: it checks them, gives each an id by which a repeat is known,
// and commits it to the outbox before anybody is told that it was sent. It knows nothing of HTTP and of pages.
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

// Outbox stores what a form sent. Once Put has returned nil the submission is never lost, and one that it has already
// is not stored twice.
type Outbox interface {
	Put(ctx context.Context, submission agency.Submission) error
	// Hold stores one that a program seems to have sent until somebody has looked at it.
	Hold(ctx context.Context, submission agency.Submission) error
	// Has reports whether one was put or held under this id.
	Has(ctx context.Context, id string) (bool, error)
}

// PhotoStore keeps cleaned photos while their form is in error.
type PhotoStore interface {
	Keep(ctx context.Context, client string, file agency.File, preview []byte) (id string, err error)
	Get(ctx context.Context, id string) (agency.File, error)
	Preview(ctx context.Context, id string) ([]byte, error)
	Drop(ctx context.Context, id string)
}

// Config is what a Service works with.
type Config struct {
	Keys   func(context.Context) ([][]byte, error) // the site's secret keys, newest first
	Outbox Outbox
	Photos PhotoStore
	Now    func() time.Time
	Log    *slog.Logger
}

// Service takes forms.
type Service struct {
	Config
	tokens *forms.Tokens
}

// New is a service; a nil Outbox and nil Photos will do where nothing is posted.
func New(c Config) *Service { return &Service{Config: c, tokens: forms.NewTokens(c.Keys, c.Now)} }

// Form is a form as it was posted.
type Form struct {
	Name    string // what its token was issued for, such as "contact"
	Client  string // the address that a rate limit counts by
	Values  url.Values
	Content Content
	Photos  Photos // that came with it
}

// Content is a parsed form: *forms.Contact or *forms.Application.
type Content interface {
	Validate() []forms.Error
	Submission(id string) agency.Submission
}

// Outcome is what became of a form.
type Outcome int

// What can become of a form. Only Sent is final; any other form goes back to the visitor with all that was typed.
const (
	Sent    Outcome = iota // stored, now or when it was posted before
	Invalid                // something in it is wrong
	Busy                   // too many photos at once; the same form may be sent again
	Down                   // could not be stored; the same form may be sent again
)

// Result is what became of a form and, unless it was sent, what goes back with it.
type Result struct {
	Outcome   Outcome
	Reference agency.Reference // of what was sent

	Problem string               // key of the message about the whole form; may be empty
	Faults  []forms.Error        // what is wrong at single fields
	Token   string               // for the form that goes back
	Kept    map[string]KeptPhoto // photos that wait for it, by input
}

// Submit checks a form and stores it.
func (s *Service) Submit(ctx context.Context, form Form) Result {
	token := s.checkToken(ctx, form)
	waiting := s.attachPhotos(ctx, form)
	result := s.take(ctx, form, token, waiting)
	if result.Outcome == Sent {
		for _, photo := range waiting.kept {
			s.Photos.Drop(ctx, photo.ID)
		}
		return result
	}
	return s.prepareReturn(ctx, form, token, waiting, result)
}

// GiveBack prepares a form to go back that is not tried at all; problem is the key of the reason, which may be empty.
func (s *Service) GiveBack(ctx context.Context, form Form, problem string) Result {
	token := s.checkToken(ctx, form)
	return s.prepareReturn(ctx, form, token, s.attachPhotos(ctx, form), Result{Outcome: Invalid, Problem: problem})
}

func (s *Service) take(ctx context.Context, form Form, token token, waiting waitingPhotos) Result {
	if token.err != nil {
		return Result{Outcome: Down, Problem: "error.form.down"}
	}
	if waiting.err != nil {
		return s.storeFailed(form, waiting.err)
	}
	if token.verdict == forms.Genuine && len(waiting.gone) > 0 {
		id := submissionID(form, token, form.Content.Submission(""), waiting.gone)
		duplicate, err := s.isDuplicate(ctx, id)
		if err != nil {
			return s.storeFailed(form, err)
		}
		if duplicate {
			return s.sent(form, id)
		}
	}
	if faults := form.Content.Validate(); len(faults) > 0 {
		if form.Photos.busy() {
			return Result{Outcome: Busy, Faults: faults}
		}
		return Result{Outcome: Invalid, Faults: faults}
	}
	if token.verdict != forms.Genuine {
		return Result{Outcome: Invalid, Problem: token.verdict.MessageKey()}
	}
	id, err := s.store(ctx, form, token)
	if err != nil {
		return s.storeFailed(form, err)
	}
	return s.sent(form, id)
}

// sent is the result of a form that is stored under this id.
func (s *Service) sent(form Form, id string) Result {
	of := agency.OfMessage
	if application, ok := form.Content.(*forms.Application); ok {
		of = agency.OfApplication
		if application.Minor() {
			of = agency.OfMinorApplication
		}
	}
	return Result{Outcome: Sent, Reference: agency.NewReference(of, s.Now(), id)}
}

// storeTimeout is how long the database may take to store a submission before the visitor is told that it could not be
// stored; a resend is the same submission.
const storeTimeout = 15 * time.Second

// store commits a submission and gives its id. One whose trap is filled in is held back; it is never dropped, because a
// browser's autofill falls into it too.
func (s *Service) store(ctx context.Context, form Form, token token) (id string, err error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	submission := form.Content.Submission("")
	submission.ID = submissionID(form, token, submission, nil)
	if forms.Caught(form.Values) {
		return submission.ID, s.Outbox.Hold(ctx, submission)
	}
	return submission.ID, s.Outbox.Put(ctx, submission)
}

func (s *Service) storeFailed(form Form, err error) Result {
	s.Log.Error("form: not stored", "form", form.Name, "error", err)
	return Result{Outcome: Down, Problem: "error.form.down"}
}

// isDuplicate reports whether a form was stored before: a double click, a reload. The photos that waited for it are
// gone since, so that they can't be asked for again.
func (s *Service) isDuplicate(ctx context.Context, id string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return s.Outbox.Has(ctx, id)
}

// submissionID is the id of what a page sends. The same page sent again with the same content is the same submission
// (double click, reload, resend); with other content it is another, so that nothing is lost that was answered with
// "sent". Sent by hand, what the trap caught is another too. gone are the sums of photos, by input, that were part of
// it and are not here any more.
func submissionID(form Form, token token, submission agency.Submission, gone map[string]string) string {
	sum := sha256.New()
	write := func(text string) {
		sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
		sum.Write([]byte(text))
	}
	write(token.id)
	if forms.Caught(form.Values) {
		write("held")
	}
	for _, field := range submission.Fields {
		write(field.Name)
		write(field.Value)
	}
	sums := maps.Clone(gone)
	if sums == nil {
		sums = map[string]string{}
	}
	for _, file := range submission.Files {
		sums[file.Field] = photo.Sum(file.Data)
	}
	for _, input := range forms.Photos {
		write(sums[input])
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// token is what the token of a posted form says.
type token struct {
	id      string // of the page that it was issued to; empty unless it is ours
	verdict forms.Verdict
	err     error // it could not be checked
}

func (s *Service) checkToken(ctx context.Context, form Form) token {
	id, verdict, err := s.tokens.Check(ctx, form.Name, form.Values.Get(forms.Token))
	if err != nil {
		s.Log.Error("form: token not checked", "error", err)
	}
	return token{id: id, verdict: verdict, err: err}
}

// Token is a new token for the form of this name, which is to come back in the input forms.Token. Without the keys it
// is empty, and the form asks to be sent once more when they are back.
func (s *Service) Token(ctx context.Context, form string) string {
	token, err := s.tokens.Issue(ctx, form)
	if err != nil {
		s.Log.Error("form: token not issued", "error", err)
		return ""
	}
	return token
}

// prepareReturn adds what goes back with a form. Its token stays the same, so that it is one submission however often
// it is sent, unless the old one will not do.
func (s *Service) prepareReturn(
	ctx context.Context, form Form, token token, waiting waitingPhotos, result Result,
) Result {
	result.Token = form.Values.Get(forms.Token)
	if token.id == "" || token.verdict == forms.Expired {
		result.Token = s.Token(ctx, form.Name)
	}
	result.Kept = s.keepPhotos(ctx, form, waiting.kept)
	return result
}
