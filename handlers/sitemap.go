package handlers

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/catalog"
	"zedcard/internal/feed"
	"zedcard/internal/routes"
	"zedcard/views"
	"zedcard/views/ui"
)

// talentsPerSitemap keeps a sitemap below the 50,000 pages and 50 MB that its format allows: a
// talent is a page in each language, with all of its pictures.
const talentsPerSitemap = 5000

// showSitemapIndex lists the sitemaps: pages, posts, and the talents in parts.
func (s *site) showSitemapIndex(w http.ResponseWriter, r *http.Request) error {
	roster, err := s.Catalog.Roster(r.Context())
	if err != nil {
		return err
	}
	sitemaps := []string{s.sitemapAddress("pages"), s.sitemapAddress("posts")}
	for from := 0; from < roster.Len(); from += talentsPerSitemap {
		sitemaps = append(sitemaps, s.sitemapAddress("talents-"+strconv.Itoa(from/talentsPerSitemap+1)))
	}
	return s.sendXML(w, r, "application/xml", func(out io.Writer) error { return feed.WriteIndex(out, sitemaps) })
}

func (s *site) sitemapAddress(part string) string {
	return s.Site.BaseURL + "/sitemap-" + part + ".xml"
}

func (s *site) showSitemap(w http.ResponseWriter, r *http.Request) error {
	part, found := strings.CutSuffix(variable(r, "part"), ".xml")
	if !found {
		return agency.ErrNotFound
	}
	pages, err := s.sitemapPages(r.Context(), part)
	if err != nil {
		return err
	}
	return s.sendXML(w, r, "application/xml", func(out io.Writer) error { return feed.WriteSitemap(out, pages) })
}

func (s *site) sitemapPages(ctx context.Context, part string) ([]feed.Page, error) {
	switch part {
	case "posts":
		return s.postPages(ctx)
	case "pages":
		return s.screenPages(ctx)
	}
	number, found := strings.CutPrefix(part, "talents-")
	n, err := strconv.Atoi(number)
	if !found || err != nil || strconv.Itoa(n) != number {
		return nil, fmt.Errorf("sitemap %q: %w", part, agency.ErrNotFound)
	}
	return s.talentPages(ctx, n)
}

// screenPages are the screens that search engines shall index: all but personal ones and empty lists.
func (s *site) screenPages(ctx context.Context) ([]feed.Page, error) {
	roster, err := s.Catalog.Roster(ctx)
	if err != nil {
		return nil, err
	}
	screens := []routes.Screen{routes.Home}
	for _, list := range routes.Lists() {
		if roster.Select(routes.ListFilter(list)).Total > 0 {
			screens = append(screens, list)
		}
	}
	screens = append(screens, routes.Apply, routes.About,
		routes.Contact, routes.FutureFace, routes.Privacy, routes.Blog)
	if !s.Catalog.EntityMissing(catalog.Safety) {
		screens = append(screens, routes.Safety)
	}
	var pages []feed.Page
	for name := range s.own().Pages {
		pages = append(pages, s.inEveryLanguage(func(lang i18n.Lang) string { return routes.OwnPath(lang, name) })...)
	}
	for _, screen := range screens {
		pages = append(pages, s.inEveryLanguage(func(lang i18n.Lang) string { return routes.Path(lang, screen) })...)
	}
	for _, kind := range s.Site.BlogTypes[1:] { // the first one is the blog's own page
		address := func(lang i18n.Lang) string { return routes.PostListPath(lang, kind) }
		pages = append(pages, s.inEveryLanguage(address)...)
	}
	return pages, nil
}

// talentPages are the profiles of a part of the roster, from 1. Pictures of minors are left out.
func (s *site) talentPages(ctx context.Context, part int) ([]feed.Page, error) {
	roster, err := s.Catalog.Roster(ctx)
	if err != nil {
		return nil, err
	}
	all := roster.All()
	from := (part - 1) * talentsPerSitemap
	if part < 1 || from >= len(all) {
		return nil, fmt.Errorf("sitemap of talents %d: %w", part, agency.ErrNotFound)
	}
	var pages []feed.Page
	for _, t := range all[from:min(from+talentsPerSitemap, len(all))] {
		localized := s.inEveryLanguage(func(lang i18n.Lang) string { return routes.Talent(lang, t) })
		if pictures := s.pictures(t); len(pictures) > 0 {
			for j := range localized {
				localized[j].Pictures = pictures
			}
		}
		pages = append(pages, localized...)
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
func (s *site) postPages(ctx context.Context) ([]feed.Page, error) {
	var pages []feed.Page
	for _, kind := range s.Site.BlogTypes {
		posts, _, err := s.Catalog.Posts(ctx, kind, MaxPosts)
		if err != nil {
			return nil, err
		}
		for _, post := range posts {
			page := feed.Page{Address: s.Site.BaseURL + routes.PostPath(s.Site.BlogLang, kind, post.Slug)}
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

func (s *site) inEveryLanguage(address func(i18n.Lang) string) []feed.Page {
	pages := make([]feed.Page, 0, len(i18n.Langs()))
	alternates := views.Alternates(s.Site.BaseURL, address)
	for _, lang := range i18n.Langs() {
		pages = append(pages, feed.Page{Address: s.Site.BaseURL + address(lang), Alternates: alternates})
	}
	return pages
}
