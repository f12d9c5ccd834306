package handlers

import (
	"net/http"
	"slices"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/routes"
	"zedcard/static"
)

// crawlers are the addresses that programs read; they stand beside the screens, without a language.
func (s *site) crawlers() map[string]handler {
	return map[string]handler{
		"/robots.txt":           s.showRobots,
		routes.Sitemap:          s.showSitemapIndex,
		"/sitemap-{part}":       s.showSitemap,
		routes.Manifest:         s.showManifest,
		routes.Worker:           s.showWorker,
		"/favicon.ico":          moveToStatic("icon-192.png"),
		"/apple-touch-icon.png": moveToStatic("apple-touch-icon.png"),
	}
}

// moveToStatic leads an address that browsers guess to the file under its hashed name.
func moveToStatic(name string) handler {
	return func(w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("Cache-Control", "public, max-age=3600")
		w.Header().Set("Location", static.URL(name))
		w.WriteHeader(http.StatusFound)
		return nil
	}
}

// Crawlers that collect texts and pictures to train models with. Those that answer or link, and so bring visitors,
// are not among them. Trainers call themselves by these names; a robotsToken is only a name in robots.txt, for what a
// search engine's crawler brings home.
var (
	trainers = []string{
		"Amazonbot", "Bytespider", "CCBot", "ClaudeBot", "cohere-training-data-crawler", "GPTBot", "Meta-ExternalAgent",
	}
	robotsTokens = []string{"Applebot-Extended", "Google-Extended"}
)

// isTrainer reports whether a browser's name is that of a crawler which collects for training.
func isTrainer(userAgent string) bool {
	userAgent = strings.ToLower(userAgent)
	return slices.ContainsFunc(trainers, func(name string) bool {
		return strings.Contains(userAgent, strings.ToLower(name))
	})
}

// showRobots lets everybody in but those who collect for training: nowhere where the operator wants it so, and never
// to children. Who is a child is not listed there, for robots.txt is public: trainers are kept off the kids board and
// from minors' pictures, and get no minor's page (see talent); those that are only a name in robots.txt are kept off
// every profile. Other pages that shall not be found say so themselves; a crawler that is kept out couldn't read it.
func (s *site) showRobots(w http.ResponseWriter, r *http.Request) error {
	robots := "User-agent: *\nAllow: /\n\n"
	if s.NoAICrawlers {
		robots += robotsGroup(slices.Concat(trainers, robotsTokens), []string{"/"})
	} else {
		var kids, profiles []string
		for _, lang := range i18n.Langs {
			kids = append(kids, routes.Path(lang, routes.Kids))
			profiles = append(profiles, routes.Path(lang, routes.Models)+"/*/",
				routes.Path(lang, routes.Creative)+"/*/")
		}
		kids = append(kids, "/*?*=kids", "/*?*=girls", "/*?*=boys", minorPictures)
		robots += robotsGroup(trainers, kids) + robotsGroup(robotsTokens, append(kids, profiles...))
	}
	return s.sendFile(w, r, "text/plain; charset=utf-8", []byte(robots+"Sitemap: "+s.Site.BaseURL+routes.Sitemap+"\n"))
}

// minorPictures is what the addresses of minors' pictures begin with: see internal/media.
const minorPictures = "/media/n"

func robotsGroup(agents, disallowed []string) string {
	return "User-agent: " + strings.Join(agents, "\nUser-agent: ") + "\n" +
		"Disallow: " + strings.Join(disallowed, "\nDisallow: ") + "\n\n"
}
