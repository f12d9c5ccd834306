package handlers_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/internal/testkit"
	"zedcard/internal/testkit/htmltest"
)

// visitor is a browser without JavaScript: it stores cookies and posts forms.
type visitor struct {
	site    http.Handler
	cookies map[string]*http.Cookie
}

func (v *visitor) ask(r *http.Request) *httptest.ResponseRecorder {
	for _, cookie := range v.cookies {
		r.AddCookie(cookie)
	}
	w := answerTo(v.site, r)
	for _, cookie := range w.Result().Cookies() {
		if cookie.MaxAge < 0 {
			delete(v.cookies, cookie.Name)
		} else {
			v.cookies[cookie.Name] = cookie
		}
	}
	return w
}

func (v *visitor) get(path string) *httptest.ResponseRecorder {
	return v.ask(newRequest(http.MethodGet, path, ""))
}

func (v *visitor) post(pairs ...string) *httptest.ResponseRecorder {
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return v.ask(newRequest(http.MethodPost, "/favorites", form.Encode(),
		"Content-Type", formType))
}

func newVisitor(site http.Handler) *visitor { return &visitor{site, map[string]*http.Cookie{}} }

func talentsOf(t *testing.T, page *httptest.ResponseRecorder) []string {
	t.Helper()
	return htmltest.Read(t, page.Body.String()).Attrs("[data-talent]", "data-talent")
}

func TestWithoutFavoritesThereIsNoCookieAndPagesAreCacheable(t *testing.T) {
	v := newVisitor(demoSite(t))
	for _, path := range []string{"/models", "/favorites", "/favorites?ids=101,102", "/favorites/compare?ids=101,102"} {
		answer := v.get(path)
		require.Equal(t, http.StatusOK, answer.Code, path)
		assert.Empty(t, answer.Header().Values("Set-Cookie"), path)
		assert.Contains(t, answer.Header().Get("Cache-Control"), "public", path)
	}
	for _, form := range [][]string{{"clear", "all"}, {"remove", "101"}, {"save", "(…)"}, {"save", ""}, {}} {
		assert.Empty(t, v.post(form...).Header().Values("Set-Cookie"), form)
	}
}

func TestWithoutJavaScriptTheShortlistIsInASession(t *testing.T) {
	v := newVisitor(demoSite(t))
	saved := v.post("save", "103", "from", "/models/women?letter=A")
	assert.Equal(t, http.StatusSeeOther, saved.Code)
	assert.Equal(t, "/models/women?letter=A#t103", saved.Header().Get("Location"))
	cookie := v.cookies["shortlist"]
	require.NotNil(t, cookie)
	assert.True(t, cookie.HttpOnly)
	assert.False(t, cookie.Secure, "the cookie is not Secure over plain HTTP")
	assert.Equal(t, http.SameSiteLaxMode, cookie.SameSite)

	v.post("save", "101")
	v.post("save", "103")
	own := v.get("/favorites")
	assert.Equal(t, []string{"103", "101"}, talentsOf(t, own), "newest first, each once")
	assert.Equal(t, "private, no-cache", own.Header().Get("Cache-Control"))
	assert.Contains(t, own.Header().Values("Vary"), "Cookie")
	assert.Contains(t, own.Body.String(), `href="/contact?ids=103,101"`)
	assert.Contains(t, v.get("/models").Body.String(), `name="remove" aria-pressed="true" value="101"`)

	v.post("keep", "104,101,105")
	assert.Equal(t, []string{"103", "101", "104", "105"}, talentsOf(t, v.get("/favorites")))
	v.post("remove", "101")
	assert.Equal(t, []string{"103", "104", "105"}, talentsOf(t, v.get("/favorites")))
	v.post("clear", "all")
	assert.Empty(t, v.cookies, "removing the last talent deletes the cookie")
	assert.Empty(t, talentsOf(t, v.get("/favorites")))
}

func TestAHeartIsOfAFormThatHasArrivedBeforeIt(t *testing.T) {
	page := get(demoSite(t), "/models/women").Body.String()
	form := strings.Index(page, `<form id="hearts"`)
	require.Positive(t, form)
	assert.Less(t, form, strings.Index(page, `form="hearts"`))
}

func TestSavingRedirectsOnlyWithinTheSite(t *testing.T) {
	v := newVisitor(demoSite(t))
	for _, from := range []string{
		"https://evil.example", "//evil.example", `/\evil.example`, "/\t/evil.example", "", "evil",
	} {
		assert.Equal(t, "/favorites", v.post("save", "101", "from", from).Header().Get("Location"), from)
	}
}

func TestASessionSurvivesKeyRotationAndForgedOnesAreIgnored(t *testing.T) {
	with := func(keys ...string) http.Handler {
		return demoSite(t, func(s *handlers.Services) {
			s.Keys = func(context.Context) (all [][]byte, err error) {
				for _, key := range keys {
					all = append(all, []byte(key))
				}
				return all, nil
			}
		})
	}
	v := newVisitor(with("old"))
	v.post("save", "101")
	v.site = with("new", "old")
	assert.Equal(t, []string{"101"}, talentsOf(t, v.get("/favorites")))
	v.site = with("new")
	assert.Empty(t, talentsOf(t, v.get("/favorites")), "a cookie signed with a removed key is ignored")
	v.post("save", "102")
	assert.Equal(t, []string{"102"}, talentsOf(t, v.get("/favorites")), "saving starts a new shortlist")
}

func TestWithoutKeysPagesAreShownAndSavingIsUnavailable(t *testing.T) {
	site := demoSite(t)
	v := newVisitor(site)
	v.post("save", "101")
	v.site = demoSite(t, func(s *handlers.Services) {
		s.Keys = func(context.Context) ([][]byte, error) {
			return nil, fmt.Errorf("database: %w", agency.ErrUnavailable)
		}
	})
	assert.Equal(t, http.StatusOK, v.get("/models").Code)
	assert.Equal(t, http.StatusServiceUnavailable, v.post("save", "102").Code)
	v.site = site
	assert.Equal(t, []string{"101"}, talentsOf(t, v.get("/favorites")), "the shortlist is unchanged")
}

func TestALongShortlistIsTruncatedToTheCookieSize(t *testing.T) {
	v := newVisitor(demoSite(t))
	var ids []string
	for i := range 500 {
		ids = append(ids, fmt.Sprintf("unknown-%06d", i))
	}
	require.Equal(t, http.StatusSeeOther, v.post("keep", "101,"+strings.Join(ids, ",")).Code)
	assert.LessOrEqual(t, len(v.cookies["shortlist"].Value), 4096)
	assert.Equal(t, []string{"101"}, talentsOf(t, v.get("/favorites")))
}

func TestASharedShortlistShowsAHundredTalentsAndSaysThatThereAreMore(t *testing.T) {
	talents := testkit.Talents(120)
	ids := ""
	for i := range talents {
		ids += talents[i].ID + ","
	}
	page := get(rosterSite(t, talents), "/favorites?ids="+ids)
	assert.Len(t, talentsOf(t, page), 100)
	assert.Contains(t, page.Body.String(), "8 more profiles on this shortlist are not shown.", "12 are on no board")
}

func TestASharedShortlistShowsTheSameToAnyone(t *testing.T) {
	site := demoSite(t)
	v := newVisitor(site)
	v.post("save", "101")
	for _, query := range []string{"ids=104,102,103", "ids=104&ids=102,103,104", "ids=104,%20102,,103"} {
		page := v.get("/favorites?" + query)
		assert.Equal(t, []string{"104", "102", "103"}, talentsOf(t, page), query)
		has(t, page.Body.String(), "Shortlist shared with you", `content="noindex"`)
	}
	for path, says := range map[string]string{
		"/es/favorites?ids=104":          `hreflang="pt" href="https://best.example/pt/favorites?ids=104"`,
		"/favorites?ids=101,none":        "1 profile on this shortlist is no longer available.",
		"/favorites?ids=%3Cscript%3E":    "None of these profiles is available",
		"/favorites?ids=%E2%80%A6.":      "The address of this shortlist can’t be read",
		"/favorites?ids":                 "The address of this shortlist can’t be read",
		"/favorites/compare?ids=%28%29.": "The address of this shortlist can’t be read",
	} {
		assert.Contains(t, get(site, path).Body.String(), says, path)
	}
}

// Programs for chat and mail escape an address again, or put their own signs around it.
func TestAnAddressThatAProgramMangledShowsWhomItHolds(t *testing.T) {
	site := demoSite(t)
	for _, query := range []string{
		"ids=101,102,103.", "ids=101,102,103)", "ids=(101,102,103),", "ids=%3C101,102,103%3E", "ids=101;102;103",
		"ids=101,%0D%0A102,%0A103", "ids=101+102%20103", "ids=101,102,10%E2%80%8B3%E2%80%8B", "ids=101,102,103%",
		"ids=101%252C102%252C103", "ids%3D101%2C102%2C103", "ids%253D101%252C102%252C103&fbclid=x",
		"amp;ids=101,102,103", "a=b&amp;ids=101,102,103", "a=b&amp%3Bids=101,102,103&amp;c",
		"a%3Db%26amp%3Bids%3D101%2C102%2C103",
	} {
		page := get(site, "/favorites?"+query)
		assert.Equal(t, []string{"101", "102", "103"}, talentsOf(t, page), query)
		lacks(t, page.Body.String(), "longer available")
		assert.Equal(t, []string{"101", "102", "103"}, talentsOf(t, get(site, "/favorites/compare?"+query)), query)
		has(t, get(site, "/contact?"+query).Body.String(), `name="ids" value="101"`, `name="ids" value="103"`)
		assert.Equal(t, http.StatusOK, get(site, "/favorites/composites?"+query).Code, query)
	}
	for _, query := range []string{
		"ids=101&amp;for=H%26M", "ids%3D101%26for%3DH%2526M", "ids=101&for=H%2526M",
	} {
		assert.Contains(t, get(site, "/favorites?"+query).Body.String(), ">For H&amp;M</h1>", query)
	}
}

func TestCompositesOfAShortlistComeInOneZip(t *testing.T) {
	site := rosterSite(t, testkit.Talents(30))
	answer := get(site, "/favorites/composites?ids=3,1,unknown")
	require.Equal(t, http.StatusOK, answer.Code)
	assert.Equal(t, "attachment; filename=Favourites-Best-Management.zip", answer.Header().Get("Content-Disposition"))
	_, err := zip.NewReader(bytes.NewReader(answer.Body.Bytes()), int64(answer.Body.Len()))
	require.NoError(t, err)
	assert.Equal(t, http.StatusNotFound, get(site, "/favorites/composites").Code)
	assert.Equal(t, http.StatusNotFound, get(site, "/favorites/composites?ids=unknown").Code)
}

func TestACompareFormHasOneAddressAndFourTalentsAtMost(t *testing.T) {
	site := demoSite(t)
	for query, to := range map[string]string{"&q=a%20b": "&q=a+b", "": ""} {
		to := "/favorites/compare?ids=101,102" + to
		assert.Equal(t, to, get(site, "/favorites/compare?ids=101&ids=102"+query).Header().Get("Location"))
	}
	for query, want := range map[string]struct{ shown, says string }{
		"ids=101,102,103,104,105": {"101,102,103,104", "You can compare four profiles at most. Left out: "},
		"ids=101":                 {"101", ""}, // the first of a line-up
	} {
		page := get(site, "/favorites/compare?"+query)
		assert.Equal(t, want.shown, strings.Join(talentsOf(t, page), ","), query)
		assert.Contains(t, page.Body.String(), want.says)
	}
}

func TestCompareTakesTheFirstFourOfAShortlist(t *testing.T) {
	v := newVisitor(demoSite(t))
	for asked, address := range map[string]string{
		"106,105,104,103,102,101": "106,105,104,103",
		"128,106,139,105":         "128,106,139,105", // whom the line-up will leave out, and name
		"128,121,139,106":         "",                // one alone is no comparison
	} {
		page := v.get("/favorites?ids=" + asked).Body.String()
		link := `href="/favorites/compare?ids=` + address + "&amp;list=" + asked + `"`
		assert.Equal(t, address != "", strings.Contains(page, link), asked)
		assert.Equal(t, address != "", strings.Contains(page, "/favorites/compare"), asked)
	}
	v.post("keep", "104,101")
	wall := v.get("/favorites/compare")
	assert.Equal(t, []string{"104", "101"}, talentsOf(t, wall), "without a script, the session's")
}

func TestTheComparisonStatesHeightDifferences(t *testing.T) {
	page := html.UnescapeString(get(demoSite(t), "/favorites/compare?ids=101,102,103").Body.String())
	labels := strings.Join(htmltest.Read(t, page).Attrs("svg [aria-label], svg[aria-label]", "aria-label"), "; ")
	assert.Regexp(t, `^Benedita Nascimento, 179\x{00a0}cm; .+, \d+\x{00a0}cm, [+−]\d+\x{00a0}cm; .+`, labels)
	has(t, page, `href="/favorites/compare?ids=101,103">Take out`,
		`href="/contact?ids=101,102,103"`, `action="/favorites/pack"`, `name="ids" value="101,102,103"`,
		", photo 3 of 3") // the snaps are shown side by side
}

func TestATalentWithoutAHeightIsComparedAndLabelled(t *testing.T) {
	site := rosterSite(t, []agency.Talent{
		{ID: "1", Name: "Ana", Gender: agency.Woman, Categories: models},
		{ID: "2", Name: "Bia", Gender: agency.Woman, Categories: models, Measures: agency.Measures{Height: "152"}},
		{ID: "3", Name: "Cai", Gender: agency.Man, Categories: models, Measures: agency.Measures{Height: "198.5"}},
	})
	page := html.UnescapeString(get(site, "/favorites/compare?ids=1,2,3").Body.String())
	assert.Contains(t, page, `aria-label="Ana, height not given"`)
	assert.Contains(t, page, "aria-label=\"Cai, 198.5\u00a0cm, +46.5\u00a0cm\"",
		"differences are relative to the first talent with a height")
	has(t, page, ">140<", ">150<", ">200<")
	assert.NotContains(t, page, "<image", "without crown and ground nothing is drawn to scale")
}

func TestALineupPlacesNobodyBesideWhomTheyDoNotBelong(t *testing.T) {
	site := demoSite(t)
	for _, want := range []struct{ asked, shown, says string }{
		{"128,101,121", "101", "Left out: Lia Sampaio, Bento Carvalho."},
		{"128,121", "", "Left out: Lia Sampaio, Bento Carvalho."},
		{"139,101,102", "101,102", "Left out: Paolo Santacroce."},
		{"139,140", "", "Left out: Paolo Santacroce, "},
	} {
		page := get(site, "/favorites/compare?ids="+want.asked)
		assert.Equal(t, want.shown, strings.Join(talentsOf(t, page), ","), want.asked)
		assert.Contains(t, page.Body.String(), want.says)
		assert.Equal(t, want.says != "", strings.Contains(page.Body.String(), "Left out"), want.asked)
	}
}

func TestOneMoreIsFoundByNameForALineup(t *testing.T) {
	site := demoSite(t)
	const lineup = "/favorites/compare?ids=101,102&q="
	find := func(name string) string { // while it is typed
		return html.UnescapeString(get(site, lineup+name, "HX-Request-Type", "partial").Body.String())
	}
	assert.Contains(t, find("lind"), `href="/favorites/compare?ids=101,102,103"`)
	assert.NotContains(t, find("lia"), "ids=101,102,128", "a child is not offered beside adults")
	assert.Contains(t, find("nascimento"), "Nobody called “nascimento” to add.", "she is there already")
	entered := get(site, lineup+"lind")
	assert.Equal(t, http.StatusSeeOther, entered.Code, "the only one found is added")
	assert.Equal(t, "/favorites/compare?ids=101,102,103", entered.Header().Get("Location"))
}

// The crown is at the line of the height, the heels on the floor.
func TestAFigureOfTheLineupIsToScale(t *testing.T) {
	page := get(demoSite(t), "/favorites/compare?ids=101,108").Body.String()
	for _, cm := range []float64{179, 193} { // crowns and grounds are those of their talent.yaml
		fractions := map[float64][2]float64{179: {.1114, .9525}, 193: {.0435, .95}}[cm]
		height := cm / (fractions[1] - fractions[0])
		has(t, page, fmt.Sprintf(`y="%.2f"`, -height*fractions[1]), fmt.Sprintf(` height="%.2f"></image>`, height))
	}
}

func TestTheCookieIsBoundToTheHostUnderHTTPS(t *testing.T) {
	site := demoSite(t)
	save := func(id string, headers ...string) *httptest.ResponseRecorder {
		return post(site, origin+"/favorites", map[string]string{"save": id}, headers...)
	}
	first := save("101")
	cookie := first.Header().Get("Set-Cookie")
	assert.Regexp(t, `^__Host-shortlist=[^;]+; Path=/; .*HttpOnly; Secure; SameSite=Lax$`, cookie)
	assert.NotContains(t, cookie, "Domain")
	both := save("102", cookies(first)...)
	assert.Equal(t, []string{"101", "102"}, talentsOf(t, get(site, origin+"/favorites", cookies(both)...)))
	editors := get(demoSite(t, withPreview), origin+"/_copy?token="+url.QueryEscape(previewToken))
	assert.Regexp(t, `^__Host-preview=`, editors.Header().Get("Set-Cookie"))
}

func TestTheBarShowsTheShortlistOfTheBrowser(t *testing.T) {
	site := demoSite(t)
	bar := func(path string) string {
		answer := get(site, path)
		require.Equal(t, http.StatusOK, answer.Code, path)
		require.Contains(t, answer.Header().Get("Content-Type"), "text/html")
		assert.Contains(t, answer.Header().Values("X-Robots-Tag"), "noindex")
		return answer.Body.String()
	}
	one := bar("/favorites/dock?ids=101")
	has(t, one, "1 on the shortlist", `href="/favorites"`, `href="/contact?ids=101"`, `value="all"`, "data-hide",
		`data-shown="101"`)
	lacks(t, one, "/compare", "Undo", "print.js", "<html")

	two := bar("/pt/favorites/dock?ids=103,101&before=103,102,101")
	has(t, two, "2 na seleção", `href="/pt/favorites/compare?ids=103,101"`, "saiu da seleção",
		`name="restore" value="103,102,101"`)

	six := bar("/favorites/dock?ids=106,105,104,103,102,101,gone")
	has(t, six, "6 on the shortlist", `href="/favorites/compare?ids=106,105,104,103"`,
		`data-shown="106,105,104,103,102,101,gone"`)
	assert.Equal(t, 5, strings.Count(six, "<img"))

	none := bar("/favorites/dock?ids=&before=101")
	has(t, none, "Benedita Nascimento removed.", `value="101"`)
	lacks(t, none, "on the shortlist", "/contact", "<details")
}

func TestTheBarIsTheSameOnThePagesOfAShortlist(t *testing.T) {
	site := demoSite(t)
	list := get(site, "/favorites?ids=101,102").Body.String()
	has(t, list, `href="/favorites/compare?ids=101,102&amp;list=101,102"`, `href="/contact?ids=101,102"`)
	lacks(t, list, `value="all"`, "data-hide", "data-own")
	wall := get(site, "/favorites/compare?ids=101,102,103,104,105").Body.String()
	has(t, wall, `href="/favorites"`, `href="/contact?ids=101,102,103,104"`, "Left out: ")
	lacks(t, wall, `value="all"`, "Undo")
	own := get(site, "/favorites?own=1&ids=&before=101").Body.String()
	has(t, own, `id="empty"`, "Benedita Nascimento removed.", `value="101"`)
}

func TestALineupOfASharedShortlistLeadsBackToIt(t *testing.T) {
	v := newVisitor(demoSite(t))
	v.post("save", "108")
	const shared, lineup = "/pt/favorites?ids=101,102,103,104,105&for=Maison+Ferrand", "/pt/favorites/compare?ids="
	const from = "&for=Maison+Ferrand&list=101,102,103,104,105"
	list := html.UnescapeString(v.get(shared).Body.String())
	assert.Contains(t, list, `href="`+lineup+"101,102,103,104"+from+`"`)
	wall := get(v.site, lineup+"101,102"+from+"&q=lind", "HX-Request-Type", "partial")
	assert.Equal(t, "private, no-store", wall.Header().Get("Cache-Control"), "it names the client")
	page := html.UnescapeString(wall.Body.String())
	has(t, page, `href="`+shared+`"`, `href="`+lineup+"102"+from+`">`, `href="`+lineup+"101,102,103"+from+`"`,
		`name="list" value="101,102,103,104,105"`)
	assert.Contains(t, v.get(lineup+"101&ids=102"+from).Header().Get("Location"), strings.ReplaceAll(from, ",", "%2C"))
	lacks(t, v.get(lineup+"101,102&list=103&for=a@b.example").Body.String(), "b.example")
}

func TestTheDockIsOnTalentScreensOnly(t *testing.T) {
	site := demoSite(t)
	for path, has := range map[string]bool{
		"/models": true, "/models/women?view=sheet": true, "/pt/models": true, "/models/101/benedita-nascimento": true,
		"/about": true, "/": false, "/favorites": false, "/favorites/compare?ids=101,102": false, "/contact": false,
		"/be-a-model": false, "/safety": false, "/nothing": false,
	} {
		assert.Equal(t, has, strings.Contains(get(site, path).Body.String(), `id="dock"`), path)
	}
}
