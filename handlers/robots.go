package handlers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/brand"
	"zedcard/internal/routes"
)

// moveToIcon redirects an address that browsers guess to the icon.
func (s *server) moveToIcon(w http.ResponseWriter, _ *http.Request) error {
	name := brand.IconPNG
	if !s.Site.Look.HasIconPNG() {
		name = brand.IconSVG
	}
	redirect(w, http.StatusFound, s.Site.Look.URL(name))
	return nil
}

// Crawlers that collect texts and pictures to train models with; not those that answer questions or link, and so bring
// visitors. trainers are user agents. robotsTokens are names in robots.txt only, by which a search engine's own crawler
// is told not to use for training what it fetches.
var (
	trainers = []string{
		"Amazonbot", "Bytespider", "CCBot", "ClaudeBot", "cohere-training-data-crawler", "GPTBot", "Meta-ExternalAgent",
	}
	robotsTokens = []string{"Applebot-Extended", "Google-Extended"}
)

// isTrainer reports whether a user agent is a crawler that collects training data.
func isTrainer(userAgent string) bool {
	userAgent = strings.ToLower(userAgent)
	return slices.ContainsFunc(trainers, func(name string) bool {
		return strings.Contains(userAgent, strings.ToLower(name))
	})
}

// showRobots allows everything to all crawlers but those that collect training data. They are kept out of the whole
// site if the agency allows no training, and always of the kids board and minors' pictures. robots.txt is public, so it
// must not list minors' profiles: the trainers get a 404 for these (see talent), and for their board; the robotsTokens
// are kept out of all profiles. Other pages that must not be indexed say so themselves, because a crawler that is kept
// out could not read it.
func (s *server) showRobots(w http.ResponseWriter, r *http.Request) error {
	robots := "User-agent: *\nAllow: /\n"
	if s.Site.NoTraining {
		robots += "Content-Usage: " + agency.NoTraining + "\n\n"
		robots += robotsGroup(slices.Concat(trainers, robotsTokens), []string{"/"})
	} else {
		var kids, profiles []string
		boards := s.Site.Boards.Groups()
		for _, lang := range s.Site.Texts.Langs() {
			for _, board := range boards {
				if board.Minors && board.Screen != "" {
					kids = append(kids, s.Site.Routes.Path(lang, routes.Screen(board.Screen)))
				}
			}
			profiles = append(profiles, lang.Prefix()+"/models/*/", lang.Prefix()+"/creative/*/")
		}
		for _, board := range boards {
			if board.Minors {
				kids = append(kids, fmt.Sprintf("/*?*=%v", board.Tag()))
			}
		}
		kids = append(kids, routes.Pictures+routes.MinorMark)
		robots += "\n" + robotsGroup(trainers, kids) + robotsGroup(robotsTokens, append(kids, profiles...))
	}
	return s.sendFile(w, r, "text/plain; charset=utf-8", []byte(robots+"Sitemap: "+s.Site.BaseURL+routes.Sitemap+"\n"))
}

func robotsGroup(agents, disallowed []string) string {
	return "User-agent: " + strings.Join(agents, "\nUser-agent: ") + "\n" +
		"Disallow: " + strings.Join(disallowed, "\nDisallow: ") + "\n\n"
}

// showSecurity says who is told of a fault of the site (RFC 9116). It has to expire within a year.
func (s *server) showSecurity(w http.ResponseWriter, r *http.Request) error {
	contact := cmp.Or(s.Site.Security, s.Site.Bookings)
	if contact == "" {
		return agency.ErrNotFound
	}
	if !strings.HasPrefix(contact, "https://") {
		contact = "mailto:" + contact
	}
	var langs []string
	for _, lang := range s.Site.Texts.Langs() {
		langs = append(langs, string(lang.Lang))
	}
	text := "Contact: " + contact + "\n" +
		"Expires: " + s.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 365).Format(time.RFC3339) + "\n" +
		"Preferred-Languages: " + strings.Join(langs, ", ") + "\n" +
		"Canonical: " + s.Site.BaseURL + routes.Security + "\n"
	return s.sendFile(w, r, "text/plain; charset=utf-8", []byte(text))
}

// showManifest lets the site be installed.
func (s *server) showManifest(w http.ResponseWriter, r *http.Request) error {
	icon := func(file, sizes, kind, purpose string) map[string]string {
		return map[string]string{"src": s.Site.Look.URL(file), "sizes": sizes, "type": kind, "purpose": purpose}
	}
	icons := []map[string]string{icon(brand.IconSVG, "any", "image/svg+xml", "any")}
	if s.Site.Look.HasIconPNG() {
		icons = append(icons, icon(brand.IconPNG, "512x512", "image/png", "any maskable"))
	}
	manifest, err := json.Marshal(map[string]any{
		"name": s.Site.Name, "id": "/", "start_url": "/", "scope": "/", "display": "standalone",
		"background_color": s.Site.Look.Hex("paper"), "theme_color": s.Site.Look.ThemeColour(),
		"icons": icons,
	})
	if err != nil {
		return err
	}
	return s.sendFile(w, r, "application/manifest+json", manifest)
}
