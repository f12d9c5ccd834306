package handlers

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/go-chi/httprate"

	"zedcard/internal/agency"
	"zedcard/internal/forms"
	"zedcard/internal/submission"
	"zedcard/views"
)

// sentMark is the query with the reference of what was sent, by which a form's page shows its receipt. Nothing of what
// was written is in the address, and none of it is kept for the page: the receipt is the same to whoever opens it.
const sentMark = "sent"

// Working days and days within which the agency answers a message and an application.
const (
	messageAnswered     = 1
	applicationAnswered = 14
)

// receipt is the receipt that the address asks for, of one of these forms; nil where it asks for none.
func (s *site) receipt(r *http.Request, of ...agency.ReferenceForm) *views.Receipt {
	reference, ok := agency.ParseReference(r.URL.Query().Get(sentMark))
	if !ok || !slices.Contains(of, reference.Form) {
		return nil
	}
	receipt := &views.Receipt{Reference: reference.String(), Erased: reference.Day.Add(agency.Retention)}
	switch reference.Form {
	case agency.OfMessage:
		receipt.Answered = afterWorkingDays(reference.Day, messageAnswered)
	case agency.OfApplication:
		receipt.Answered = reference.Day.AddDate(0, 0, applicationAnswered)
	case agency.OfMinorApplication:
		receipt.Minor, receipt.Erased = true, reference.Day.Add(agency.MinorRetention)
		receipt.GuardianAsked = s.AskGuardians
	}
	return receipt
}

// afterWorkingDays is the day so many working days after another.
func afterWorkingDays(day time.Time, n int) time.Time {
	for n > 0 {
		day = day.AddDate(0, 0, 1)
		if day.Weekday() != time.Saturday && day.Weekday() != time.Sunday {
			n--
		}
	}
	return day
}

// limits bound what one client posts to one form. They are wide: a school, an agency's open casting or everybody behind
// one mobile operator's address is one client too, most of them at the same hour, and a form that comes back with an
// error is posted again. Three applications an hour, as would do for one person, would send these away. What a flood
// could cost is bounded where it costs: uploads at once, memory of photos, bytes in the outbox.
type limits []*httprate.RateLimiter

func newLimits(perMinute, perHour int) limits {
	headers := httprate.WithResponseHeaders(httprate.ResponseHeaders{RetryAfter: "Retry-After"})
	return limits{
		httprate.NewRateLimiter(perMinute, time.Minute, headers), httprate.NewRateLimiter(perHour, time.Hour, headers),
	}
}

// exceeded counts a post and reports whether it was one too many.
func (l limits) exceeded(w http.ResponseWriter, r *http.Request, client string) bool {
	for _, limiter := range l {
		if limiter.OnLimit(w, r, client) {
			return true
		}
	}
	return false
}

// parsePost reads a small form from a client who stays within the limits. False: the refusal is answered.
func (s *site) parsePost(w http.ResponseWriter, r *http.Request, l limits) bool {
	if l.exceeded(w, r, s.Client(r)) {
		s.fail(w, r, http.StatusTooManyRequests)
		return false
	}
	if err := r.ParseForm(); err != nil {
		s.bodyFailed(w, r, err)
		return false
	}
	return true
}

// refusal is why a form goes back without being tried; with the zero value it is tried.
type refusal struct {
	status  int
	problem string // key of its message
}

// readRefusal is what stands in the way of a form once it was read; tooLarge is the message for one that was cut off.
func readRefusal(read error, limited bool, tooLarge string) refusal {
	switch {
	case limited:
		return refusal{http.StatusTooManyRequests, "error.form.often"}
	case errors.Is(read, forms.ErrTooLarge):
		return refusal{http.StatusRequestEntityTooLarge, tooLarge}
	case errors.Is(read, os.ErrDeadlineExceeded):
		return refusal{http.StatusRequestTimeout, "error.form.slow"}
	case errors.Is(read, forms.ErrNoRoom):
		return refusal{http.StatusServiceUnavailable, "error.form.busy"}
	case read != nil:
		return refusal{http.StatusBadRequest, "error.400"}
	}
	return refusal{}
}

// outcomeStatus is the status of the answer to a form.
var outcomeStatus = map[submission.Outcome]int{
	submission.Sent:    http.StatusSeeOther,
	submission.Invalid: http.StatusUnprocessableEntity,
	submission.Busy:    http.StatusServiceUnavailable,
	submission.Down:    http.StatusServiceUnavailable,
}

// submit lets the service take a form that is not refused, and gives the status of the answer.
func (s *site) submit(ctx context.Context, form submission.Form, refused refusal) (submission.Result, int) {
	if refused.status != 0 {
		return s.Submissions.GiveBack(ctx, form, refused.problem), refused.status
	}
	result := s.Submissions.Submit(ctx, form)
	return result, outcomeStatus[result.Outcome]
}

// token is a new token for the form of the request's screen.
func (s *site) token(r *http.Request) string {
	return s.Submissions.Token(r.Context(), string(routeOf(r).Screen))
}

// refill is the form as it goes back, with everything that was typed.
func (s *site) refill(page views.Page, values url.Values, result submission.Result) views.Form {
	form := views.Form{Token: result.Token, Values: map[string]string{}}
	for name := range values {
		form.Values[name] = strings.TrimSpace(strings.ToValidUTF8(values.Get(name), ""))
	}
	for _, fault := range result.Faults {
		args := append([]string{"value", form.Values[fault.Field], "age", strconv.Itoa(s.MinimumAge)}, fault.Args...)
		form.Faults = append(form.Faults, views.Fault{Field: fault.Field, Text: page.T(fault.Key, args...)})
	}
	if result.Problem != "" {
		form.Problem = page.T(result.Problem, "phone", s.Site.Phone, "email", s.Site.BookingsEmail)
	}
	return form
}

// redirectToSent sends the browser to the receipt (303), so that a reload sends nothing again.
func redirectToSent(w http.ResponseWriter, r *http.Request, reference agency.Reference) error {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Location", r.URL.EscapedPath()+"?"+sentMark+"="+reference.String())
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// drawForm draws a page with a form. It is never stored: its token is for one visitor, and what was typed is nobody
// else's.
func (s *site) drawForm(w http.ResponseWriter, r *http.Request, status int, view templ.Component) error {
	body, err := s.render(w, r, view)
	if err != nil {
		return err
	}
	defer templ.ReleaseBuffer(body)
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Type", "text/html; charset=utf-8")
	if status == http.StatusServiceUnavailable {
		header.Set("Retry-After", "30")
	}
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // the visitor has gone, if it fails
	return nil
}

// showKeptPhoto serves a small picture of a photo that waits (?id=), to whoever knows its id.
func (s *site) showKeptPhoto(w http.ResponseWriter, r *http.Request) error {
	preview, err := s.Submissions.Preview(r.Context(), r.URL.Query().Get("id"))
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Robots-Tag", "noindex")
	header.Set("Content-Type", "image/jpeg")
	_, _ = w.Write(preview) // the visitor has gone, if it fails
	return nil
}
