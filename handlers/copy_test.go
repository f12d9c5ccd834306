package handlers_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/copydesk"
	"zedcard/internal/routes"
)

const previewToken = "the editors' own token"

func withPreview(s *handlers.Services) { s.PreviewToken = previewToken }

// editor opens addresses with the cookie that the token is exchanged for.
func editor(t *testing.T, site http.Handler) func(path string) *httptest.ResponseRecorder {
	t.Helper()
	admitted := get(site, routes.Copy+"?token="+url.QueryEscape(previewToken))
	require.Len(t, admitted.Result().Cookies(), 1)
	return func(path string) *httptest.ResponseRecorder { return get(site, path, cookies(admitted)...) }
}

func TestOnlyEditorsOpenTheCopyDesk(t *testing.T) {
	site := demoSite(t, withPreview)
	notFound := get(site, "/nothing-here").Code
	require.Equal(t, http.StatusNotFound, notFound)
	assert.Equal(t, notFound, get(demoSite(t), routes.Copy).Code, "not found when no token is configured")
	assert.Equal(t, notFound, get(demoSite(t), routes.Copy+"?token=").Code)
	assert.Equal(t, notFound, get(site, routes.Copy).Code, "not found when the request has no token")
	assert.Equal(t, notFound, get(site, routes.Copy+"?token=guess").Code)
	assert.Empty(t, get(site, routes.Copy+"?token=guess").Result().Cookies())

	admitted := get(site, routes.Copy+"?screen=about&token=the+editors'+own+token")
	assert.Equal(t, http.StatusSeeOther, admitted.Code)
	assert.Equal(t, routes.Copy+"?screen=about", admitted.Header().Get("Location"),
		"the redirect removes the token from the address")
	assert.Equal(t, "no-store", admitted.Header().Get("Cache-Control"))
	cookie := admitted.Result().Cookies()[0]
	assert.True(t, cookie.HttpOnly)
	assert.Equal(t, http.SameSiteLaxMode, cookie.SameSite)
	assert.NotContains(t, cookie.Value, "editors")

	page := editor(t, site)(routes.Copy)
	assert.Equal(t, http.StatusOK, page.Code)
	assert.Equal(t, "private, no-store", page.Header().Get("Cache-Control"))
	assert.Contains(t, page.Header().Get("X-Robots-Tag"), "noindex")

	other := demoSite(t, withPreview, func(s *handlers.Services) { s.PreviewToken = "a new token" })
	assert.Equal(t, notFound, get(other, routes.Copy, cookies(admitted)...).Code,
		"cookies of an old token are refused after it changes")

	working := demoSite(t, func(s *handlers.Services) { s.Site.Dev = true })
	assert.Equal(t, http.StatusOK, get(working, routes.Copy).Code, "under make dev no token is needed")
}

func TestTheViewShowsEveryTextInThreeLanguagesWithItsScreens(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	site := demoSite(t, withPreview)
	open := editor(t, site)
	all := open(routes.Copy).Body.String()
	for _, key := range i18n.Keys(i18n.EN) {
		require.Contains(t, all, `<tr id="`+key+`">`)
	}
	has(t, all, "Become a model", "Seja modelo", "Sé modelo", `href="/pt/contato?copy=keys"`, "views/layout.templ")
	assert.Less(t, strings.Index(all, `id="filter.fluid"`),
		strings.Index(all, `id="apply.about"`), "texts identical to the English are listed first")

	about := open(routes.Copy + "?screen=about").Body.String()
	assert.Contains(t, about, `id="about.about"`)
	assert.NotContains(t, about, `id="apply.realname"`)
	assert.NotContains(t, open(routes.Copy+"?only=open").Body.String(), `id="apply.realname"`)

	shown := regexp.MustCompile(`href="([^"]+copy=keys)"`)
	seen := map[string]bool{}
	for _, found := range shown.FindAllStringSubmatch(all, -1) {
		address := strings.ReplaceAll(found[1], "&amp;", "&")
		if !seen[address] && !strings.Contains(address, "/0/0") {
			seen[address] = true
			assert.Equal(t, http.StatusOK, open(address).Code, address)
		}
	}
	assert.Greater(t, len(seen), 30)
}

// elements matches tags, with what is added for editors.
var (
	elements = regexp.MustCompile(
		`(?s)<script.*?</script>|<head>.*?</head>|<aside class="copy-found".*?</aside>|<[^>]*>`)
	private = regexp.MustCompile("[\uE000-\uF8FF]")
)

func TestOnlyEditorsSeeKeysInPlace(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	site, fake := fakeSite(t, smallAgency, withPreview)
	open := editor(t, site)
	ana := fake.Content().Talents[0]
	for _, lang := range i18n.Langs() {
		for path, keys := range map[string][]string{
			routes.Path(lang, routes.Home): {"home.title", "nav.creative"},
			routes.Path(lang, routes.Models): {
				"list.count.other", "card.save", "measure.height", "finder.name",
			},
			routes.Talent(lang, &ana): {
				"profile.composite", "lightbox.zoom-in", "measure.bust",
			},
			routes.Path(lang, routes.Contact): {
				"contact.lede", "form.trap", "contact.sending",
			},
			routes.Path(lang, routes.Apply):                              {"apply.realname", "form.choose"},
			routes.TalentsPath(lang, routes.Compare, []string{"1", "2"}): {"measure.dress", "measure.suit"},
			routes.PostPath(lang, "news", "post-1"):                      {"blog.related"},
			routes.Path(lang, routes.Models) + "/nothing/at/all":         {"error.404"},
		} {
			plain, keyed := get(site, path), open(copydesk.WithKeys(path))
			body := keyed.Body.String()
			assert.Equal(t, plain.Code, keyed.Code, path)
			assert.Contains(t, keyed.Header().Get("Cache-Control"), "no-store", path)
			assert.Contains(t, keyed.Header().Get("X-Robots-Tag"), "noindex", path)
			assert.NotRegexp(t, private, body, path)
			assert.Equal(t, words(plain.Body.String()), words(body),
				"%s has the same words with and without keys", path)
			assert.True(t, strings.Contains(body, `<zed-copy key="nav.menu">`), path)
			for _, key := range append(keys, "nav.menu") {
				assert.True(t, strings.Contains(body, routes.Copy+"#"+key+`"`),
					"%s links to the copy desk's entry of %s", path, key)
			}

			others := get(site, copydesk.WithKeys(path)).Body.String()
			assert.Equal(t, words(plain.Body.String()), words(others), "%s shows no keys to other visitors", path)
			assert.False(t, strings.Contains(others, "copy=keys") || strings.Contains(others, routes.Copy), path)
		}
	}
}

// words is the text of a page, without its tags.
func words(page string) string {
	return strings.Join(strings.Fields(elements.ReplaceAllString(page, "")), " ")
}
