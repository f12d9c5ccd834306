package handlers_test

import (
	"bytes"
	"context"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/mail"
)

// fakeMailer is a fake of the mail server.
type fakeMailer []mail.Message

func (f *fakeMailer) Send(_ context.Context, m mail.Message) error {
	*f = append(*f, m)
	return nil
}

// minorApplicant is an applicant of eleven years with a parent.
func minorApplicant() map[string]string {
	return with(applicant,
		"birthdate", "22/11/2015", "responsible", "Rosa Souza", "responsible_email", "rosa@example.com",
		"responsible_phone", "+55 11 3333-4444", "responsible_consent", "on")
}

// letter is the mail that a guardian got.
type letter struct{ address, path, token, reference string }

var confirmationLink = regexp.MustCompile(`https://best\.example(\S+)\?token=(\S+)`)

// guardianLetter is a site with a mail server, and the letter that a parent got from it.
func guardianLetter(t *testing.T, language string, options ...func(*handlers.Services)) (*formsSite, letter) {
	t.Helper()
	o := open(t, append(options, func(s *handlers.Services) { s.AskGuardians = true })...)
	apply := map[string]string{
		"en": "/be-a-model", "pt": "/pt/become-a-model", "es": "/es/become-a-model",
	}[language]
	answer := o.upload(apply, with(minorApplicant(), "form_token", o.token(apply)), photosOf(t))
	require.Equal(t, http.StatusSeeOther, answer.Code)
	o.intake.SendMails(t.Context())
	require.Len(t, o.mail, 1)
	_, reference, _ := strings.Cut(answer.Header().Get("Location"), "=")
	assert.Contains(t, o.mail[0].Text, reference, "the receipt and the mail have the same reference")
	link := confirmationLink.FindStringSubmatch(o.mail[0].Text)
	require.NotNil(t, link)
	return o, letter{o.mail[0].To, link[1], link[2], reference}
}

func TestAGuardianConfirmsWithTheButtonOfTheMailsLink(t *testing.T) {
	const path, confirmed = "/pt/responsavel", "Você confirmou a inscrição"
	var log bytes.Buffer
	o, letter := guardianLetter(t, "pt", func(s *handlers.Services) {
		s.Log = slog.New(slog.NewTextHandler(&log, nil))
	})
	assert.Equal(t, "rosa@example.com", letter.address)
	assert.Equal(t, path, letter.path, "in the language of the form")
	for _, link := range []string{ // a program that looks through mail, then the parent, and what mail made of it
		"?token=" + letter.token, "?token=" + letter.token, "?token%3D" + letter.token, "?amp;token=" + letter.token,
		"?token=" + letter.token + ".", "?token=%3C" + letter.token + "%3E)", "?token=" + letter.token + "%E2%80%8B",
	} {
		answer := get(o, path+link)
		require.Equal(t, http.StatusOK, answer.Code, link)
		assert.Contains(t, answer.Body.String(), `value="`+letter.token+`"`)
		has(t, answer.Body.String(), "Confirme uma inscrição", letter.reference)
		assert.NotContains(t, answer.Body.String(), confirmed)
		lacks(t, answer.Body.String(), "Ana", "Souza", "Rosa", "2015", "ana@", "rosa@")
		assertUncached(t, answer.Header())
	}

	for box, missing := range map[string]string{"agree": "data", "data": "agree"} {
		answer := o.post(path, map[string]string{"token": letter.token, box: "on"})
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code, "both are needed")
		assert.Contains(t, answer.Body.String(), `id="`+missing+`-error"`)
		assert.NotContains(t, answer.Body.String(), `id="`+box+`-error"`)
		assertUncached(t, answer.Header())
	}
	for range 2 { // a double click, or the link again
		answer := o.post(path, map[string]string{"token": letter.token, "agree": "on", "data": "on"})
		require.Equal(t, http.StatusSeeOther, answer.Code)
		assertUncached(t, answer.Header())
		shown := get(o, answer.Header().Get("Location"))
		require.Equal(t, http.StatusOK, shown.Code)
		assert.Contains(t, shown.Body.String(), confirmed)
		assert.NotContains(t, shown.Body.String(), `method="post" action="`+path)
		assertUncached(t, shown.Header())
	}
	assert.NotContains(t, log.String(), letter.token)
	boxes := map[string]string{}
	for _, consent := range agency.Consents(o.storedSubmissions()[0].Fields) {
		boxes[consent.Box] = consent.Text
		assert.Equal(t, "pt", consent.Lang)
		policy, err := o.intake.Policy(t.Context(), consent.Policy)
		require.NoError(t, err)
		assert.Contains(t, policy.HTML, i18n.Of(i18n.PT).T("privacy.guardian.mail"))
	}
	assert.ElementsMatch(t, []string{"responsible_consent", "privacy", "agree", "data"},
		slices.Collect(maps.Keys(boxes)), "what was ticked is stored, and what was not ticked isn’t")
	assert.Contains(t, get(o, "/pt/become-a-model").Body.String(),
		boxes["responsible_consent"], "in the form’s own words")
}

// assertUncached asserts that the address of a page, which has the token, is hidden from caches and other sites.
func assertUncached(t *testing.T, header http.Header) {
	t.Helper()
	assert.Equal(t, "no-store", header.Get("Cache-Control"))
	assert.Equal(t, "no-referrer", header.Get("Referrer-Policy"))
	assert.Equal(t, "noindex", header.Get("X-Robots-Tag"))
	assert.Empty(t, header.Get("Set-Cookie"))
}

func TestInvalidLinksHaveTheSameAnswer(t *testing.T) {
	o, letter := guardianLetter(t, "en")
	o.now = o.now.Add(agency.MinorRetention)
	answers := map[string]bool{}
	for _, token := range []string{letter.token, letter.token[1:], "", "x", strings.Repeat("x", 5000)} {
		shown := get(o, "/guardian?token="+token)
		posted := o.post("/guardian", map[string]string{"token": token})
		assert.Equal(t, http.StatusNotFound, shown.Code)
		assert.Equal(t, http.StatusNotFound, posted.Code)
		assertUncached(t, shown.Header())
		assertUncached(t, posted.Header())
		answers[shown.Body.String()], answers[posted.Body.String()] = true, true
	}
	assert.Len(t, answers, 1, "expired, truncated and forged links have the same answer")
	for body := range answers {
		assert.Contains(t, body, "This link does not work")
		assert.NotContains(t, body, letter.token)
	}
}

func TestConfirmationsOfOneClientAreLimited(t *testing.T) {
	o, letter := guardianLetter(t, "en")
	for range 30 {
		require.Equal(t, http.StatusNotFound, o.post("/guardian", map[string]string{"token": "x"}).Code)
	}
	answer := o.post("/guardian", map[string]string{"token": letter.token})
	assert.Equal(t, http.StatusTooManyRequests, answer.Code)
	assert.NotEmpty(t, answer.Header().Get("Retry-After"))
}
