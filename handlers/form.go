package handlers

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/go-chi/httprate"

	"zedcard/internal/agency"
	"zedcard/internal/forms"
	"zedcard/internal/photo"
	"zedcard/internal/routes"
	"zedcard/views"
)

// Outbox keeps what a form sent. Once Put has returned nil the submission is never lost, and one
// that it has already is not kept twice.
type Outbox interface {
	Put(ctx context.Context, submission agency.Submission) error
	// Hold keeps one that a program seems to have sent until somebody has looked at it.
	Hold(ctx context.Context, submission agency.Submission) error
	// Has reports whether one was put or held under this id.
	Has(ctx context.Context, id string) (bool, error)
}

// Photos keeps cleaned photos while their form is in error.
type Photos interface {
	Keep(file agency.File) (id string, err error)
	Get(id string) (agency.File, error)
	Drop(id string)
}

// sentMark is the query by which a form's page knows that it was sent; nothing of what was written
// is in the address.
const sentMark = "sent"

// limits bound what one client posts to one form. They are wide: a school, an agency's open casting or everybody behind
// one mobile operator's address is one client too, most of them at the same hour, and a form that comes back with an
// error is posted again. Three applications an hour, as would do for one person, would send these away. What a flood
// could cost is bounded where it costs: uploads at once, memory of photos, bytes in the outbox.
type limits []*httprate.RateLimiter

func newLimits(aMinute, anHour int) limits {
	headers := httprate.WithResponseHeaders(httprate.ResponseHeaders{RetryAfter: "Retry-After"})
	return limits{httprate.NewRateLimiter(aMinute, time.Minute, headers), httprate.NewRateLimiter(anHour, time.Hour, headers)}
}

// over counts a post and reports whether it was one too many.
func (l limits) over(w http.ResponseWriter, r *http.Request, client string) bool {
	for _, limiter := range l {
		if limiter.OnLimit(w, r, client) {
			return true
		}
	}
	return false
}

// posted is a form that came in, before anybody asked whether it is right.
type posted struct {
	values  url.Values
	id      string // of the submission; empty unless the token is ours
	verdict forms.Verdict
	status  int    // why it can't be taken; 0: it can
	problem string // the key of its message
}

// receive says what stands in the way of a posted form, whatever is in it. Read is the outcome of reading it.
func (s *site) receive(r *http.Request, values url.Values, read error, limited bool) posted {
	p := posted{values: values}
	id, verdict, err := s.tokens.Check(r.Context(), string(routeOf(r).Screen), values.Get(forms.Token))
	p.id, p.verdict = id, verdict
	switch {
	case limited:
		p.status, p.problem = http.StatusTooManyRequests, "error.form.often"
	case errors.Is(read, forms.ErrTooLarge) && routeOf(r).Screen == routes.Apply:
		p.status, p.problem = http.StatusRequestEntityTooLarge, "error.form.photos"
	case errors.Is(read, forms.ErrTooLarge):
		p.status, p.problem = http.StatusRequestEntityTooLarge, "error.form.large"
	case read != nil:
		p.status, p.problem = http.StatusBadRequest, "error.400"
	case err != nil:
		s.Log.Error("form: no token can be checked", "error", err)
		p.status, p.problem = http.StatusServiceUnavailable, "error.form.down"
	case verdict != forms.Genuine:
		p.status, p.problem = http.StatusUnprocessableEntity, verdict.MessageKey()
	}
	return p
}

// token is what the form comes back with: the same one, so that it stays one submission however
// often it is sent, or a new one where the old will not do. Without the keys there is none, and
// the form asks to be sent once more when they are back.
func (s *site) token(r *http.Request, p posted) string {
	if p.id != "" && p.verdict != forms.Expired {
		return p.values.Get(forms.Token)
	}
	token, err := s.tokens.Issue(r.Context(), string(routeOf(r).Screen))
	if err != nil {
		s.Log.Error("form: no token can be made", "error", err)
		return ""
	}
	return token
}

// back is the form as it comes back with everything that was typed.
func (s *site) back(r *http.Request, page views.Page, p posted, faults []forms.Error) views.Form {
	form := views.Form{Token: s.token(r, p), Values: map[string]string{}}
	for name := range p.values {
		form.Values[name] = strings.TrimSpace(strings.ToValidUTF8(p.values.Get(name), ""))
	}
	for _, fault := range faults {
		args := append([]string{"value", form.Values[fault.Field]}, fault.Args...)
		form.Faults = append(form.Faults, views.Fault{Field: fault.Field, Text: page.T(fault.Key, args...)})
	}
	if p.problem != "" {
		form.Problem = page.T(p.problem, "phone", s.Site.Phone, "email", s.Site.BookingsEmail)
	}
	return form
}

// keepTime is how long a database may take to keep a submission before the visitor is told that it
// could not be kept; a resend is the same submission.
const keepTime = 15 * time.Second

// put keeps a submission under an id of its own, or says why not. One whose trap is filled in is held back; it is never
// dropped, because a browser's autofill falls into it too.
func (s *site) put(r *http.Request, p posted, submission agency.Submission) posted {
	within, cancel := context.WithTimeout(r.Context(), keepTime)
	defer cancel()
	keep := s.Outbox.Put
	if forms.Caught(p.values) {
		keep = s.Outbox.Hold
	}
	submission.ID = p.submissionID(submission, nil)
	if err := keep(within, submission); err != nil {
		p = s.notKept(r, p, err)
	}
	return p
}

func (s *site) notKept(r *http.Request, p posted, err error) posted {
	s.Log.Error("form: not kept", "screen", routeOf(r).Screen, "error", err)
	p.status, p.problem = http.StatusServiceUnavailable, "error.form.down"
	return p
}

// submissionID is the id of what a page sends: the same page sent again with the same content is the
// same submission (double click, reload, resend); with other content it is another, so that nothing
// is lost that was answered with "sent". Sent by hand, what the trap caught is another too. Gone are the sums of photos,
// by input, that are not here any more to be part of it.
func (p posted) submissionID(submission agency.Submission, gone map[string]string) string {
	sum := sha256.New()
	write := func(text []byte) {
		sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
		sum.Write(text)
	}
	write([]byte(p.id))
	if forms.Caught(p.values) {
		write([]byte("held"))
	}
	for _, field := range submission.Fields {
		write([]byte(field.Name))
		write([]byte(field.Value))
	}
	sums := map[string]string{}
	maps.Copy(sums, gone)
	for _, file := range submission.Files {
		sums[file.Field] = photo.Sum(file.Data)
	}
	for _, input := range forms.Photos {
		write([]byte(sums[input]))
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// sent sends the browser to the page that shows the form as sent (303), so that a reload of it sends
// nothing again.
func sent(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Location", r.URL.EscapedPath()+"?"+sentMark+"=1")
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// drawForm draws a page with a form. It is never stored: its token is for one visitor, and what was
// typed is nobody else's.
func (s *site) drawForm(w http.ResponseWriter, r *http.Request, status int, view templ.Component) error {
	body, err := s.render(w, r, view)
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Type", "text/html; charset=utf-8")
	if status == http.StatusServiceUnavailable {
		header.Set("Retry-After", "30")
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // the visitor has gone, if it fails
	return nil
}

// showKeptPhoto serves a photo that waits (?id=), to whoever knows its id.
func (s *site) showKeptPhoto(w http.ResponseWriter, r *http.Request) error {
	file, err := s.Photos.Get(r.URL.Query().Get("id"))
	if errors.Is(err, photo.ErrGone) {
		return agency.ErrNotFound
	}
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Robots-Tag", "noindex")
	header.Set("Content-Type", file.Type)
	_, _ = w.Write(file.Data) // the visitor has gone, if it fails
	return nil
}
