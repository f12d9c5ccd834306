package handlers_test

import (
	"archive/zip"
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/brand"
	"zedcard/internal/catalog"
	"zedcard/internal/folder"
	"zedcard/internal/intake"
	"zedcard/internal/picture"
	"zedcard/internal/remote"
	"zedcard/internal/routes"
	"zedcard/internal/site"
	"zedcard/internal/testkit"
	"zedcard/views"
)

// TestMain lets the test's program be the process that cleans photos, too.
func TestMain(m *testing.M) {
	picture.RunWorker()
	os.Exit(m.Run())
}

// storage serves pictures under their paths in the embedded back end; texts refer to them by these addresses.
type storage struct{}

func (storage) Print(context.Context, agency.Picture) ([]byte, error) {
	var data bytes.Buffer
	err := jpeg.Encode(&data, image.NewGray(image.Rect(0, 0, 720, 960)), nil)
	return data.Bytes(), err
}

func (storage) Sources(picture agency.Picture, _ agency.Crop, _ bool) agency.Sources {
	return agency.Sources{Src: "/storage/" + strings.TrimPrefix(picture.File, "/storage/")}
}

// What the tests' sites say, and their addresses.
var (
	texts  = i18n.New(nil, nil)
	boards = agency.NewBoards(nil)
	table  = routes.New(texts, boards)
)

// models are the categories of every model.
var models = []agency.Category{{ID: agency.ModelsID, Name: "models"}}

// newSite is the complete site over two back ends.
func newSite(
	t testing.TB, panel agency.Panel, integration interface {
		agency.Integration
		handlers.Composites
	}, options ...func(*handlers.Services),
) http.Handler {
	t.Helper()
	return siteOf(t, cached(t, panel, integration, 0), integration, options...)
}

// cached are the back ends as the site reads them. A visit waits longer than in the program, which would answer 503 on
// a busy machine.
func cached(t testing.TB, panel agency.Panel, integration agency.Integration, freshFor time.Duration) *remote.Content {
	content := remote.NewContent(panel, integration, remote.Options{
		Wait: time.Minute, FreshFor: freshFor, Languages: texts.Codes,
	})
	t.Cleanup(content.Close)
	return content
}

// catalogOf is the catalogue of a content that stays.
func catalogOf(content catalog.Content) *catalog.Catalog {
	return catalog.Open(func(context.Context) catalog.Content { return content }, catalog.Options{})
}

// siteOf is the complete site of a content.
func siteOf(
	t testing.TB, content catalog.Content, composites handlers.Composites, options ...func(*handlers.Services),
) http.Handler {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	worker := picture.NewWorker(os.Args[0])
	t.Cleanup(func() { assert.NoError(t, worker.Close()) })
	services := handlers.Services{
		Forms: handlers.Forms{Worker: worker},
		Site: views.Site{
			Site: &site.Site{
				Site: agency.Site{
					Name: "Best Management", Phone: "+351 210 000 000",
					Bookings: "bookings@best.example", Accounting: "accounting@best.example",
					PoweredBy: agency.SocialMedia{Name: "zedcard", URL: "https://zedcard.example"},
					BlogTypes: []agency.BlogType{{ID: "news"}, {ID: "editorial"}},
				},
				Look: brand.New(nil), Texts: texts, Boards: boards, Routes: table, BlogLang: texts.In(i18n.PT),
			},
			BaseURL: "https://best.example", Pictures: storage{}, Slides: storage{},
		},
		Content: handlers.Content{Pictures: storage{}, Catalog: catalogOf(content), Composites: composites},
		Keys:    func(context.Context) ([][]byte, error) { return [][]byte{[]byte("key of the tests")}, nil },
		HTTPS:   func(r *http.Request) bool { return r.TLS != nil },
		Client:  func(r *http.Request) string { return r.RemoteAddr },
		Now:     func() time.Time { return time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC) },
		Log:     log,
	}
	for _, option := range options {
		option(&services)
	}
	if services.Intake == nil {
		services.Intake = intake.New(nil, services.Keys, intake.Options{Now: services.Now, Log: log})
	}
	all, _ := handlers.New(services)
	return all
}

// demo is the content of the demo agency, opened once for all tests, which only read it.
var demo = sync.OnceValues(func() (*folder.Folder, error) { return folder.Open(folder.Demo(), withCards) })

// demoSite is the site over the demo agency.
func demoSite(t *testing.T, options ...func(*handlers.Services)) http.Handler {
	t.Helper()
	own, err := demo()
	require.NoError(t, err)
	return siteOf(t, own.Content(t.Context()), own, options...)
}

// withCards makes a card that nobody looks at.
var withCards = folder.Config{
	Card: func(context.Context, agency.Talent, func(string) ([]byte, error)) ([]agency.File, error) {
		return []agency.File{{Name: "card.pdf", Data: []byte("%PDF-1.7")}}, nil
	},
}

// siteOver is the site over a transport to both back ends.
func siteOver(t *testing.T, transport http.RoundTripper, options ...func(*handlers.Services)) http.Handler {
	t.Helper()
	backEnd := remote.Config{BaseURL: "http://back.example", Salt: "s", Key: "k", Transport: transport}
	integration := remote.NewIntegration(remote.IntegrationConfig{Config: backEnd})
	return newSite(t, remote.NewPanel(backEnd), integration, options...)
}

// fakeSite is the site over a fake whose content is changed first.
func fakeSite(
	t testing.TB, change func(*testkit.Content), options ...func(*handlers.Services),
) (http.Handler, *testkit.Fake) {
	t.Helper()
	fake := testkit.NewFake(t)
	fake.Change(change)
	return newSite(t, fake.Panel(), fake.Integration(), options...), fake
}

// rosterSite is the site with these talents.
func rosterSite(t testing.TB, talents []agency.Talent, options ...func(*handlers.Services)) http.Handler {
	t.Helper()
	site, _ := fakeSite(t, func(c *testkit.Content) { c.Talents = talents }, options...)
	return site
}

// client is the name under which a header of ask is the client's address.
const client = "Test-Client"

// newRequest is a request with headers: names and values.
func newRequest(method, address, body string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, address, strings.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	if from := r.Header.Get(client); from != "" {
		r.RemoteAddr = from
	}
	return r
}

func answerTo(site http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	return w
}

func get(site http.Handler, address string, headers ...string) *httptest.ResponseRecorder {
	return answerTo(site, newRequest(http.MethodGet, address, "", headers...))
}

// has asserts that a page, or what stands for it, has these texts; lacks that it has none of them.
func has(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		assert.Contains(t, page, text)
	}
}

func lacks(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		assert.NotContains(t, page, text)
	}
}

const formType = "application/x-www-form-urlencoded"

// post posts a form that is not multipart.
func post(site http.Handler, address string, values map[string]string, headers ...string) *httptest.ResponseRecorder {
	form := url.Values{}
	for name, value := range values {
		form.Set(name, value)
	}
	return answerTo(site, newRequest(http.MethodPost, address, form.Encode(),
		append(headers, "Content-Type", formType)...))
}

// cookies is the header with the cookies that an answer has set.
func cookies(answer *httptest.ResponseRecorder) []string {
	var all []string
	for _, cookie := range answer.Result().Cookies() {
		all = append(all, cookie.Name+"="+cookie.Value)
	}
	return []string{"Cookie", strings.Join(all, "; ")}
}

func TestAnUnchangedPageIs304(t *testing.T) {
	site := demoSite(t)
	first := get(site, "/models")
	compressed := "W/" + first.Header().Get("ETag") // as the compressing layer sends it
	second := get(site, "/models", "If-None-Match", compressed)
	assert.Equal(t, http.StatusNotModified, second.Code)
	assert.Empty(t, second.Body.String())
}

func TestACompositeIsACompleteZipNamedAfterTheTalent(t *testing.T) {
	site := demoSite(t)
	answer := get(site, get(site, "/models/109/x").Header().Get("Location")+"/composite")
	require.Equal(t, http.StatusOK, answer.Code)
	disposition := answer.Header().Get("Content-Disposition")
	has(t, disposition, "filename*=UTF-8''%C3%81gata%20", "-Best-Management.zip")
	archive, err := zip.NewReader(bytes.NewReader(answer.Body.Bytes()), int64(answer.Body.Len()))
	require.NoError(t, err)
	for _, file := range archive.File {
		content, err := file.Open()
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, content)
		require.NoError(t, err, file.Name)
	}
}

func TestWithoutBackEndsOnlyIndependentPagesAreShown(t *testing.T) {
	site := siteOver(t, testkit.FixedAnswer("")) // not JSON: nothing can be read
	for _, path := range []string{
		"/", "/models", "/pt/mulheres", "/models/1/x", "/blog", "/about", "/models/1/x/composite",
	} {
		answer := get(site, path)
		assert.Equal(t, http.StatusServiceUnavailable, answer.Code, path)
		assert.NotEmpty(t, answer.Header().Get("Retry-After"), path)
		assert.Equal(t, "no-store", answer.Header().Get("Cache-Control"), path)
	}
	assert.Equal(t, http.StatusOK, get(site, "/contact").Code)
}
