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

func TestCompositesOfAShortlistComeInOneZip(t *testing.T) {
	site := rosterSite(t, testkit.Talents(30))
	answer := get(site, "/favorites/composites?ids=3,1,unknown")
	require.Equal(t, http.StatusOK, answer.Code)
	assert.Equal(t, "attachment; filename=Favourites-Best-Management.zip", answer.Header().Get("Content-Disposition"))
	_, err := zip.NewReader(bytes.NewReader(answer.Body.Bytes()), int64(answer.Body.Len()))
	require.NoError(t, err)
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
