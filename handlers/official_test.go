package handlers_test

import (
	"bytes"
	"html"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/internal/backend/embedded"
	"zedcard/internal/config"
	"zedcard/internal/middleware"
	"zedcard/internal/official"
	"zedcard/internal/routes"
)

// officialSite is the demo site with contacts to check messages by.
func officialSite(t *testing.T, options ...func(*handlers.Services)) http.Handler {
	t.Helper()
	contacts, err := official.Parse([]string{"best.example", "+55 11 91234 5678", "@best"})
	require.NoError(t, err)
	return demoSite(t, append(options, func(s *handlers.Services) { s.Official = contacts })...)
}

func pasted(site http.Handler, path, sender string) *httptest.ResponseRecorder {
	return post(site, path, map[string]string{"sender": sender})
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
			has(t, verdict, want.says...)
			lacks(t, verdict, want.not...)
		}
	}
	assert.Contains(t, log.String(), "path=/safety")
	assert.NotContains(t, log.String(), "ana@")
	assert.NotContains(t, textOf(site, "/safety"), "evil.example", "other visitors don't see what was checked")
}

var scripts = regexp.MustCompile(`(?s)<script.*?</script>`)

// printed finds the contacts that a page prints: mail addresses, numbers and links to other sites.
var printed = regexp.MustCompile(`(?:mailto:|tel:|https?://)[^"<\s]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)

// What the site itself prints as a contact is never called "not ours", on whichever page it stands.
func TestEveryContactOnThePagesIsOurs(t *testing.T) {
	defaults, err := config.Load(nil, func(string) string { return "" })
	require.NoError(t, err)
	decided := defaults.Site(embedded.ReadSite(embedded.Demo()))
	site := demoSite(t, func(s *handlers.Services) {
		s.Official = defaults.OfficialContacts(decided)
		s.Site.BaseURL, s.Site.PoweredByURL = defaults.BaseURL, decided.PoweredBy.URL
		s.Site.Phone, s.Site.BookingsEmail, s.Site.AccountingEmail = decided.Phone, decided.Bookings, decided.Accounting
	})
	paths := []string{
		"/models/101/benedita-nascimento", "/creative/139/paolo-santacroce", "/favorites?ids=101", "/nowhere",
	}
	for _, route := range routes.All() {
		if !strings.Contains(route.Pattern, "{") && route.Screen != routes.KeptPhoto && route.Screen != routes.Feed {
			paths = append(paths, route.Pattern)
		}
	}
	pageOf := map[string]string{}
	for _, path := range paths {
		text := scripts.ReplaceAllString(get(site, path).Body.String(), "")
		for _, contact := range printed.FindAllString(html.UnescapeString(text), -1) {
			contact, _, _ = strings.Cut(contact, "?")
			if contact != "mailto:" && !strings.HasPrefix(contact, decided.PoweredBy.URL) &&
				!strings.HasPrefix(contact, defaults.BaseURL) {
				pageOf[contact] = path
			}
		}
	}
	for _, seen := range []string{
		"https://linkedin.example.com/company/best-management", "tel:+5511912345678", "accounting@best.example",
	} {
		require.Contains(t, pageOf, seen)
	}
	for _, sender := range append(slices.Collect(maps.Keys(pageOf)),
		"@bestmanagement", "Kofi Mensah <kofi@best.example>", "+55 (11) 91234-5678",
	) {
		assert.Contains(t, pasted(site, "/safety", sender).Body.String(), "Ours: ", "%s on %s", sender, pageOf[sender])
	}
	for _, sender := range []string{
		"linkedin.example.com", "https://linkedin.example.com/company/another", "@bestmanagement_casting",
	} {
		assert.Contains(t, pasted(site, "/safety", sender).Body.String(), "Not ours: ", sender)
	}
	assert.Equal(t, http.StatusUnprocessableEntity, pasted(site, "/safety", "Kofi").Code, "a name proves nothing")
}

func TestWithoutContactsNoMessageIsChecked(t *testing.T) {
	site := demoSite(t)
	assert.NotContains(t, textOf(site, "/safety"), "Check a message")
	assert.Equal(t, http.StatusNotFound, pasted(site, "/safety", "ana@best.example").Code)
	assert.Contains(t, textOf(officialSite(t), "/safety"), "Check a message")
}
