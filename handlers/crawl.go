package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/catalog"
	"zedcard/internal/crawl"
	"zedcard/internal/routes"
	"zedcard/static"
	"zedcard/views"
	"zedcard/views/ui"
)

// talentsPerSitemap keeps a sitemap below the 50,000 pages and 50 MB that its format allows: a
// talent is a page in each language, with all of its pictures.
const talentsPerSitemap = 5000

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
	return s.send(w, r, "text/plain; charset=utf-8", []byte(robots+"Sitemap: "+s.Site.BaseURL+routes.Sitemap+"\n"))
}

// minorPictures is what the addresses of minors' pictures begin with: see internal/media.
const minorPictures = "/media/n"

func robotsGroup(agents, disallowed []string) string {
	return "User-agent: " + strings.Join(agents, "\nUser-agent: ") + "\n" +
		"Disallow: " + strings.Join(disallowed, "\nDisallow: ") + "\n\n"
}

// showSitemapIndex lists the sitemaps: pages, posts, and the talents in parts.
func (s *site) showSitemapIndex(w http.ResponseWriter, r *http.Request) error {
	roster, err := s.Catalog.Roster(r.Context())
	if err != nil {
		return err
	}
	sitemaps := []string{s.sitemap("pages"), s.sitemap("posts")}
	for from := 0; from < roster.Len(); from += talentsPerSitemap {
		sitemaps = append(sitemaps, s.sitemap("talents-"+strconv.Itoa(from/talentsPerSitemap+1)))
	}
	return s.sendXML(w, r, "application/xml", func(out io.Writer) error { return crawl.WriteIndex(out, sitemaps) })
}

func (s *site) sitemap(part string) string { return s.Site.BaseURL + "/sitemap-" + part + ".xml" }

func (s *site) showSitemap(w http.ResponseWriter, r *http.Request) error {
	part, found := strings.CutSuffix(variable(r, "part"), ".xml")
	if !found {
		return agency.ErrNotFound
	}
	pages, err := s.sitemapPages(r.Context(), part)
	if err != nil {
		return err
	}
	return s.sendXML(w, r, "application/xml", func(out io.Writer) error { return crawl.WriteSitemap(out, pages) })
}

func (s *site) sitemapPages(ctx context.Context, part string) ([]crawl.Page, error) {
	switch part {
	case "posts":
		return s.postPages(ctx)
	case "pages":
		return s.screenPages(ctx)
	}
	number, found := strings.CutPrefix(part, "talents-")
	at, err := strconv.Atoi(number)
	if !found || err != nil || strconv.Itoa(at) != number {
		return nil, fmt.Errorf("sitemap %q: %w", part, agency.ErrNotFound)
	}
	return s.talentPages(ctx, at)
}

// screenPages are the screens of the routes table that search engines shall know: all but those
// that a visitor alone has use for, and lists that are empty.
func (s *site) screenPages(ctx context.Context) ([]crawl.Page, error) {
	roster, err := s.Catalog.Roster(ctx)
	if err != nil {
		return nil, err
	}
	screens := []routes.Screen{routes.Home}
	for _, list := range routes.Lists {
		if roster.Select(routes.ListFilter(list)).Total > 0 {
			screens = append(screens, list)
		}
	}
	screens = append(screens, routes.Apply, routes.About,
		routes.Contact, routes.FutureFace, routes.Privacy, routes.Blog)
	if !s.Catalog.Missing(catalog.Safety) {
		screens = append(screens, routes.Safety)
	}
	var pages []crawl.Page
	for _, screen := range screens {
		pages = append(pages, s.inEveryLanguage(func(lang i18n.Lang) string { return routes.Path(lang, screen) })...)
	}
	for _, kind := range s.Site.BlogTypes[1:] { // the first one is the blog's own page
		pages = append(pages, s.inEveryLanguage(func(lang i18n.Lang) string { return routes.PostsOf(lang, kind) })...)
	}
	return pages, nil
}

// talentPages are the profiles of a part of the roster, from 1. Pictures of minors are left out.
func (s *site) talentPages(ctx context.Context, part int) ([]crawl.Page, error) {
	roster, err := s.Catalog.Roster(ctx)
	if err != nil {
		return nil, err
	}
	all := roster.All()
	from := (part - 1) * talentsPerSitemap
	if part < 1 || from >= len(all) {
		return nil, fmt.Errorf("sitemap of talents %d: %w", part, agency.ErrNotFound)
	}
	var pages []crawl.Page
	for i := range all[from:min(from+talentsPerSitemap, len(all))] {
		t := &all[from+i]
		of := s.inEveryLanguage(func(lang i18n.Lang) string { return routes.Talent(lang, t) })
		if pictures := s.pictures(t); len(pictures) > 0 {
			for j := range of {
				of[j].Pictures = pictures
			}
		}
		pages = append(pages, of...)
	}
	return pages, nil
}

func (s *site) pictures(t *agency.Talent) []string {
	if t.Minor(s.Now()) {
		return nil
	}
	var pictures []string
	if t.Cover.File != "" {
		pictures = append(pictures, s.Site.Absolute(s.Site.Pictures.Sources(t.Cover, ui.Whole, false).Src))
	}
	for _, picture := range t.Book {
		pictures = append(pictures, s.Site.Absolute(s.Site.Pictures.Sources(picture, ui.Whole, false).Src))
	}
	return pictures
}

// postPages are the posts, each in its own language alone.
func (s *site) postPages(ctx context.Context) ([]crawl.Page, error) {
	var pages []crawl.Page
	for _, kind := range s.Site.BlogTypes {
		posts, _, err := s.Catalog.Posts(ctx, kind, MostPosts)
		if err != nil {
			return nil, err
		}
		for _, post := range posts {
			page := crawl.Page{Address: s.Site.BaseURL + routes.PostOf(routes.PostLang, kind, post.Slug)}
			if post.Cover != "" {
				page.Pictures = []string{
					s.Site.Absolute(s.Site.Pictures.Sources(agency.Picture{File: post.Cover}, ui.Whole, false).Src),
				}
			}
			pages = append(pages, page)
		}
	}
	return pages, nil
}

func (s *site) inEveryLanguage(address func(i18n.Lang) string) []crawl.Page {
	pages := make([]crawl.Page, 0, len(i18n.Langs))
	alternates := views.Alternates(s.Site.BaseURL, address)
	for _, lang := range i18n.Langs {
		pages = append(pages, crawl.Page{Address: s.Site.BaseURL + address(lang), Alternates: alternates})
	}
	return pages
}

// showFeed is the blog of all types, newest first, with the feed's own words in the page's language.
func (s *site) showFeed(w http.ResponseWriter, r *http.Request) error {
	lang := routeOf(r).Lang
	var posts []agency.Post
	for _, kind := range s.Site.BlogTypes {
		list, _, err := s.Catalog.Posts(r.Context(), kind, catalog.FirstPosts)
		if err != nil {
			return err
		}
		for _, post := range list {
			post.Type = kind
			posts = append(posts, post)
		}
	}
	slices.SortStableFunc(posts, func(a, b agency.Post) int { return b.PublishedAt.Compare(a.PublishedAt) })
	feed := crawl.Feed{
		Address: s.Site.BaseURL + routes.Path(lang, routes.Feed),
		Home:    s.Site.BaseURL + routes.Path(lang, routes.Blog),
		Lang:    string(lang),
		Title:   s.Site.Agency + " – " + lang.T("nav.blog"),
		About:   lang.T("blog.about", "agency", s.Site.Agency),
		Author:  s.Site.Agency,
	}
	for _, post := range posts {
		feed.Entries = append(feed.Entries, crawl.Entry{
			Address: s.Site.BaseURL +
				routes.PostOf(routes.PostLang, post.Type, post.Slug), Lang: string(routes.PostLang),
			Title: post.Title, Summary: post.Excerpt, Author: post.Author, Published: post.PublishedAt,
		})
	}
	return s.sendXML(w, r, "application/atom+xml", func(out io.Writer) error { return crawl.WriteFeed(out, feed) })
}

// showManifest lets the site be installed.
func (s *site) showManifest(w http.ResponseWriter, r *http.Request) error {
	type icon struct {
		Source  string `json:"src"`
		Sizes   string `json:"sizes"`
		Type    string `json:"type"`
		Purpose string `json:"purpose"`
	}
	manifest, err := json.Marshal(struct {
		Name       string `json:"name"`
		ID         string `json:"id"`
		Start      string `json:"start_url"`
		Scope      string `json:"scope"`
		Display    string `json:"display"`
		Background string `json:"background_color"`
		Theme      string `json:"theme_color"`
		Icons      []icon `json:"icons"`
	}{
		s.Site.Agency, "/", "/", "/", "standalone", views.Paper, views.Paper,
		[]icon{
			{static.URL("icon-192.png"), "192x192", "image/png", "any maskable"},
			{static.URL("icon-512.png"), "512x512", "image/png", "any maskable"},
			{static.URL("icon.svg"), "any", "image/svg+xml", "any"},
		},
	})
	if err != nil {
		return err
	}
	return s.send(w, r, "application/manifest+json", manifest)
}

func (s *site) sendXML(w http.ResponseWriter, r *http.Request, kind string, write func(io.Writer) error) error {
	var body bytes.Buffer
	if err := write(&body); err != nil {
		return err
	}
	return s.send(w, r, kind+"; charset=utf-8", body.Bytes())
}
