package handlers

import (
	"io"
	"net/http"
	"slices"

	"zedcard/internal/agency"
	"zedcard/internal/catalog"
	"zedcard/internal/feed"
	"zedcard/internal/routes"
)

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
	document := feed.Feed{
		Address:  s.Site.BaseURL + routes.Path(lang, routes.Feed),
		Home:     s.Site.BaseURL + routes.Path(lang, routes.Blog),
		Lang:     string(lang),
		Title:    s.Site.Agency + " – " + lang.T("nav.blog"),
		Subtitle: s.aboutBlog(lang),
		Author:   s.Site.Agency,
	}
	for _, post := range posts {
		document.Entries = append(document.Entries, feed.Entry{
			Address: s.Site.BaseURL + routes.PostPath(s.Site.BlogLang, post.Type, post.Slug),
			Lang:    string(s.Site.BlogLang),
			Title:   post.Title, Summary: post.Excerpt, Author: post.Author, Published: post.PublishedAt,
		})
	}
	return s.sendXML(w, r, "application/atom+xml", func(out io.Writer) error { return feed.WriteAtom(out, document) })
}
