package intake

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"path"
	"strings"
	"time"
	"unicode"

	"zedcard/internal/agency"
	"zedcard/internal/forms"
	"zedcard/internal/picture"
)

// Form is a form as it was posted.
type Form struct {
	Name     string // such as "contact"
	Client   string // the address that rate limits count
	Values   url.Values
	Content  Content
	Photos   Photos           // posted with it
	Consents []agency.Consent // the boxes that were ticked
}

// Content is a parsed form: *forms.Contact or *forms.Application.
type Content interface {
	Validate() []forms.Error
	Submission(id string) agency.Submission
}

// Photos are the photos of a posted form, by input: cleaned, or with the error.
type Photos map[string]postedPhoto

type postedPhoto struct {
	file agency.File
	err  error
}

// Add adds a posted photo after it was cleaned, or with the error of that.
func (photos Photos) Add(posted forms.Photo, cleaned Photo, err error) {
	photos[posted.Field] = postedPhoto{agency.File{
		Field: posted.Field, Name: fileName(posted.Name), Type: "image/jpeg",
		Data: cleaned.Data, Preview: cleaned.Preview,
	}, err}
}

// maxFileName bounds a photo's name, in characters.
const maxFileName = 100

// fileName is the name of a visitor's file, without folders and unprintable characters.
func fileName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	runes := []rune(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, name))
	return string(runes[max(0, len(runes)-maxFileName):])
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

	Problem string                  // key of the message about the whole form; may be empty
	Errors  []forms.Error           // of single fields
	Token   string                  // for the returned form
	Photos  map[string]WaitingPhoto // that wait for it, by input
}

// WaitingPhoto is a photo that waits on the server while its form has an error.
type WaitingPhoto struct {
	ID   string // for the input forms.KeptPhotoInput, and for Preview
	Name string // of the visitor's file
}

// Submit validates a form and stores it.
func (in *Intake) Submit(ctx context.Context, form Form) Result {
	f := in.open(ctx, form)
	result := in.accept(ctx, f)
	if result.Outcome != Sent {
		return in.giveBack(ctx, f, result)
	}
	for _, photo := range f.waiting {
		in.deletePhoto(ctx, photo.ID)
	}
	return result
}

// Redisplay prepares a form to be returned without being submitted; problem is the key of the reason, which may be
// empty.
func (in *Intake) Redisplay(ctx context.Context, form Form, problem string) Result {
	return in.giveBack(ctx, in.open(ctx, form), Result{Outcome: Invalid, Problem: problem})
}

// openForm is a form whose photos are attached.
type openForm struct {
	Form
	page    string                  // its token; one of its own if it came without
	waiting map[string]WaitingPhoto // photos that it refers to, by input
	expired map[string]string       // hashes of those that no longer wait, by input
	err     error                   // of reading a photo: the database is down
}

// open attaches an application's photos: the posted ones, otherwise the waiting ones.
func (in *Intake) open(ctx context.Context, form Form) openForm {
	f := openForm{Form: form, waiting: map[string]WaitingPhoto{}, expired: map[string]string{}}
	f.page = cmp.Or(form.Values.Get(forms.TokenInput), forms.NewToken())
	application, ok := form.Content.(*forms.Application)
	if !ok {
		return f
	}
	for _, input := range agency.PhotoFields {
		posted, ok := form.Photos[input]
		id := form.Values.Get(forms.KeptPhotoInput(input))
		if !ok && id == "" {
			continue
		}
		if !ok {
			posted.file, posted.err = in.findWaiting(ctx, id)
			posted.file.Field = input
			if errors.Is(posted.err, errGone) {
				f.expired[input] = hashOfID(id)
			} else {
				f.waiting[input] = WaitingPhoto{ID: id, Name: posted.file.Name}
			}
		}
		switch {
		case errors.Is(posted.err, agency.ErrUnavailable): // nothing can be stored either; the photo still waits
			f.err = posted.err
		case errors.Is(posted.err, errGone):
			application.Refuse(input, "error.photo.gone")
		case posted.err != nil:
			application.Refuse(input, PhotoMessage(posted.err))
		default:
			file := posted.file
			file.Name = strings.TrimSuffix(file.Name, path.Ext(file.Name)) + ".jpg" // as it was cleaned
			application.Attach(file)
		}
	}
	return f
}

// storeTimeout is how long the database may take to store a submission before the visitor is told that it could not be
// stored; a resend is the same submission.
const storeTimeout = 15 * time.Second

func (in *Intake) accept(ctx context.Context, f openForm) Result {
	if f.err != nil {
		return in.down(ctx, f, f.err)
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	s := f.Content.Submission("")
	s.ID, s.Client = f.submissionID(s), f.Client
	now := in.options.Now()
	sent := Result{Outcome: Sent, Reference: agency.NewReference(formOf(s.Kind, s.Minor(now)), now, s.ID)}
	if len(f.expired) > 0 {
		// Perhaps it was stored before (double click, reload): its photos were dropped then, so it would look
		// incomplete.
		if stored, err := exists(ctx, in.db, s.ID); err != nil {
			return in.down(ctx, f, err)
		} else if stored {
			return sent
		}
	}
	if faults := f.Content.Validate(); len(faults) > 0 {
		for _, posted := range f.Photos {
			if errors.Is(posted.err, picture.ErrBusy) {
				return Result{Outcome: Busy, Errors: faults}
			}
		}
		return Result{Outcome: Invalid, Errors: faults}
	}
	s.Fields = agency.AddConsents(s.Fields, f.Consents...)
	// One whose honeypot is filled in is held, but never dropped, because a browser's autofill may fill it in, too.
	store := in.Put
	if forms.HoneypotFilled(f.Values) {
		store = in.Hold
	}
	if err := store(ctx, s); err != nil {
		return in.down(ctx, f, err)
	}
	return sent
}

func (in *Intake) down(ctx context.Context, f openForm, err error) Result {
	in.options.Log.ErrorContext(ctx, "form: not stored", "form", f.Name, "error", err)
	return Result{Outcome: Down, Problem: "error.form.down"}
}

func formOf(kind agency.Kind, minor bool) agency.ReferenceForm {
	switch {
	case kind == agency.Contact:
		return agency.MessageReference
	case minor:
		return agency.MinorReference
	}
	return agency.ApplicationReference
}

// submissionID is the id of a page's submission. Posting the page again with the same content is the same submission
// (double click, reload, resend); with other content it is a new one, so that nothing is lost that was answered with
// "sent". A form that the honeypot caught is a new one, too, when it is posted again without it.
func (f openForm) submissionID(s agency.Submission) string {
	photos := maps.Clone(f.expired) // hashes, by input
	for _, file := range s.Files {
		photos[file.Field] = hashOfPhoto(file.Data)
	}
	text, err := json.Marshal([]any{f.page, forms.HoneypotFilled(f.Values), s.Fields, photos})
	if err != nil {
		panic(err) // texts can always be encoded
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// giveBack adds what a returned form needs. It keeps its token, so that it stays one submission however often it is
// posted. Its photos wait.
func (in *Intake) giveBack(ctx context.Context, f openForm, result Result) Result {
	result.Token, result.Photos = f.page, f.waiting
	for input, posted := range f.Photos {
		if posted.err != nil {
			continue
		}
		id, err := in.keepPhoto(ctx, f.Client, posted.file)
		if err != nil {
			in.options.Log.ErrorContext(ctx, "form: a photo was not kept and has to be chosen again", "error", err)
			continue
		}
		result.Photos[input] = WaitingPhoto{ID: id, Name: posted.file.Name}
	}
	return result
}
