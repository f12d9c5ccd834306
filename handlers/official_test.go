package handlers_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/internal/middleware"
	"zedcard/internal/official"
)

// officialSite is the demo site with contacts to check messages by.
func officialSite(t *testing.T, options ...func(*handlers.Services)) http.Handler {
	t.Helper()
	contacts, err := official.Parse([]string{"best.example", "+55 11 91234 5678", "@best"})
	require.NoError(t, err)
	return demoSite(t, append(options, func(s *handlers.Services) { s.Official = contacts })...)
}

func pasted(site http.Handler, path, sender string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(url.Values{"sender": {sender}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	return w
}

func TestTheSafetyPageChecksASender(t *testing.T) {
	var log bytes.Buffer
	lines := slog.New(slog.NewTextHandler(&log, nil))
	site := middleware.RequestLog(lines, nil)(officialSite(t, func(s *handlers.Services) { s.Log = lines }))
	for lang, says := range []struct{ ours, next, notOurs, stop, unread string }{
		{"Ours: Ana@best.example", "call +351 210 000 000", "Not ours: ana@evil.example", "Do not answer",
			"Write one email address"},
		{"É nosso: Ana@best.example", "ligue para +351 210 000 000", "Não é nosso: ana@evil.example", "Não responda",
			"Escreva um e-mail"},
		{"Es nuestro: Ana@best.example", "llama al +351 210 000 000", "No es nuestro: ana@evil.example",
			"No respondas", "Escribe un correo"},
	} {
		for sender, want := range map[string]struct {
			status    int
			says, not []string
		}{
			" Ana@best.example ": {http.StatusOK, []string{says.ours, says.next}, []string{says.stop}},
			"ana@evil.example":   {http.StatusOK, []string{says.notOurs, says.stop}, []string{says.ours}},
			"":                   {http.StatusUnprocessableEntity, []string{says.unread}, []string{says.stop}},
			"<b>who are you</b>": {http.StatusUnprocessableEntity, []string{says.unread, "&lt;b&gt;"}, []string{"<b>"}},
		} {
			answer := pasted(site, safety[lang], sender)
			assert.Equal(t, want.status, answer.Code)
			assert.Equal(t, "no-store", answer.Header().Get("Cache-Control"))
			assert.Empty(t, answer.Header().Get("Set-Cookie"))
			page := answer.Body.String()
			verdict := page[strings.Index(page, `aria-labelledby="check-message"`):]
			verdict = strings.Join(strings.Fields(verdict[:strings.Index(verdict, "</section>")]), " ")
			for _, words := range want.says {
				assert.Contains(t, verdict, words)
			}
			for _, words := range want.not {
				assert.NotContains(t, verdict, words)
			}
		}
	}
	assert.Contains(t, log.String(), "path=/safety")
	assert.NotContains(t, log.String(), "ana@")
	assert.NotContains(t, textOf(site, "/safety"), "evil.example", "other visitors don't see what was checked")
}

func TestWithoutContactsNoMessageIsChecked(t *testing.T) {
	site := demoSite(t)
	assert.NotContains(t, textOf(site, "/safety"), "Check a message")
	assert.Equal(t, http.StatusNotFound, pasted(site, "/safety", "ana@best.example").Code)
	assert.Contains(t, textOf(officialSite(t), "/safety"), "Check a message")
}
