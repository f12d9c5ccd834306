package handlers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/brand"
	"zedcard/internal/routes"
	"zedcard/static"
	"zedcard/views"
)

// showOffline is the page that the service worker shows where there is no connection.
func (s *site) showOffline(w http.ResponseWriter, r *http.Request) error {
	page := s.page(r)
	page.Title = page.T("offline.title")
	page.Description = page.T("offline.text")
	page.NoIndex = true
	return s.renderPage(w, r, page, views.Offline(page))
}

// The screens that the service worker caches once visited, and those that it never handles: downloads, data for
// programs, and photos of a form.
var (
	cachedScreens   = []routes.Screen{routes.Profile, routes.Favorites}
	bypassedScreens = []routes.Screen{
		routes.Composite, routes.Frames, routes.Composites, routes.Dock, routes.KeptPhoto, routes.Feed,
		routes.ShareScreen, routes.ShareTalent,
	}
)

// showWorker is the service worker: its configuration, followed by the built script. It is served from the root, so
// that its scope is the whole site, and changes with every build.
func (s *site) showWorker(w http.ResponseWriter, r *http.Request) error {
	script, err := static.Read("sw.js")
	if err != nil {
		return fmt.Errorf("service worker: %w: %w", err, agency.ErrNotFound)
	}
	pages := map[i18n.Lang]string{}
	for _, lang := range i18n.Langs() {
		pages[lang] = routes.Path(lang, routes.Offline)
	}
	files := []string{static.URL("app.css")}
	for _, name := range []string{brand.Sheet, brand.Logo, brand.LogoOnInk} {
		if s.Site.Look.Files[name] != nil {
			files = append(files, static.URL(name))
		}
	}
	for _, script := range []string{"site.js", "htmx.esm.min.js", "heart.js", "favorites.js"} {
		files = append(append(files, static.URL(script)), static.Imports(script)...)
	}
	for _, name := range []string{
		"newsreader-display.woff2", "newsreader-text.woff2", "instrument-sans.woff2", "icons.svg", "icon.svg",
	} {
		files = append(files, static.URL(name))
	}
	slices.Sort(files)
	files = slices.Compact(files)
	config := map[string]any{
		"pages": pages, "files": files, "keep": paths(cachedScreens),
		"leave": append(paths(bypassedScreens), "/_.*", "/sitemap.*"),
	}
	encoded, err := json.Marshal(config)
	if err != nil {
		return err
	}
	config["version"] = strconv.FormatUint(xxh3.Hash(append(encoded, script...)), 36)
	if encoded, err = json.Marshal(config); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-cache") // so that browsers replace an old worker at once
	return s.send(w, r, "text/javascript; charset=utf-8", fmt.Appendf(nil, "const offline=%s;\n%s", encoded, script))
}

var variables = regexp.MustCompile(`\{\w+:?([^}]*)\}`)

// paths are the addresses of these screens as JavaScript regular expressions.
func paths(screens []routes.Screen) []string {
	var patterns []string
	for _, route := range routes.All() {
		if !slices.Contains(screens, route.Screen) {
			continue
		}
		literal := strings.ReplaceAll(route.Pattern, ".", `\.`)
		patterns = append(patterns, variables.ReplaceAllStringFunc(literal, func(v string) string {
			if pattern := variables.FindStringSubmatch(v)[1]; pattern != "" {
				return "(?:" + pattern + ")"
			}
			return "[^/]+"
		}))
	}
	return patterns
}

// showManifest lets the site be installed.
func (s *site) showManifest(w http.ResponseWriter, r *http.Request) error {
	icon := func(file, sizes, kind, purpose string) map[string]string {
		return map[string]string{"src": static.URL(file), "sizes": sizes, "type": kind, "purpose": purpose}
	}
	manifest, err := json.Marshal(map[string]any{
		"name": s.Site.Agency, "id": "/", "start_url": "/", "scope": "/", "display": "standalone",
		"background_color": s.Site.Look.Hex("paper"), "theme_color": s.Site.Look.ThemeColour(),
		"icons": []map[string]string{
			icon("icon-192.png", "192x192", "image/png", "any maskable"),
			icon("icon-512.png", "512x512", "image/png", "any maskable"),
			icon("icon.svg", "any", "image/svg+xml", "any"),
		},
	})
	if err != nil {
		return err
	}
	return s.sendFile(w, r, "application/manifest+json", manifest)
}
