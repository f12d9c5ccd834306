package handlers

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/catalog"
	"zedcard/internal/richtext"
	"zedcard/internal/routes"
	"zedcard/internal/web"
	"zedcard/views"
)

// MaxPosts is how many posts of a type the site shows at most.
const MaxPosts = 1000

// showBlog shows a type's posts, the first type's at /blog: ten, and six more with each ?show=16,
// 22, ...
func (s *server) showBlog(w http.ResponseWriter, r *http.Request) error {
	kinds := s.Site.BlogKinds()
	kind := cmp.Or(variable(r, "type"), kinds[0])
	if !slices.Contains(kinds, kind) {
		return fmt.Errorf("blog type %q: %w", kind, agency.ErrNotFound)
	}
	isFirst := kind == kinds[0]
	show := parsePosts(r.URL.Query().Get("show"))
	posts, more, err := s.Catalog.Posts(r.Context(), kind, show)
	if err != nil {
		return err
	}
	address := func(lang *i18n.Language) string {
		if isFirst {
			return routes.Path(lang, routes.Blog)
		}
		return routes.PostListPath(lang, kind)
	}
	blog := views.Blog{Kind: kind, Posts: posts}
	if more && show < MaxPosts {
		blog.More = address(s.routeOf(r).Lang) + "?show=" + strconv.Itoa(show+catalog.MorePosts)
	}
	page := s.page(r)
	page.Screen = routes.Blog
	page.Title = page.T("nav.blog")
	page.Description = s.aboutBlog(page.Lang)
	if !isFirst {
		name, about := views.BlogTypeName(page, kind), "blog.about.type"
		if page.Lang != page.BlogLang {
			about = "blog.about.type.in"
		}
		page.Title = name + " – " + page.Title
		page.Description = page.T(about, "type", name, "agency", s.Site.Name,
			"language", page.Lang.NameOf(page.BlogLang.Lang))
	}
	page.Address = address
	return s.renderPage(w, r, page, views.BlogList(page, blog))
}

// aboutBlog says what the blog is about, and its language where the page has another.
func (s *server) aboutBlog(lang *i18n.Language) string {
	if lang == s.Site.BlogLang {
		return lang.T("blog.about", "agency", s.Site.Name)
	}
	return lang.T("blog.about.in", "agency", s.Site.Name, "language", lang.NameOf(s.Site.BlogLang.Lang))
}

// parsePosts reads how many posts to show: 10, 16, 22, ...; anything else counts as absent.
func parsePosts(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < catalog.FirstPosts || n > MaxPosts || (n-catalog.FirstPosts)%catalog.MorePosts != 0 {
		return catalog.FirstPosts
	}
	return n
}

// isSlug reports whether a text can name a post: letters of any language, digits and what joins them.
func isSlug(text string) bool {
	return text != "" && len(text) <= 200 && !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("-_.~+", r)
	})
}

// relatedPosts is how many other posts are listed below a post.
const relatedPosts = 3

// showPost shows a post. It is the same under the prefix of every language; the address in the post's own language is
// canonical.
func (s *server) showPost(w http.ResponseWriter, r *http.Request) error {
	kind, slug := variable(r, "type"), variable(r, "slug")
	if !slices.Contains(s.Site.BlogKinds(), kind) {
		return fmt.Errorf("blog type %q: %w", kind, agency.ErrNotFound)
	}
	if !isSlug(slug) {
		return agency.ErrNotFound // the back end is not asked
	}
	post, err := s.Catalog.Post(r.Context(), kind, slug)
	if err != nil {
		return err
	}
	page := s.page(r)
	text, err := richtext.Clean(post.Body, inlinePicture(page))
	if err != nil {
		return err
	}
	post.Type, post.Slug = kind, slug
	page.Title = post.Title
	page.Description = post.Excerpt
	page.Address = func(lang *i18n.Language) string { return routes.PostPath(lang, kind, slug) }
	page.Canonical = func(*i18n.Language) string { return routes.PostPath(s.Site.BlogLang, kind, slug) }
	page.NoAlternates = true
	page.ShareCover(agency.Picture{File: post.Cover})
	page.StructuredData = views.PostThings(page, post)
	return s.renderPage(w, r, page, views.BlogPost(page, post, text.Lede+text.Body, s.related(r, post)))
}

// related are the newest other posts of the same type; none if they can't be had.
func (s *server) related(r *http.Request, post agency.Post) []agency.Post {
	posts, _, err := s.Catalog.Posts(r.Context(), post.Type, catalog.FirstPosts)
	if err != nil {
		web.MarkIncomplete(r.Context())
		return nil
	}
	others := slices.DeleteFunc(slices.Clone(posts), func(p agency.Post) bool { return p.Slug == post.Slug })
	return others[:min(len(others), relatedPosts)]
}
