package handlers

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/catalog"
	"zedcard/internal/routes"
	"zedcard/views/feed"
)

// talentsPerSitemap keeps a sitemap below the 50,000 pages and 50 MB that its format allows: a
// talent is a page in each language, with all of its pictures.
const talentsPerSitemap = 5000

// showSitemapIndex lists the sitemaps: pages, posts, and the talents in parts.
func (s *server) showSitemapIndex(w http.ResponseWriter, r *http.Request) error {
	roster, err := s.Catalog.Roster(r.Context())
	if err != nil {
		return err
	}
	parts := []string{"pages", "posts"}
	for from := 0; from < roster.Len(); from += talentsPerSitemap {
		parts = append(parts, fmt.Sprint("talents-", from/talentsPerSitemap+1))
	}
	for i, part := range parts {
		parts[i] = s.Site.BaseURL + "/sitemap-" + part + ".xml"
	}
	return s.sendXML(w, r, "application/xml", func(out io.Writer) error { return feed.WriteIndex(out, parts) })
}

// showSitemap is one of these.
func (s *server) showSitemap(w http.ResponseWriter, r *http.Request) (err error) {
	var pages []feed.Page
	switch part := variable(r, "part"); part {
	case "posts.xml":
		pages, err = s.postPages(r.Context())
	case "pages.xml":
		pages, err = s.screenPages(r.Context())
	default:
		pages, err = s.talentPages(r.Context(), part)
	}
	if err != nil {
		return err
	}
	return s.sendXML(w, r, "application/xml", func(out io.Writer) error { return feed.WriteSitemap(out, pages) })
}

// screenPages are the screens that search engines shall index: all but personal ones and empty lists.
func (s *server) screenPages(ctx context.Context) (pages []feed.Page, err error) {
	roster, err := s.Catalog.Roster(ctx)
	if err != nil {
		return nil, err
	}
	add := func(address func(*i18n.Language) string) { pages = append(pages, s.inEveryLanguage(address)...) }
	for name := range s.own(ctx).Pages {
		add(func(lang *i18n.Language) string { return routes.OwnPath(lang, name) })
	}
	for _, screen := range slices.Concat([]routes.Screen{routes.Home}, s.Site.Routes.Lists(), []routes.Screen{
		routes.Apply, routes.About, routes.Contact, routes.FutureFace, routes.Privacy, routes.Blog, routes.Safety,
		routes.Likeness,
	}) {
		isList := slices.Contains(s.Site.Routes.Lists(), screen)
		if isList && roster.Select(s.Site.Routes.ListFilter(screen), s.Now()).Total == 0 ||
			screen == routes.Safety && s.Catalog.EntityMissing(agency.SafetyPage) ||
			screen == routes.Likeness && !s.Site.NoTraining {
			continue
		}
		add(func(lang *i18n.Language) string { return s.Site.Routes.Path(lang, screen) })
	}
	for _, kind := range s.Site.BlogKinds()[1:] { // the first one is the blog's own page
		add(func(lang *i18n.Language) string { return routes.PostListPath(lang, kind) })
	}
	return pages, nil
}

// talentPages are the profiles of a part of the roster, "talents-1.xml" and so on. Pictures of minors are left out.
func (s *server) talentPages(ctx context.Context, part string) (pages []feed.Page, err error) {
	roster, err := s.Catalog.Roster(ctx)
	if err != nil {
		return nil, err
	}
	first := 0
	for talents := range slices.Chunk(roster.All(), talentsPerSitemap) {
		if first++; part != fmt.Sprintf("talents-%d.xml", first) {
			continue
		}
		for _, t := range talents {
			var pictures []feed.Picture
			if !t.Minor(s.Now()) {
				pictures = s.addresses(append([]agency.Picture{t.Cover}, t.Book...)...)
			}
			address := func(lang *i18n.Language) string { return s.Site.Routes.Talent(lang, t) }
			for _, page := range s.inEveryLanguage(address) {
				page.Pictures = pictures
				pages = append(pages, page)
			}
		}
		return pages, nil
	}
	return nil, fmt.Errorf("sitemap %q: %w", part, agency.ErrNotFound)
}

// addresses are the absolute addresses of pictures.
func (s *server) addresses(pictures ...agency.Picture) (addresses []feed.Picture) {
	for _, picture := range pictures {
		if picture.File != "" {
			address := s.Site.Absolute(s.Site.Pictures.Sources(picture, agency.Whole, false).Src)
			addresses = append(addresses, feed.Picture{Address: address})
		}
	}
	return addresses
}

// postPages are the posts, each in its own language alone.
func (s *server) postPages(ctx context.Context) (pages []feed.Page, err error) {
	for _, kind := range s.Site.BlogKinds() {
		posts, _, err := s.Catalog.Posts(ctx, kind, MaxPosts)
		if err != nil {
			return nil, err
		}
		for _, post := range posts {
			pages = append(pages, feed.Page{
				Address:  s.Site.BaseURL + routes.PostPath(s.Site.BlogLang, kind, post.Slug),
				Pictures: s.addresses(agency.Picture{File: post.Cover}),
			})
		}
	}
	return pages, nil
}

func (s *server) inEveryLanguage(address func(*i18n.Language) string) (pages []feed.Page) {
	alternates := s.Site.Alternates(s.Site.BaseURL, address)
	for _, lang := range s.Site.Texts.Langs() {
		pages = append(pages, feed.Page{Address: s.Site.BaseURL + address(lang), Alternates: alternates})
	}
	return pages
}

// showFeed is the blog of all types, newest first, with the feed's own words in the page's language.
func (s *server) showFeed(w http.ResponseWriter, r *http.Request) error {
	lang := s.routeOf(r).Lang
	var posts []agency.Post
	for _, kind := range s.Site.BlogKinds() {
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
	document := feed.Feed{
		Address:  s.Site.BaseURL + routes.Path(lang, routes.Feed),
		Home:     s.Site.BaseURL + routes.Path(lang, routes.Blog),
		Lang:     string(lang.Lang),
		Title:    s.Site.Name + " – " + lang.T("nav.blog"),
		Subtitle: s.aboutBlog(lang),
		Author:   s.Site.Name,
	}
	for _, post := range posts {
		document.Entries = append(document.Entries, feed.Entry{
			Address: s.Site.BaseURL + routes.PostPath(s.Site.BlogLang, post.Type, post.Slug),
			Lang:    string(s.Site.BlogLang.Lang),
			Title:   post.Title, Summary: post.Excerpt, Author: post.Author, Date: post.PublishedAt,
		})
	}
	return s.sendXML(w, r, "application/atom+xml", func(out io.Writer) error { return feed.WriteAtom(out, document) })
}
