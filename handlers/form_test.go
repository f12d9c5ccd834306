package handlers_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/forms"
	"zedcard/internal/intake"
	"zedcard/internal/site"
	"zedcard/internal/testkit"
	"zedcard/internal/testkit/htmltest"
)

// formsSite is a site with all services of the forms and a clock that only the test moves.
type formsSite struct {
	http.Handler
	t      *testing.T
	now    time.Time
	db     *database.DB
	intake *intake.Intake
	mail   fakeMailer // that guardians got
}

func open(t *testing.T, options ...func(*handlers.Services)) *formsSite {
	t.Helper()
	o := &formsSite{t: t, now: time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)}
	var err error
	o.db, err = database.Open(t.Context(),
		"sqlite:"+filepath.Join(t.TempDir(), "zedcard.db"), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { _ = o.db.Close() }) // some tests close it before
	now := func(s *handlers.Services) { s.Now = func() time.Time { return o.now } }
	submissions := func(s *handlers.Services) {
		o.intake = intake.New(o.db, s.Keys, intake.Options{
			Mail: &o.mail, Site: func() *site.Site { return site.New(agency.Site{Name: "Best Management"}) },
			BaseURL: "https://best.example",
			Now:     s.Now, Log: s.Log,
		})
		s.Intake = o.intake
	}
	o.Handler = demoSite(t,
		slices.Concat([]func(*handlers.Services){now}, options, []func(*handlers.Services){submissions})...)
	return o
}

// storedSubmissions are all submissions in the database.
func (o *formsSite) storedSubmissions() []agency.Submission {
	entries, err := o.intake.Entries(o.t.Context())
	require.NoError(o.t, err)
	var all []agency.Submission
	for _, entry := range entries {
		_, submission, err := o.intake.Find(o.t.Context(), entry.ID)
		require.NoError(o.t, err)
		all = append(all, submission)
	}
	return all
}

// token requests the form and returns its token.
func (o *formsSite) token(path string) string {
	answer := get(o, path)
	require.Equal(o.t, http.StatusOK, answer.Code)
	return valueOf(o.t, answer.Body.String(), "form_token")
}

func (o *formsSite) post(path string, values map[string]string) *httptest.ResponseRecorder {
	return post(o, path, values)
}

// upload posts the application with these photos by input; files are named after their inputs.
func (o *formsSite) upload(path string, values map[string]string, photos map[string][]byte) *httptest.ResponseRecorder {
	pairs := pairsOf(values)
	for name, data := range photos {
		pairs = append(pairs, name, "@"+string(data))
	}
	body, contentType := testkit.Form(o.t, pairs...)
	return answerTo(o, newRequest(http.MethodPost, path, body, "Content-Type", contentType))
}

// pairsOf are names and values in turn.
func pairsOf(values map[string]string) (pairs []string) {
	for name, value := range values {
		pairs = append(pairs, name, value)
	}
	return pairs
}

// valueOf is the value of the input of this name in a page.
func valueOf(t *testing.T, page, name string) string {
	t.Helper()
	return htmltest.Read(t, page).Attr("input[name='"+name+"']", "value")
}

// faultOf is what a returned form says of a field, in its summary and at the field.
func faultOf(t *testing.T, answer *httptest.ResponseRecorder, field string) string {
	t.Helper()
	page := htmltest.Read(t, answer.Body.String())
	text := page.Text("a[href='#" + field + "']")
	assert.Contains(t, page.Text("[id="+field+"-error]"), text)
	return text
}

// photoOf is a small photo of one shade.
func photoOf(t *testing.T, shade uint8) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 30, 40))
	for i := range m.Pix {
		m.Pix[i] = color.Gray{Y: shade}.Y
	}
	var data bytes.Buffer
	require.NoError(t, png.Encode(&data, m))
	return data.Bytes()
}

func with(values map[string]string, changes ...string) map[string]string {
	values = maps.Clone(values)
	for i := 0; i < len(changes); i += 2 {
		values[changes[i]] = changes[i+1]
	}
	return values
}

var message = map[string]string{
	"name": "Júlia Prado", "email": "julia@example.com", "phone": "+351 912 345 678", "message": "Two days in May.",
}

var applicant = map[string]string{
	"realname": "Ana Souza", "birthdate": "30/04/1999", "gender": "woman", "phone": "+55 (11) 98765-4321",
	"email": "ana@example.com", "nationality": "BR", "note": "PT", "height": "178", "bust": "86", "waist": "61",
	"hips": "90", "shoes": "38", "dress": "36", "eyes": "Green", "hair": "Blonde", "privacy": "on",
}

func photosOf(t *testing.T) map[string][]byte {
	return map[string][]byte{"image_1": photoOf(t, 10), "image_2": photoOf(t, 20), "image_3": photoOf(t, 30)}
}

func TestAReceiptSaysWhatToQuoteAndWhatHappensWhen(t *testing.T) {
	o := open(t)
	for i, answer := range []*httptest.ResponseRecorder{
		o.post("/pt/contato", with(message, "form_token", o.token("/pt/contato"))),
		o.upload("/be-a-model", with(applicant, "form_token", o.token("/be-a-model")), photosOf(t)),
		o.upload("/be-a-model", with(minorApplicant(), "form_token", o.token("/be-a-model")), photosOf(t)),
	} {
		require.Equal(t, http.StatusSeeOther, answer.Code)
		for range 2 { // a reload shows it again
			page := htmltest.Read(t, get(o, answer.Header().Get("Location")).Body.String())
			has(t, page.Text("[data-receipt]"), [][]string{
				{"B-261121-", "até 23 de novembro de 2026", "em 20 de maio de 2027"},
				{"A-261121-", "by 5 December 2026", "on 20 May 2027"},
				{"G-261121-", "parent or guardian confirms it", "We erase it on 6 December 2026"},
			}[i]...)
			assert.Len(t, page.Find("details#again:not([open])"), 1, "the form is closed")
			assert.Len(t, page.Find("h1"), 1)
			assert.NotEmpty(t, page.Find("[data-state=sent]"))
		}
	}
}

// TestEveryInputOfBothFormsIsPosted: what only the program names, a test can't miss.
func TestEveryInputOfBothFormsIsPosted(t *testing.T) {
	o := open(t)
	hidden := []string{"homepage", "", "form_token", "x"}
	enquiry := with(with(message, hidden...), "ids", "101", "dates", "12 May", "city", "Lisbon", "deadline", "1 May",
		"usage", "lookbook", "territory", "Portugal", "term", "year")
	application := with(with(minorApplicant(), hidden...), "policy", "", "responsible_data", "on", "nickname", "Aninha",
		"instagram", "@ana", "country", "BR", "city", "São Paulo", "hair_kind", "Curly", "hair_size", "Long")
	const inputs = "main form input[name]:not([type=submit]), main form select[name], main form textarea[name]"
	for path, values := range map[string]map[string]string{"/contact?ids=101": enquiry, "/be-a-model": application} {
		page := htmltest.Read(t, get(o, path).Body.String())
		var names []string
		for _, name := range page.Attrs(inputs, "name") {
			if !slices.Contains(agency.PhotoFields, name) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		assert.Equal(t, slices.Sorted(maps.Keys(values)), slices.Compact(names), path)
	}
	require.Equal(t, http.StatusSeeOther, o.post("/contact", enquiry).Code)
	require.Equal(t, http.StatusSeeOther, o.upload("/be-a-model", application, photosOf(t)).Code)
	consents := agency.Consents(o.storedSubmissions()[1].Fields)
	assert.Equal(t, "responsible_data", consents[1].Box)
}

func TestALongMessageIsRefilledCompletely(t *testing.T) {
	o := open(t)
	for _, length := range []int{4001, 16_500, 30_000} {
		long := strings.Repeat("ã", length)
		answer := o.post("/contact", with(message, "form_token", o.token("/contact"), "message", long))
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code, length)
		body := answer.Body.String()
		assert.Equal(t, "Please shorten this to 4000 characters at most.", faultOf(t, answer, "message"))
		assert.True(t, strings.Contains(body, long), "the message of %d characters is refilled completely", length)
		assert.Equal(t, "Júlia Prado", valueOf(t, body, "name"))
	}
}

func TestMalformedAndOversizedForms(t *testing.T) {
	o := open(t)
	answer := o.post("/contact", with(message, "zzz", strings.Repeat("a", forms.MaxContact)))
	assert.Equal(t, http.StatusRequestEntityTooLarge, answer.Code)
	has(t, answer.Body.String(), "What you sent is too large.", "Go back in your browser")
	lacks(t, answer.Body.String(), ">Return<") // to an empty form
	assert.Equal(t, http.StatusRequestEntityTooLarge, o.upload("/be-a-model", applicant,
		map[string][]byte{"image_1": make([]byte, forms.MaxApplication)}).Code)
	noForm := newRequest(http.MethodPost, "/be-a-model", "no form", "Content-Type", "multipart/form-data")
	assert.Equal(t, http.StatusBadRequest, answerTo(o, noForm).Code)
	assert.Empty(t, o.storedSubmissions())
}

func TestAFormIsTakenHoweverItCame(t *testing.T) {
	for name, token := range map[string]string{
		"none": "", "of nobody": "made up", "long": strings.Repeat("x", 5000), "no text": "\xff\x00",
	} {
		o := open(t)
		for i, text := range []string{"Two days.", "Three days."} {
			assert.Equal(t, http.StatusSeeOther,
				o.post("/contact", with(message, "form_token", token, "message", text)).Code, name)
			assert.Len(t, o.storedSubmissions(), i+1, name)
		}
	}
}

func TestRateLimitedPostsAreRefilled(t *testing.T) {
	o := open(t)
	values := map[string]string{"form_token": o.token("/contact"), "name": "Júlia"}
	from := func(name string) *httptest.ResponseRecorder { return post(o, "/contact", values, client, name) }
	for range 30 {
		require.Equal(t, http.StatusUnprocessableEntity, from("one").Code)
	}
	answer := from("one")
	assert.Equal(t, http.StatusTooManyRequests, answer.Code)
	assert.NotEmpty(t, answer.Header().Get("Retry-After"))
	assert.Equal(t, "Júlia", valueOf(t, answer.Body.String(), "name"))
	assert.Equal(t, http.StatusUnprocessableEntity, from("another").Code)
}

func TestAnUnstoredFormIsNotReportedAsSent(t *testing.T) {
	o := open(t)
	token, upload := o.token("/contact"), o.token("/pt/become-a-model")
	require.NoError(t, o.db.Close())

	answer := o.post("/contact", with(message, "form_token", token))
	assert.Equal(t, http.StatusServiceUnavailable, answer.Code)
	assert.NotEmpty(t, answer.Header().Get("Retry-After"))
	assert.Contains(t, answer.Body.String(), "contact us (bookings@best.example · +351 210 000 000)")
	assert.Equal(t, "Júlia Prado", valueOf(t, answer.Body.String(), "name"))
	assert.Equal(t, token, valueOf(t, answer.Body.String(), "form_token"),
		"the token is kept, so sending again is the same submission")

	answer = o.upload("/pt/become-a-model", with(applicant, "form_token", upload), photosOf(t))
	assert.Equal(t, http.StatusServiceUnavailable, answer.Code)
	assert.Equal(t, "Ana Souza", valueOf(t, answer.Body.String(), "realname"))
}

func TestWithoutTheKeysTheFormIsShownAndNothingIsReportedAsSent(t *testing.T) {
	o := open(t, func(s *handlers.Services) {
		s.Keys = func(context.Context) ([][]byte, error) { return nil, agency.ErrUnavailable }
	})
	assert.Equal(t, http.StatusOK, get(o, "/contact").Code)
	assert.Equal(t, http.StatusServiceUnavailable, o.post("/contact", message).Code)
}
