package app_test

import (
	"archive/zip"
	"bytes"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	brandYAML = `name: Studio Lumen
brand: {ink: "#102a43", paper: "#fffaf2", accent: "#0b5d66", logo: brand/logo.svg, icon: brand/icon.svg,
  display: brand/display}
`
	lumenLogo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30">` +
		`<path fill="currentColor" d="M0 0h9v9z"/></svg>`
	lumenIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>`
)

func branded(t *testing.T) string {
	t.Helper()
	folder := lumen(t, map[string]string{
		"agency.yaml": brandYAML, "brand/logo.svg": lumenLogo, "brand/icon.svg": lumenIcon,
		"talents/1/talent.yaml": "id: 1\nname: Ana Silva\ngender: woman\ncategories: [Models, Women]\n",
	})
	for from, to := range map[string]string{
		"testdata/brand/logo.png":                             "brand/logo.png",
		"../author/starter/brand/icon.png":                    "brand/icon.png",
		"../cards/newsreader-display.ttf":                     "brand/display.ttf",
		"../../static/fonts/newsreader-display-symbols.woff2": "brand/display.woff2",
	} {
		put(t, folder, to, read(t, from))
	}
	return folder
}

func TestTheFolderGivesTheSiteItsLook(t *testing.T) {
	folder := branded(t)
	site := startLumen(t, folder, nil)
	home := pageAt(t, site.site+"/")
	_, sheet := get(t, site.site+home.Attr("link[rel=stylesheet][href*='/static/brand-']", "href"))
	for _, value := range []string{"--ink:#102a43;", "--paper:#fffaf2;", "--accent:#0b5d66;", `"Brand Display"`} {
		assert.Contains(t, sheet, value)
	}
	_, logo := get(t, site.site+home.Attr("img.logo[alt='Studio Lumen'][width='300'][height='100']", "src"))
	assert.Contains(t, logo, "#102a43")
	assert.Equal(t, "#fffaf2", home.Attr("meta[name=theme-color]", "content"))
	font := regexp.MustCompile(`url\((\S+\.woff2)\)`).FindStringSubmatch(sheet)[1]
	assert.Contains(t, home.Attrs("link[rel=preload][as=font]", "href"), "/static/"+font)
	_, manifest := get(t, site.site+"/site.webmanifest")
	assert.Contains(t, manifest, `"name":"Studio Lumen"`)
	assert.Contains(t, manifest, `"background_color":"#fffaf2"`)
	assert.Contains(t, manifest, `"theme_color":"#0b5d66"`)
	res, err := withoutRedirects.Get(site.site + "/favicon.ico")
	require.NoError(t, err)
	_ = res.Body.Close()
	icon := res.Header.Get("Location")
	assert.Contains(t, manifest, icon)
	status, png := get(t, site.site+icon)
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, "image/png", http.DetectContentType([]byte(png)))

	_, archive := get(t, site.site+"/models/1/ana-silva/composite")
	files, err := zip.NewReader(bytes.NewReader([]byte(archive)), int64(len(archive)))
	require.NoError(t, err)
	assert.Len(t, files.File, 2, "without pictures there is no back")

	shows := func(path, text string) {
		t.Helper()
		eventually(t, site.site+path, func(_ int, page string) bool { return strings.Contains(page, text) })
	}
	put(t, folder, "agency.yaml", strings.Replace(brandYAML, "#0b5d66", "#7a1f5c", 1))
	shows("/site.webmanifest", "#7a1f5c")
	put(t, folder, "brand/logo.svg", strings.Replace(lumenLogo, "90 30", "60 30", 1))
	shows("/", `width="200" height="100"`)
	put(t, folder, "brand/logo.svg", strings.Replace(lumenLogo, "<path", "<script", 1))
	put(t, folder, "agency.yaml", strings.Replace(brandYAML, "#0b5d66", "#7a1f5d", 1))
	shows("/site.webmanifest", "#7a1f5d")
	assert.Equal(t, "200", pageAt(t, site.site+"/").Attr("img.logo", "width"), "a logo with a fault is not taken")
}
