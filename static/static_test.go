package static_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/web"
	"zedcard/static"
)

func TestFilesAreNegotiatedAndRevalidated(t *testing.T) {
	require.NoError(t, static.Use(fstest.MapFS{
		"manifest.json":  {Data: []byte(`{"app.css":{"file":"app-1.css"}}`)},
		"app-1.css":      {Data: []byte("a{}a{}a{}")},
		"app-1.css.br":   {Data: []byte("brotli")},
		"app-1.css.gz":   {Data: []byte("gzip")},
		"serif-1.woff2":  {Data: []byte("font")},
		"app-1.css.part": {Data: []byte("?")},
	}))
	site := static.New(nil).Handler(web.Coding, http.NotFound)
	ask := func(path string, header http.Header) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header = header
		w := httptest.NewRecorder()
		site.ServeHTTP(w, r)
		return w
	}
	accepting := func(codings string) http.Header { return http.Header{"Accept-Encoding": {codings}} }
	for codings, want := range map[string]struct{ coding, body string }{
		"gzip, deflate, br, zstd": {"br", "brotli"},
		"zstd, gzip":              {"gzip", "gzip"},
		"gzip;q=0.5, br;q=0":      {"gzip", "gzip"},
		"gzip;q=0, *;q=0":         {"", "a{}a{}a{}"},
		"":                        {"", "a{}a{}a{}"},
	} {
		answer := ask("/static/app-1.css", accepting(codings))
		assert.Equal(t, want.coding, answer.Header().Get("Content-Encoding"), codings)
		assert.Equal(t, want.body, answer.Body.String(), codings)
		again := accepting(codings)
		again.Set("If-None-Match", answer.Header().Get("ETag"))
		assert.Equal(t, http.StatusNotModified, ask("/static/app-1.css", again).Code, codings)
		again.Set("Accept-Encoding", "identity, deflate")
		if want.coding != "" {
			assert.Equal(t, http.StatusOK, ask("/static/app-1.css", again).Code, "each coding has its own ETag")
		}
	}
	font := ask("/static/serif-1.woff2", accepting("br"))
	assert.Contains(t, font.Header().Get("Content-Security-Policy"), "sandbox", "as a page, a drawing runs no script")
	assert.Empty(t, font.Header().Get("Content-Encoding"))
	assert.Equal(t, "4", font.Header().Get("Content-Length"))
	assert.Equal(t, http.StatusNotFound, ask("/static/manifest.json", nil).Code)
}

func TestAnAgencysFilesStandInThePlaceOfTheBuilds(t *testing.T) {
	first := map[string][]byte{"icon.svg": []byte("<svg>1"), "brand.css": []byte("a{}")}
	one, two, none := static.New(first), static.New(map[string][]byte{"icon.svg": []byte("<svg>2")}), static.New(nil)
	ask := func(site http.Handler, url string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, url, nil)
		r.Header.Set("Accept-Encoding", "br")
		w := httptest.NewRecorder()
		site.ServeHTTP(w, r)
		return w
	}
	old := one.URL("icon.svg")
	assert.Equal(t, static.Prefix+static.Name("icon.svg", first["icon.svg"]), old)
	sheet := ask(one.Handler(web.Coding, http.NotFound), one.URL("brand.css"))
	assert.Equal(t, "text/css; charset=utf-8", sheet.Header().Get("Content-Type"))

	assert.NotEqual(t, old, two.URL("icon.svg"))
	site := two.Handler(web.Coding, http.NotFound)
	assert.Contains(t, ask(site, two.URL("icon.svg")).Header().Get("Cache-Control"), "immutable")
	late := ask(site, old)
	assert.Equal(t, "<svg>2", late.Body.String(), "pages that were sent link to it")
	assert.Equal(t, "no-cache", late.Header().Get("Cache-Control"))
	assert.Equal(t, http.StatusNotFound, ask(none.Handler(web.Coding, http.NotFound), old).Code)
	assert.Equal(t, static.URL("icon.svg"), none.URL("icon.svg"))
}
