package handlers_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/routes"
)

const previewToken = "the editors' own token"

func withPreview(s *handlers.Services) { s.PreviewToken = previewToken }

func TestACookieOfAnEditorOpensItsOwnSiteOnly(t *testing.T) {
	const admit = routes.Copy + "?token=the+editors'+own+token"
	admitted := get(demoSite(t, withPreview), admit)
	other := demoSite(t, withPreview, func(s *handlers.Services) { s.PreviewToken = "a new token" })
	assert.Equal(t, http.StatusNotFound, get(other, routes.Copy, cookies(admitted)...).Code, "of an old token")
	here := newRequest(http.MethodGet, routes.Copy, "")
	here.RemoteAddr, here.Host = "127.0.0.1:9", "localhost:8080"
	opened := answerTo(demoSite(t), here)
	assert.Equal(t, http.StatusOK, opened.Code, "a request of this machine itself needs no token")
	assert.Equal(t, http.StatusNotFound, get(demoSite(t), routes.Copy, cookies(opened)...).Code, "but elsewhere")
	https := demoSite(t, withPreview, func(s *handlers.Services) { s.HTTPS = func(*http.Request) bool { return true } })
	admitted = get(https, admit)
	assert.Regexp(t, `^__Host-preview=[^;]+; Path=/; .*HttpOnly; Secure`, admitted.Header().Get("Set-Cookie"))
	assert.Equal(t, http.StatusOK, get(https, routes.Copy, cookies(admitted)...).Code)
}

func TestTheViewShowsEveryText(t *testing.T) {
	all := get(demoSite(t, func(s *handlers.Services) { s.EditorsOpen = true }), routes.Copy).Body.String()
	for _, key := range i18n.Of(i18n.EN).Keys() {
		require.Contains(t, all, `<tr id="`+key+`">`)
	}
}
