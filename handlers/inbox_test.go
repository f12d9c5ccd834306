package handlers_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/internal/intake"
	"zedcard/internal/routes"
	"zedcard/internal/testkit"
	"zedcard/internal/testkit/htmltest"
)

// received are submissions that arrived: a message, and the applications of an adult and of a child.
func received(t *testing.T, o *formsSite) {
	t.Helper()
	photos := []agency.File{{Field: "image_1", Name: "a.jpg", Type: "image/jpeg", Data: []byte("\xff\xd8\xff a photo")},
		{Field: "image_2", Name: "b.jpg", Type: "image/jpeg", Data: []byte("<script>alert(1)</script>")}}
	for _, s := range []agency.Submission{
		{ID: "e0e001", Kind: agency.Contact, Fields: []agency.Field{
			{Name: "name", Value: "Éva <Nagy>"}, {Name: "email", Value: "eva@example.com"},
			{Name: "message", Value: "Two days in May."},
		}},
		{ID: "a0a002", Kind: agency.GetScouted, Files: photos, Fields: agency.AddConsents([]agency.Field{
			{Name: "realname", Value: "Ana Souza"}, {Name: "birthdate", Value: "1999-04-30"},
			{Name: "email", Value: "ana@example.com"}, {Name: "nationality", Value: `{"value":"BR","label":"Brazil"}`},
			{Name: "gender", Value: "woman"}, {Name: "height", Value: "178"},
		}, agency.Consent{Box: "privacy", Text: "I have read the privacy policy."})},
		{ID: "c0c003", Kind: agency.GetScouted, Files: photos, Fields: []agency.Field{
			{Name: "realname", Value: "Saoirse Daly"}, {Name: "birthdate", Value: "2012-05-01"},
			{Name: "responsible", Value: "Orla Daly · orla@example.com · +353 1 234 5678"},
		}},
	} {
		require.NoError(t, o.intake.Receive(t.Context(), s))
		o.now = o.now.Add(time.Second)
	}
}

// inboxLink is the path of a link to the list.
func inboxLink(t *testing.T, o *formsSite) string {
	t.Helper()
	link, err := o.intake.InboxLink(t.Context())
	require.NoError(t, err)
	return strings.TrimPrefix(link, "https://best.example")
}

const submissionLink = "a[href^='/_inbox/submission?key=']"

// linkTo is the path of a submission, without the list that it was opened from.
func linkTo(t *testing.T, o *formsSite, id string) string {
	t.Helper()
	link, _, _ := strings.Cut(listedLink(t, o, id), "&list=")
	return link
}

// listedLink is the path of the link to a submission, from the list.
func listedLink(t *testing.T, o *formsSite, id string) string {
	t.Helper()
	for _, link := range htmltest.Read(t, get(o, inboxLink(t, o)).Body.String()).Attrs(submissionLink, "href") {
		if strings.HasPrefix(link, "/_inbox/submission?key="+id) {
			return link
		}
	}
	require.Fail(t, "no link", id)
	return ""
}

func TestTheInboxInABrowserIsReadByWhoHasItsLink(t *testing.T) {
	var log bytes.Buffer
	o := open(t, func(s *handlers.Services) { s.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	received(t, o)
	list := get(o, inboxLink(t, o))
	require.Equal(t, http.StatusOK, list.Code)
	assertUncached(t, list.Header())
	page := list.Body.String()
	has(t, page,
		"Éva &lt;Nagy&gt;", "B-261121-E0E001", "Answer by 23 November 2026", "Orla Daly",
		"Under 18, not confirmed yet")
	lacks(t, page, "<script", "http://", "https://") // it runs nothing and leads nowhere else
	assert.Less(t, strings.Index(page, "Orla"), strings.Index(page, "Nagy"), "the newest first")
	for query, found := range map[string]string{"eva": "Nagy", "b-261121": "Nagy", "SOUZA": "Ana Souza"} {
		searched := get(o, inboxLink(t, o)+"&q="+query).Body.String()
		assert.Contains(t, searched, found)
		assert.Len(t, htmltest.Read(t, searched).Find(submissionLink), 1, query)
	}

	for _, end := range []string{".", ")", "%3E", "%3D", "%E2%80%8B"} {
		assert.Equal(t, http.StatusOK, get(o, inboxLink(t, o)+end).Code, "a program for mail added "+end)
		mangled := strings.Replace(linkTo(t, o, "e0e001"), "key=", "key%3D", 1) + end
		assert.Equal(t, http.StatusOK, get(o, mangled).Code, mangled)
	}
	message := get(o, linkTo(t, o, "e0e001"))
	require.Equal(t, http.StatusOK, message.Code)
	assertUncached(t, message.Header())
	assert.Contains(t, message.Body.String(), "Two days in May.")
	assert.Contains(t, message.Body.String(), "mailto:eva@example.com?subject=Best%20Management%20%E2%80%93%20B-")
	application := get(o, linkTo(t, o, "a0a002")).Body.String()
	has(t, application,
		"Brazil", "30 April 1999", "<dd>Woman</dd>", "<dd>178\u00a0cm</dd>", "I have read the privacy policy.",
		"Answer by 5 December 2026",
		"Will be erased on 20 May 2027")
	portuguese := get(o, inboxLink(t, o), "Accept-Language", "de, pt-BR;q=0.8, en;q=0.5")
	assert.Contains(t, portuguese.Body.String(), "Caixa de entrada")
	key := url.QueryEscape(strings.SplitN(linkTo(t, o, "a0a002"), "key=", 2)[1])
	assert.NotContains(t, log.String(), key)
}

func TestTheInboxSaysWhoIsToBeMeasuredAgain(t *testing.T) {
	talents := []agency.Talent{bornIn(2000, "1"), bornIn(2000, "2"), bornIn(2012, "3")}
	for i := range talents {
		talents[i].Measures.Height = "178"
		talents[i].Measured = time.Date(2026, time.August, 1, 0, 0, 0, 0, time.UTC)
	}
	head := func() []string {
		fake := testkit.NewFake(t)
		fake.Change(func(c *testkit.Content) { c.Talents = talents })
		content := catalogOf(cached(t, fake.Panel(), fake.Integration(), 0))
		o := open(t, func(s *handlers.Services) { s.Catalog = content })
		return htmltest.Read(t, get(o, inboxLink(t, o)).Body.String()).Words("main > details > *")
	}
	assert.Equal(t, []string{"Measures to take again: 1", "Ana 3"}, head(), "a minor, 112 days ago")
	talents[0].Measured = time.Time{}
	assert.Equal(t, []string{"Measures to take again: 2", "Ana 1, Ana 3"}, head())
	talents[1].Measured, talents[2].Measured = time.Time{}, time.Time{}
	assert.Empty(t, head())
}

// A stranger has a link that is cut, old, another's or made up.
func TestALinkToTheInboxThatIsNotGenuineShowsNothing(t *testing.T) {
	o := open(t)
	received(t, o)
	list, message, application := inboxLink(t, o), linkTo(t, o, "e0e001"), linkTo(t, o, "a0a002")
	key := func(link string) string { return strings.SplitN(link, "key=", 2)[1] }
	_, signature, _ := strings.Cut(key(message), ".")
	answers := map[string]string{}
	refused := func(name, path string) {
		shown := get(o, path)
		assert.Equal(t, http.StatusNotFound, shown.Code, name)
		assert.Equal(t, "no-referrer", shown.Header().Get("Referrer-Policy"), name)
		assert.Equal(t, "no-store", shown.Header().Get("Cache-Control"), name)
		lacks(t, shown.Body.String(), "Nagy", "Souza", "a photo", key(message))
		answers[shown.Body.String()] = name
	}
	refused("without a key", routes.Inbox)
	refused("cut", list[:len(list)-1])
	refused("a submission's key for the list", routes.InboxPath(routes.Inbox, key(message)))
	refused("the list's key for a submission", routes.InboxPath(routes.InboxSubmission, key(list)))
	refused("a later end", routes.InboxPath(routes.Inbox, "1999999999."+key(list)[strings.Index(key(list), ".")+1:]))
	refused("another submission", routes.InboxPath(routes.InboxSubmission, "a0a002."+signature))
	refused("no signature", routes.InboxPath(routes.InboxSubmission, "a0a002"))
	refused("no submission", routes.InboxPath(routes.InboxSubmission, "ffffff."+signature))
	refused("an injection", routes.InboxPath(routes.InboxSubmission, "' OR 1=1 --."+signature))
	refused("huge", routes.InboxPath(routes.InboxSubmission, strings.Repeat("x", 5000)))
	assert.Len(t, answers, 1, "nobody learns why a link does not work")
	forged := routes.InboxPath(routes.InboxSubmission, "a0a002."+signature)
	for _, action := range []string{"done", "erase"} {
		assert.Equal(t, http.StatusNotFound, o.post(forged, map[string]string{"action": action}).Code)
	}
	photo := strings.Replace(application, "submission", "photo", 1)
	assert.Equal(t, http.StatusOK, get(o, photo+"&photo=1").Code)
	assert.Equal(t, http.StatusNotFound, get(o, photo[:len(photo)-1]+"&photo=1").Code)
	assert.Equal(t, http.StatusNotFound, get(o, photo+"&photo=9").Code)
	assert.Equal(t, http.StatusNotFound, get(o, photo+"&photo=2").Code, "no picture")

	o.now = o.now.Add(30 * 24 * time.Hour)
	require.Equal(t, http.StatusOK, get(o, list).Code)
	o.now = o.now.Add(2 * time.Second)
	refused("older than 30 days", list)
	assert.Equal(t, http.StatusOK, get(o, application).Code, "that of a submission works until it is erased")

	rotated := demoSite(t, func(s *handlers.Services) {
		s.Now = func() time.Time { return o.now }
		s.Intake = intake.New(o.db, o.db.Keys("a new key", "secret"), intake.Options{Now: s.Now, Log: s.Log})
	})
	assert.Equal(t, http.StatusNotFound, get(rotated, application).Code, "a new SESSION_KEYS ends every link")
	external := demoSite(t, func(s *handlers.Services) { s.Intake, s.Site.Panel = o.intake, true })
	assert.Equal(t, http.StatusNotFound, get(external, application).Code, "a panel elsewhere has the inbox")
}

func TestWhatAMinorSentIsShownOnceTheAdultHasConfirmed(t *testing.T) {
	o := open(t)
	received(t, o)
	page := linkTo(t, o, "c0c003")
	photo := strings.Replace(page, "submission", "photo", 1) + "&photo=1"
	shown := get(o, page).Body.String()
	assert.Contains(t, shown, "What the applicant sent is shown once the parent or guardian has confirmed")
	lacks(t, shown, "<img", "Saoirse", "2012")
	for _, query := range []string{"", "&all=1", "&q=saoirse"} {
		assert.NotContains(t, get(o, inboxLink(t, o)+query).Body.String(), "Saoirse")
	}
	has(t, get(o, inboxLink(t, o)+"&q=orla").Body.String(), "Orla Daly")
	assert.Contains(t, shown, "mailto:orla@example.com", "the agency speaks to the adult first")
	hidden := get(o, photo)
	assert.Equal(t, http.StatusNotFound, hidden.Code)
	assertUncached(t, hidden.Header())
	assert.Contains(t, shown, "Will be erased on 6 December 2026 unless")
	confirm := func(by string) int {
		return o.post(page, map[string]string{"action": "confirm", "by": by}).Code
	}
	require.Equal(t, http.StatusUnprocessableEntity, confirm(" "), "nobody is named")
	for range 2 { // a double click
		require.Equal(t, http.StatusSeeOther, confirm("Helena Brandt"))
	}
	has(t, get(o, page).Body.String(), "<img", "Saoirse Daly", "Confirmed by phone: Helena Brandt",
		"I agree to this application.", "Will be erased on 20 May 2027") // kept like an adult's
	answer := get(o, photo)
	assert.Equal(t, "\xff\xd8\xff a photo", answer.Body.String())
	assert.Equal(t, "image/jpeg", answer.Header().Get("Content-Type"))
	assertUncached(t, answer.Header())
}

func TestTheInboxShowsFaceAndAgeOfWhomItMay(t *testing.T) {
	o := open(t)
	received(t, o)
	list := inboxLink(t, o)
	shown := get(o, list).Body.String()
	assert.Len(t, htmltest.Read(t, shown).Find("ol img"), 1, "the adult's face")
	has(t, htmltest.Read(t, shown).Text("main"), "Ana Souza (27)")
	require.NoError(t, o.intake.ConfirmByHand(t.Context(), "c0c003", "Helena"))
	shown = get(o, list).Body.String()
	assert.Len(t, htmltest.Read(t, shown).Find("ol img"), 2)
	has(t, htmltest.Read(t, shown).Text("main"), "Saoirse Daly (14)")

	messages := get(o, list+"&kind=message").Body.String()
	has(t, messages, "Best Management", "Éva &lt;Nagy&gt;", "Enquiries: 1", "Applications: 2")
	assert.NotContains(t, messages, "Ana Souza")
	assert.NotContains(t, get(o, list+"&kind=application").Body.String(), "Nagy")
}

func TestTheListsFacesAreSmall(t *testing.T) {
	o := open(t)
	for id, preview := range map[string]string{"a0a002": "small", "c0c003": ""} {
		file := agency.File{Field: "image_3", Data: []byte("\xff\xd8\xff a photo"), Preview: []byte(preview)}
		require.NoError(t, o.intake.Receive(t.Context(),
			agency.Submission{ID: id, Kind: agency.GetScouted, Files: []agency.File{file}}))
	}
	faces := htmltest.Read(t, get(o, inboxLink(t, o)).Body.String()).Attrs("ol img", "src")
	require.Len(t, faces, 2)
	for _, face := range faces {
		want := "\xff\xd8\xff a photo" // of another client, without a preview
		if strings.Contains(face, "a0a002") {
			want = "small"
		}
		answer := get(o, face)
		assert.Equal(t, want, answer.Body.String())
		assert.Equal(t, "image/jpeg", answer.Header().Get("Content-Type"))
		assertUncached(t, answer.Header())
	}
}

func TestASubmissionLeadsBackToTheListAndToItsNeighbours(t *testing.T) {
	o := open(t)
	received(t, o)
	list := inboxLink(t, o)
	links := func(page string) []string { return htmltest.Read(t, page).Attrs("nav a", "href") }
	ana := listedLink(t, o, "a0a002")
	walk := links(get(o, ana).Body.String())
	require.Len(t, walk, 2, "the message is no neighbour of an application")
	assert.Equal(t, list, walk[0])
	assert.Equal(t, listedLink(t, o, "c0c003"), walk[1])
	alone := linkTo(t, o, "a0a002")
	assert.Empty(t, links(get(o, alone).Body.String()), "a link of a mail does not open the list")
	assert.Empty(t, links(get(o, alone+"&list=1999999999.x").Body.String()), "nor does another key")
	done := o.post(ana, map[string]string{"action": "done"})
	assert.Equal(t, ana, done.Header().Get("Location"))
	assert.Len(t, links(get(o, listedLink(t, o, "c0c003")).Body.String()), 1, "what is answered is passed over")
}

func TestAnEnquiryShowsWhomItIsAbout(t *testing.T) {
	o := open(t)
	require.NoError(t, o.intake.Receive(t.Context(), agency.Submission{
		ID: "e0e009", Kind: agency.Contact, Fields: []agency.Field{
			{Name: "name", Value: "Éva Nagy"}, {Name: "email", Value: "eva@example.com"},
			{Name: "message", Value: "Two days in May – https://best.example/models/9/nobody\n\nAbout:\n" +
				"Benedita Nascimento – https://best.example/models/101/benedita-nascimento\n\nThe job:\nCity: Porto"},
		},
	}))
	page := get(o, linkTo(t, o, "e0e009")).Body.String()
	about := htmltest.Read(t, page).Attrs("ul[aria-labelledby] a", "href")
	assert.Equal(t, []string{"/models/101/benedita-nascimento"}, about)
	has(t, page, "Two days in May – https://best.example/models/9/nobody", "The job:\nCity: Porto")
	assert.NotContains(t, page, "https://best.example/models/101/")
}

func TestTheInboxShowsFacesInTheOrderOfTheAnswers(t *testing.T) {
	o := open(t)
	require.NoError(t, o.intake.Receive(t.Context(), agency.Submission{
		ID: "e0e009", Kind: agency.Contact, Fields: []agency.Field{
			{Name: "name", Value: "Éva Nagy"}, {Name: "email", Value: "eva@example.com"},
			{Name: "message", Value: "Shortlist: Maison Ferrand\n\nNo:\nis what I say to snow.\n\n" +
				"Yes:\nBenedita Nascimento – https://best.example/models/101/benedita-nascimento\n" +
				"    Loved <her>.\n\n" +
				"No:\nNobody – https://best.example/models/9/nobody\n" + lineOf(t, o, "104") + "\n"},
		},
	}))
	shown := func(headers ...string) htmltest.Page {
		return htmltest.Read(t, get(o, linkTo(t, o, "e0e009"), headers...).Body.String())
	}
	page := shown()
	faces := page.Attrs("main ul[aria-labelledby] a", "href")
	require.Len(t, faces, 2)
	assert.Equal(t, "/models/101/benedita-nascimento", faces[0])
	assert.Contains(t, faces[1], "/104/")
	assert.Equal(t, []string{"Yes", "No"}, page.Words("main h2")[:2])
	has(t, page.Text("ul[aria-labelledby]"), "Loved <her>.")
	text := page.Text(".inbox__fields")
	has(t, text, "Shortlist: Maison Ferrand", "No: is what I say to snow.", "No: Nobody – https://")
	lacks(t, text, "Yes:", "Loved", "/101/")
	assert.Equal(t, []string{"Sim", "Não"}, shown("Accept-Language", "pt").Words("main h2")[:2])
}

// lineOf is the line of a message about a talent.
func lineOf(t *testing.T, o *formsSite, id string) string {
	t.Helper()
	sent := answerTo(o, newRequest(http.MethodPost, "/contact", url.Values{
		"name": {"A"}, "email": {"a@b.example"}, "phone": {"12345"}, "message": {"m"}, "ids": {id},
	}.Encode(), "Content-Type", formType))
	require.Equal(t, http.StatusSeeOther, sent.Code)
	lines := strings.Split(messageOf(t, o), "\n")
	return lines[len(lines)-1]
}

func TestABookerCorrectsTheAdultsAddress(t *testing.T) {
	o := open(t)
	received(t, o)
	page := linkTo(t, o, "c0c003")
	change := func(address string) *httptest.ResponseRecorder {
		return o.post(page, map[string]string{"action": "guardian", "responsible_email": address})
	}
	wrong := change("orla@")
	assert.Equal(t, http.StatusUnprocessableEntity, wrong.Code)
	has(t, wrong.Body.String(), `value="orla@"`, `id="responsible_email-error"`)
	require.Equal(t, http.StatusSeeOther, change("rosa@example.com").Code)
	has(t, get(o, page).Body.String(), "mailto:rosa@example.com", "and the new link goes there")
	require.NoError(t, o.intake.ConfirmByHand(t.Context(), "c0c003", "Helena"))
	assert.Equal(t, http.StatusNotFound, change("late@example.com").Code)
	assert.NotContains(t, get(o, page).Body.String(), "responsible_email", "it is confirmed")
}

func TestAPersonWhoOpensASubmissionIsWrittenDownOnceAnHour(t *testing.T) {
	o := open(t)
	received(t, o)
	page := linkTo(t, o, "e0e001")
	opened := func() int {
		history, err := o.intake.History(t.Context(), "e0e001")
		require.NoError(t, err)
		return len(history)
	}
	answerTo(o, newRequest(http.MethodHead, page, ""))
	get(o, page, "Sec-Purpose", "prefetch")
	assert.Zero(t, opened(), "machines")
	for range 3 {
		get(o, page)
	}
	assert.Equal(t, 1, opened())
	o.now = o.now.Add(time.Hour)
	get(o, page)
	assert.Equal(t, 2, opened())
	assert.Equal(t, http.StatusNotFound,
		o.post(linkTo(t, o, "a0a002"), map[string]string{"action": "confirm", "by": "Helena"}).Code, "an adult's")
}

func TestWhatIsDoneWithASubmissionIsWrittenDown(t *testing.T) {
	o := open(t)
	received(t, o)
	page := linkTo(t, o, "e0e001")
	require.Equal(t, http.StatusOK, get(o, page).Code)
	for _, action := range []string{"done", "open", "done", "nonsense"} {
		answer := o.post(page, map[string]string{"action": action})
		assert.Equal(t, http.StatusSeeOther, answer.Code)
		assert.Equal(t, page, answer.Header().Get("Location"))
		assertUncached(t, answer.Header())
		o.now = o.now.Add(time.Minute)
	}
	assert.NotContains(t, get(o, inboxLink(t, o)).Body.String(), "Nagy", "the list has what is to do")
	assert.Contains(t, get(o, inboxLink(t, o)+"&all=1").Body.String(), "Nagy")
	var shown bytes.Buffer
	require.NoError(t, o.intake.Show(t.Context(), &shown, "e0e001"))
	assert.Regexp(t, `(?s)history +2026-11-21T12:00:03Z opened in the browser.* done\n.* open again\n.* done\n`,
		shown.String())

	erased := o.post(page, map[string]string{"action": "erase"})
	assert.Equal(t, http.StatusOK, erased.Code)
	assertUncached(t, erased.Header())
	assert.Equal(t, http.StatusNotFound, get(o, page).Code)
	assert.Len(t, o.storedSubmissions(), 2)
}

func messageOf(t *testing.T, o *formsSite) string {
	t.Helper()
	require.Len(t, o.storedSubmissions(), 1)
	fields := o.storedSubmissions()[0].Fields
	require.Len(t, fields, 4, "the panel's four fields are unchanged")
	return fields[3].Value
}
