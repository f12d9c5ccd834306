package handlers

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"golang.org/x/sync/semaphore"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/forms"
	"zedcard/internal/intake"
	"zedcard/internal/routes"
	"zedcard/internal/web"
	"zedcard/views"
)

// sentParam is the query parameter with the reference of a submission, with which a form's page shows its receipt. The
// address holds nothing of what was written, and nothing of it is stored for the page: everybody who opens it sees the
// same receipt.
const sentParam = "sent"

// receipt is the receipt whose reference is in the address, of one of these forms; nil where there is none.
func (s *server) receipt(r *http.Request, accepted ...agency.ReferenceForm) *views.Receipt {
	reference, ok := agency.ParseReference(r.URL.Query().Get(sentParam))
	if !ok || !slices.Contains(accepted, reference.Form) {
		return nil
	}
	minor := reference.Form == agency.MinorReference
	receipt := &views.Receipt{
		Reference: reference.String(), AnswerBy: reference.AnswerBy(), Minor: minor, GuardianAsked: s.AskGuardians,
	}
	if !s.Site.Panel || minor && s.AskGuardians { // else the panel erases it, or does not
		receipt.EraseOn = reference.EraseOn()
	}
	return receipt
}

// policyInput is the input with the version of the privacy policy that a form's page led to: the page may be open for
// a day while the policy changes.
const policyInput = "policy"

// policyKey is what a version of the policy is made of, beside the site.
type policyKey struct {
	lang        i18n.Lang
	title, body string
}

// policy is the version of the privacy policy in a language as it is now, kept so that a form can name it; empty if it
// can't be read.
func (s *server) policy(ctx context.Context, lang *i18n.Language) string {
	entity, err := s.Catalog.Entity(ctx, string(routes.Privacy), string(lang.Lang))
	if err != nil {
		return ""
	}
	key := policyKey{lang.Lang, entity.Title, entity.Body}
	if hash, ok := s.policies.Get(key); ok {
		return hash
	}
	page := &views.Page{Site: &s.Site, Lang: lang, Screen: routes.Privacy}
	var shown strings.Builder
	text, err := s.textOf(ctx, page)
	if err == nil {
		err = views.TextWords(page, text).Render(ctx, &shown)
	}
	policy := intake.NewPolicy(string(lang.Lang), shown.String())
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, time.Second) // a form is shown without the database, too
		defer cancel()
		err = s.Intake.KeepPolicy(ctx, policy)
	}
	if err != nil {
		s.Log.WarnContext(ctx, "form: the policy was not kept", "error", err)
		return policy.Hash
	}
	s.policies.Set(key, policy.Hash)
	return policy.Hash
}

// agreedPolicy is the version that a posted form's page led to: the one as it is now, unless the form names another
// that is known.
func (s *server) agreedPolicy(ctx context.Context, lang *i18n.Language, posted string) string {
	now := s.policy(ctx, lang)
	if posted == "" || posted == now {
		return now
	}
	if _, err := s.Intake.Policy(ctx, posted); err != nil {
		return ""
	}
	return posted
}

// consents are the ticked boxes of a posted form with their sentences.
func (s *server) consents(
	ctx context.Context, page *views.Page, posted url.Values, boxes ...string,
) (consents []agency.Consent) {
	policy := s.agreedPolicy(ctx, page.Lang, posted.Get(policyInput))
	for _, box := range boxes {
		consents = append(consents, agency.Consent{
			Box: box, Text: agency.BoxText(page, box), Lang: string(page.Lang.Lang), Policy: policy,
			Time: s.Now().UTC(),
		})
	}
	return consents
}

// parsePost reads a small form. If it returns false, the client was over the limits or the body unreadable, and the
// answer has been written.
func (s *server) parsePost(w http.ResponseWriter, r *http.Request, l rates) bool {
	if l.exceeded(w, r, s.Client(r)) {
		s.fail(w, r, http.StatusTooManyRequests)
		return false
	}
	return s.parseForm(w, r)
}

// maxSmallForm is in bytes.
const maxSmallForm = 32 << 10

// parseForm reads a small form, for which the server's timeout is enough. If it returns false, the body was
// unreadable, and the answer has been written.
func (s *server) parseForm(w http.ResponseWriter, r *http.Request) bool {
	r.Body = http.MaxBytesReader(w, r.Body, maxSmallForm)
	err := r.ParseForm()
	if err != nil {
		s.bodyFailed(w, r, err)
	}
	return err == nil
}

// readForm reads a posted form of at most limit bytes, which count as they arrive until release is called. Twice as
// many are taken: browsers read no answer before they have sent everything.
func (s *server) readForm(
	w http.ResponseWriter, r *http.Request, limit int64,
) (values url.Values, photos []forms.Photo, release func(), err error) {
	web.AllowUpload(w, r, 2*limit)
	body := r.Body
	held := &heldBody{ReadCloser: body, ctx: r.Context(), memory: s.Limits.forms}
	r.Body = held
	if values, photos, err = forms.Read(r, limit); err != nil {
		s.Limits.forms.Release(held.bytes)
		held.bytes = 0
		_, _ = io.Copy(io.Discard, body)
	}
	return values, photos, func() { s.Limits.forms.Release(held.bytes) }, err
}

// heldBody is a body whose bytes stay in memory.
type heldBody struct {
	io.ReadCloser
	ctx    context.Context
	memory *semaphore.Weighted
	bytes  int64
}

func (b *heldBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if enter(b.ctx, b.memory, int64(n), roomWait) != nil {
		return 0, errBusy
	}
	b.bytes += int64(n)
	return n, err
}

// refusal is why a form is returned without being submitted; with the zero value it is submitted.
type refusal struct {
	status  int
	problem string // key of its message
}

// ofLimits is the refusal of a client over its limits, if it is.
func ofLimits(exceeded bool) refusal {
	if exceeded {
		return refusal{http.StatusTooManyRequests, "error.form.often"}
	}
	return refusal{}
}

// outcomeStatus is the status of the answer to a form.
var outcomeStatus = map[intake.Outcome]int{
	intake.Sent:    http.StatusSeeOther,
	intake.Invalid: http.StatusUnprocessableEntity,
	intake.Busy:    http.StatusServiceUnavailable,
	intake.Down:    http.StatusServiceUnavailable,
}

// submit submits a form unless it is refused, and gives the status of the answer.
func (s *server) submit(ctx context.Context, form intake.Form, refused refusal) (intake.Result, int) {
	if refused.status != 0 {
		return s.Intake.Redisplay(ctx, form, refused.problem), refused.status
	}
	result := s.Intake.Submit(ctx, form)
	return result, outcomeStatus[result.Outcome]
}

// refill is the form filled in again with everything that was typed.
func (s *server) refill(page *views.Page, values url.Values, result intake.Result) views.Form {
	form := views.Form{Token: result.Token, Values: map[string]string{}}
	for name := range values {
		form.Values[name] = strings.TrimSpace(strings.ToValidUTF8(values.Get(name), ""))
	}
	for _, fault := range result.Errors {
		args := append([]string{
			"value", form.Values[fault.Field], "age", strconv.Itoa(s.Site.MinimumAge), "contacts", s.Site.Contacts(),
		}, fault.Args...)
		form.Errors = append(form.Errors, views.FieldError{Field: fault.Field, Text: page.T(fault.Key, args...)})
	}
	if result.Problem != "" {
		form.Problem = page.T(result.Problem, "contacts", s.Site.Contacts())
	}
	return form
}

// redirectToReceipt sends the browser to the receipt, which shows the talents whom an enquiry was about.
func redirectToReceipt(w http.ResponseWriter, r *http.Request, reference agency.Reference, about ...string) error {
	address := r.URL.EscapedPath() + "?" + sentParam + "=" + reference.String()
	if len(about) > 0 {
		address += "&ids=" + strings.Join(about, ",")
	}
	redirect(w, http.StatusSeeOther, address)
	return nil
}

// renderForm renders a page with a form. While it holds nothing of anybody the visitor's browser may keep it, and
// brings back with it what was typed; once something was posted nobody may.
func (s *server) renderForm(w http.ResponseWriter, r *http.Request, status int, view templ.Component) error {
	if header := w.Header(); status == http.StatusOK && r.Method != http.MethodPost {
		header.Set("Cache-Control", cmp.Or(header.Get("Cache-Control"), "private, no-cache"))
	}
	return s.render(w, r, view, func(body []byte) error { return writeUnstored(w, r, status, htmlType, body) })
}

// showKeptPhoto serves a preview of a photo that was kept for its form (?id=), to everybody who knows its id.
func (s *server) showKeptPhoto(w http.ResponseWriter, r *http.Request) error {
	preview, err := s.Intake.Preview(r.Context(), r.URL.Query().Get("id"))
	if err != nil {
		return err
	}
	w.Header().Set("X-Robots-Tag", "noindex")
	return writeUnstored(w, r, http.StatusOK, "image/jpeg", preview)
}
