package handlers_test

import (
	"bytes"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/config"
	"zedcard/internal/folder"
	"zedcard/internal/forms"
	"zedcard/internal/routes"
	"zedcard/internal/testkit/htmltest"
	"zedcard/internal/web"
)

// inLanguages are the addresses of a screen in English, Portuguese and Spanish.
type inLanguages [3]string

var (
	privacy = inLanguages{"/privacy", "/pt/privacy", "/es/privacy"}
	safety  = inLanguages{"/safety", "/pt/seguranca", "/es/seguridad"}
	applies = inLanguages{"/be-a-model", "/pt/become-a-model", "/es/become-a-model"}
	days    = inLanguages{"days", "dias", "días"}
)

// textOf is a page's text with one space between words: content wraps its lines.
func textOf(site http.Handler, path string) string {
	return strings.Join(strings.Fields(get(site, path).Body.String()), " ")
}

func TestThePolicyStatesTheRetentionPeriods(t *testing.T) {
	site := demoSite(t)
	saver := newVisitor(site)
	saver.post("save", "101")
	cookie := time.Duration(saver.cookies["shortlist"].MaxAge) * time.Second
	named := func(d time.Duration, lang int) string { return strconv.Itoa(int(d/(24*time.Hour))) + " " + days[lang] }
	for lang := range privacy {
		policy, form, safe := textOf(site, privacy[lang]), textOf(site, applies[lang]), textOf(site, safety[lang])
		for _, page := range []string{policy, form, safe} {
			assert.Contains(t, page, named(agency.Retention, lang), "retention of applications")
			assert.Contains(t, page, named(agency.MinorRetention, lang),
				"retention of unconfirmed applications of minors")
		}
		assert.Contains(t, policy, named(cookie, lang), "lifetime of the favourites' cookie")
	}
	assert.Contains(t, textOf(site, privacy[0]), "wait on our server for one hour")
}

func TestThePostalAddressIsWhereVisitorsLookForIt(t *testing.T) {
	const address = "Rua de Cedofeita 100, 4050-174 Porto"
	site := demoSite(t, func(s *handlers.Services) { s.Site.Address = address })
	without := textOf(demoSite(t), "/about")
	for lang, sentence := range []string{
		"Our postal address is Best Management, ", "Nosso endereço postal é Best Management, ",
		"Nuestra dirección postal es Best Management, ",
	} {
		assert.Contains(t, textOf(site, privacy[lang]), sentence+address)
	}
	for path, times := range map[string]int{"/": 2, "/about": 2, "/pt/contato": 3} { // structured data, footer, details
		assert.Equal(t, times, strings.Count(textOf(site, path), address), path)
	}
	assert.NotContains(t, without, `"address"`)
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

// AI crawlers are allowed unless the agency says otherwise, but never on pages of children: robots.txt and the pages
// say so, without a list of who is a child.
func TestTrainingCrawlersGetNoMinors(t *testing.T) {
	site := demoSite(t)
	child := get(site, "/models/128/x").Header().Get("Location")
	require.Contains(t, get(site, child).Body.String(), "noimageindex")
	const trainer = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; " +
		"GPTBot/1.3; +https://openai.com/gptbot)"
	for path, want := range map[string]int{
		child: http.StatusNotFound, child + "/composite": http.StatusNotFound, "/pt" + child: http.StatusNotFound,
		"/models/101/benedita-nascimento": http.StatusOK, "/models": http.StatusOK,
		"/models/kids": http.StatusNotFound, "/pt/models?category=kids&letter=A": http.StatusNotFound,
	} {
		assert.Equal(t, want, get(site, path, "User-Agent", trainer).Code, path)
	}
	page := get(site, child, "User-Agent", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")
	assert.Equal(t, http.StatusOK, page.Code)
	assert.Equal(t, "noimageindex, noai, noimageai", page.Header().Get("X-Robots-Tag"))
	for _, path := range []string{child, child + "/composite", child + "/frames", "/favorites?ids=101,128"} {
		assert.Equal(t, "train-ai=n", get(site, path).Header().Get("Content-Usage"), path)
	}
	assert.Empty(t, get(site, "/models/101/benedita-nascimento").Header().Get("Content-Usage"))
	assert.Contains(t, page.Header().Values("Vary"), "User-Agent",
		"a shared cache must not serve this page to a training crawler")

	robots := get(site, "/robots.txt").Body.String()
	trainers := robots[strings.Index(robots, "User-agent: Amazonbot"):strings.Index(
		robots, "User-agent: Applebot-Extended")]
	tokens := robots[strings.Index(robots, "User-agent: Applebot-Extended"):]
	for _, line := range []string{"/models/kids", "/pt/models/kids", "/es/models/kids", "/media/n"} {
		assert.Contains(t, trainers, "Disallow: "+line+"\n")
		assert.Contains(t, tokens, "Disallow: "+line+"\n")
	}
	assert.NotContains(t, trainers, "Disallow: /\n")
	assert.Contains(t, tokens, "Disallow: /models/*/\n", "crawlers that read only robots.txt are kept from profiles")
	assert.NotContains(t, robots, "128")
}

func TestFavoritesWithAMinorAreNotIndexed(t *testing.T) {
	site := demoSite(t)
	assert.Contains(t, get(site, "/favorites?ids=101,128").Header().Get("X-Robots-Tag"), "noimageindex")
	assert.Empty(t, get(site, "/favorites?ids=101").Header().Get("X-Robots-Tag"))
	for _, file := range []string{"composites", "pack"} {
		marks := func(ids string) []string {
			return get(site, "/favorites/"+file+"?ids="+ids).Header().Values("X-Robots-Tag")
		}
		assert.Equal(t, []string{"noimageindex, noai, noimageai", "noindex"}, marks("101,128"), file)
		assert.Equal(t, []string{"noindex"}, marks("101"), file)
	}
	child := get(site, "/models/128/x").Header().Get("Location")
	assert.Contains(t, get(site, child+"/composite").Header().Values("X-Robots-Tag"), "noimageindex, noai, noimageai")
}

// noTraining is what ai: no-training in agency.yaml does.
func noTraining(s *handlers.Services) { s.Site.NoTraining = true }

func TestTheLikenessPageIsThereIfTheAgencyAllowsNoTraining(t *testing.T) {
	agreed, silent := demoSite(t, noTraining), demoSite(t)
	for path, says := range map[string]string{
		"/likeness": "No double without a contract", "/pt/imagem": "Nenhuma réplica digital sem contrato",
		"/es/imagen": "Ninguna réplica digital sin contrato",
	} {
		has(t, textOf(agreed, path), says, "bookings@best.example · +351 210 000 000")
		assert.NotEqual(t, textOf(agreed, path), textOf(silent, path), path)
	}
	assert.Equal(t, http.StatusNotFound, get(silent, "/likeness").Code)
	for _, path := range []string{"/contact", "/sitemap-pages.xml"} {
		assert.Contains(t, get(agreed, path).Body.String(), "/likeness", path)
		assert.NotContains(t, get(silent, path).Body.String(), "/likeness", path)
	}
	nobody := demoSite(t, noTraining, func(s *handlers.Services) { s.Site.Bookings, s.Site.Phone = "", "" })
	assert.NotContains(t, textOf(nobody, "/likeness"), "Send us", "there is nobody to write to")
}

func TestSkinColourIsAskedOnlyWhenConfigured(t *testing.T) {
	assert.NotContains(t, textOf(demoSite(t), "/be-a-model"), "skin_color")
	asked := textOf(demoSite(t, func(s *handlers.Services) { s.AskSkinColor = true }), "/be-a-model")
	has(t, asked, `name="skin_color"`, `name="skin_color_consent"`)
}

// officialSite is the demo site with contacts to check messages by.
func officialSite(t *testing.T, options ...func(*handlers.Services)) http.Handler {
	t.Helper()
	contacts, err := agency.ParseOfficial([]string{"best.example", "+55 11 91234 5678", "@best"})
	require.NoError(t, err)
	return demoSite(t, append(options, func(s *handlers.Services) { s.Official = contacts })...)
}

func pasted(site http.Handler, path, sender string) *httptest.ResponseRecorder {
	return post(site, path, map[string]string{"sender": sender})
}

func TestTheSafetyPageChecksASender(t *testing.T) {
	var log bytes.Buffer
	lines := slog.New(slog.NewTextHandler(&log, nil))
	site := web.RequestLog(lines, nil, nil)(officialSite(t, func(s *handlers.Services) { s.Log = lines }))
	const ours, ask = "Ours: Ana@best.example", "ask us: bookings@best.example · +351 210 000 000"
	const notOurs, stop, unread = "Not ours: ana@evil.example", "Do not answer", "Write one email address"
	for sender, want := range map[string]struct {
		status    int
		says, not []string
	}{
		" Ana@best.example ": {http.StatusOK, []string{ours, ask}, []string{stop}},
		"ana@evil.example":   {http.StatusOK, []string{notOurs, stop}, []string{ours}},
		"":                   {http.StatusUnprocessableEntity, []string{unread}, []string{stop}},
		"<b>who are you</b>": {http.StatusUnprocessableEntity, []string{unread}, []string{"who are you"}},
	} {
		answer := pasted(site, "/safety", sender)
		assert.Equal(t, want.status, answer.Code)
		assert.Equal(t, "no-store", answer.Header().Get("Cache-Control"))
		assert.Empty(t, answer.Header().Get("Set-Cookie"))
		verdict := htmltest.Read(t, answer.Body.String()).Text("[aria-labelledby=check-message]")
		has(t, verdict, want.says...)
		lacks(t, verdict, want.not...)
	}
	mailOnly := officialSite(t, func(s *handlers.Services) { s.Site.Phone = "" })
	assert.Contains(t, pasted(mailOnly, "/safety", "ana@best.example").Body.String(), "ask us: bookings@best.example.")
	assert.Contains(t, log.String(), "path=/safety")
	assert.NotContains(t, log.String(), "ana@")
	assert.NotContains(t, textOf(site, "/safety"), "evil.example", "other visitors don't see what was checked")
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

func TestWithoutContactsNoMessageIsChecked(t *testing.T) {
	site := demoSite(t)
	assert.NotContains(t, textOf(site, "/safety"), "Check a message")
	assert.Equal(t, http.StatusNotFound, pasted(site, "/safety", "ana@best.example").Code)
	assert.Contains(t, textOf(officialSite(t), "/safety"), "Check a message")
}
