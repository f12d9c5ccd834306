package handlers_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/i18n"
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

	admitted := get(site, routes.Copy+"?only=open&token=the+editors'+own+token")
	assert.Equal(t, http.StatusSeeOther, admitted.Code)
	assert.Equal(t, routes.Copy+"?only=open", admitted.Header().Get("Location"),
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

	working := demoSite(t, func(s *handlers.Services) { s.EditorsOpen = true })
	assert.Equal(t, http.StatusOK, get(working, routes.Copy).Code, "where only editors come no token is needed")
	here := newRequest(http.MethodGet, routes.Copy, "")
	here.RemoteAddr, here.Host = "127.0.0.1:9", "localhost:8080"
	opened := answerTo(demoSite(t), here)
	assert.Equal(t, http.StatusOK, opened.Code, "nor for a request of this machine itself")
	elsewhere := get(demoSite(t), routes.Copy, cookies(opened)...)
	assert.Equal(t, http.StatusNotFound, elsewhere.Code, "whose cookie opens nothing elsewhere")
	https := demoSite(t, withPreview, func(s *handlers.Services) { s.HTTPS = func(*http.Request) bool { return true } })
	admitted = get(https, routes.Copy+"?token="+url.QueryEscape(previewToken))
	assert.Regexp(t, `^__Host-preview=[^;]+; Path=/; .*HttpOnly; Secure`, admitted.Header().Get("Set-Cookie"))
	assert.Equal(t, http.StatusOK, get(https, routes.Copy, cookies(admitted)...).Code)
}

func TestTheViewShowsEveryTextInThreeLanguages(t *testing.T) {
	all := editor(t, demoSite(t, withPreview))(routes.Copy).Body.String()
	for _, key := range i18n.Of(i18n.EN).Keys() {
		require.Contains(t, all, `<tr id="`+key+`">`)
	}
	has(t, all, "Become a Model", "Seja modelo", "Sé modelo")
	assert.Less(t, strings.Index(all, `id="filter.fluid"`),
		strings.Index(all, `id="apply.about"`), "texts identical to the English are listed first")
}

func TestOnlyEditorsSeeKeysInPlace(t *testing.T) {
	site, fake := fakeSite(t, smallAgency, withPreview)
	open := editor(t, site)
	ana := fake.Content().Talents[0]
	for path, texts := range map[string][]string{
		"/": {"Become a Model [nav.apply]", "<title>Home [home.title] – "},
		table.Talent(texts.In(i18n.PT), &ana): {
			"Seja modelo [nav.apply]", `aos favoritos [card.save]"`,
		},
		"/es/contact":            {"Sé modelo [nav.apply]"},
		"/be-a-model":            {"Become a Model [nav.apply]"},
		"/models/nothing/at/all": {"[error.404]"},
	} {
		keyed := open(path + "?copy=keys")
		has(t, keyed.Body.String(), texts...)
		assert.Equal(t, get(site, path).Code, keyed.Code, path)
		assert.Contains(t, keyed.Header().Get("Cache-Control"), "no-store", path)
		assert.Contains(t, keyed.Header().Get("X-Robots-Tag"), "noindex", path)
		assert.NotContains(t, get(site, path+"?copy=keys").Body.String(), "[nav.", "%s to other visitors", path)
	}
}
