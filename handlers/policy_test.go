package handlers_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/config"
	"zedcard/internal/folder"
	"zedcard/internal/forms"
	"zedcard/internal/routes"
	"zedcard/internal/testkit/htmltest"
)

// inLanguages are the addresses of a screen in English, Portuguese and Spanish.
type inLanguages [3]string

var (
	privacy = inLanguages{"/privacy", "/pt/privacy", "/es/privacy"}
	safety  = inLanguages{"/safety", "/pt/seguranca", "/es/seguridad"}
	applies = inLanguages{"/be-a-model", "/pt/become-a-model", "/es/become-a-model"}
)

// textOf is a page's text with one space between words: content wraps its lines.
func textOf(site http.Handler, path string) string {
	return strings.Join(strings.Fields(get(site, path).Body.String()), " ")
}

func TestPagesPromiseWhatTheSettingsKeep(t *testing.T) {
	guardians := func(s *handlers.Services) { s.AskGuardians = true }
	receipts := applies
	for i := range receipts {
		receipts[i] += "?sent=G-261121-9F3C07"
	}
	for key, c := range map[string]struct {
		set     func(*handlers.Services)
		pages   inLanguages
		instead string // the key of what is said without the setting
	}{
		"safety.minors.full": {
			func(s *handlers.Services) { s.FullMeasures = true }, safety, "safety.minors.safe",
		},
		"apply.phone.international": {
			func(s *handlers.Services) { s.Phones = forms.InternationalPhones }, applies, "apply.phone.mask",
		},
		"apply.responsible.mail":  {guardians, applies, "nav.apply"},
		"privacy.guardian.mail":   {guardians, privacy, "privacy.guardian.call"},
		"receipt.next.minor.mail": {guardians, receipts, "receipt.next.minor.how"},
	} {
		set, unset := demoSite(t, c.set), demoSite(t)
		for i, lang := range texts.Langs() {
			assert.Contains(t, textOf(set, c.pages[i]), lang.T(key))
			assert.NotContains(t, textOf(unset, c.pages[i]), lang.T(key))
			assert.Contains(t, textOf(unset, c.pages[i]), lang.T(c.instead))
		}
	}
	assert.Contains(t, textOf(demoSite(t), "/be-a-model"), `data-mask="+## (##) #####-####"`)
	adults := demoSite(t, guardians, func(s *handlers.Services) { s.Site.MinimumAge = 18 })
	assert.NotContains(t, textOf(adults, "/privacy"), i18n.Of(i18n.EN).T("privacy.guardian"))
}

// noTraining is what ai: no-training in agency.yaml does.
func noTraining(s *handlers.Services) { s.Site.NoTraining = true }

func pasted(site http.Handler, path, sender string) *httptest.ResponseRecorder {
	return post(site, path, map[string]string{"sender": sender})
}

var mailAddress = regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)

// What the site itself prints as a contact is never called "not ours", on whichever page it stands.
func TestEveryContactOnThePagesIsOurs(t *testing.T) {
	defaults, err := config.Load(nil, func(string) string { return "" })
	require.NoError(t, err)
	decided := folder.ReadSite(folder.Demo(), defaults.Host())
	site := demoSite(t, func(s *handlers.Services) {
		s.Official = defaults.OfficialContacts(decided.Site)
		s.Site.BaseURL, s.Site.PoweredBy.URL = defaults.BaseURL, decided.PoweredBy.URL
		s.Site.Phone, s.Site.Bookings, s.Site.Accounting = decided.Phone, decided.Bookings, decided.Accounting
	})
	paths := []string{
		"/models/101/benedita-nascimento", "/creative/139/paolo-santacroce", "/favorites?ids=101", "/nowhere",
	}
	for _, route := range table.All() {
		if !strings.Contains(route.Pattern, "{") && route.Screen != routes.KeptPhoto && route.Screen != routes.Feed {
			paths = append(paths, route.Pattern)
		}
	}
	pageOf := map[string]string{}
	for _, path := range paths {
		page := htmltest.Read(t, get(site, path).Body.String())
		contacts := page.Attrs("a[href^='mailto:'], a[href^='tel:'], a[href^=http]", "href")
		for _, element := range page.Find("body :not(script)") {
			for node := range element.ChildNodes() {
				if node.Type == html.TextNode {
					contacts = append(contacts, mailAddress.FindAllString(node.Data, -1)...)
				}
			}
		}
		for _, contact := range contacts {
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
		"@bestmanagement", "+55 (11) 91234-5678",
	) {
		assert.Contains(t, pasted(site, "/safety", sender).Body.String(), "Ours: ", "%s on %s", sender, pageOf[sender])
	}
	for _, sender := range []string{
		"linkedin.example.com", "https://linkedin.example.com/company/another", "@bestmanagement_casting",
		"Kofi Mensah <kofi@best.example>",
	} {
		assert.Contains(t, pasted(site, "/safety", sender).Body.String(), "Not ours: ", sender)
	}
	assert.Equal(t, http.StatusUnprocessableEntity, pasted(site, "/safety", "Kofi").Code, "a name proves nothing")
}
