package remote

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/richtext"
)

// Panel calls the panel. Its errors wrap agency.ErrNotFound, agency.ErrUnavailable, and from Send agency.ErrRejected.
// Unusable items of a list are left out; a list of only those is agency.ErrUnavailable, so that a changed shape does
// not look like an empty list. So is a text that no page can show: the one that came before is better than none.
type Panel struct {
	*client
	Storage string // where its files are: links of texts lead there; empty: left as they are
	// Social are the profiles that agency.yaml names, which go before those of the panel; nil: it names none.
	Social func() []agency.SocialMedia
}

// NewPanel makes a client without calling the panel.
func NewPanel(config Config) *Panel {
	api := signIn{Name: "panel", SignIn: "/api/login", Key: "api_token", Token: "token"}
	return &Panel{client: newClient(api, config)}
}

// Slides are the slides of a kind ("home"), without those that have no picture.
func (c *Panel) Slides(ctx context.Context, kind string) ([]agency.Slide, error) {
	call, err := c.call("slides of "+kind, "/api/slides/%s", kind)
	if err != nil {
		return nil, err
	}
	slides, _, err := readList(ctx, c.client, call, func(shape Slide) (agency.Slide, bool) {
		slide := shape.Unwrap()
		return slide, slide.Mobile != "" || slide.Desktop != ""
	})
	return slides, err
}

// SocialMedias are the agency's profiles elsewhere.
func (c *Panel) SocialMedias(ctx context.Context) ([]agency.SocialMedia, error) {
	if c.Social != nil {
		return c.Social(), nil
	}
	call := Call{What: "social medias", Path: "/api/social-medias"}
	medias, _, err := readList(ctx, c.client, call, func(media agency.SocialMedia) (agency.SocialMedia, bool) {
		media.URL = agency.WebAddress(media.URL)
		return media, strings.HasPrefix(media.URL, "http://") || strings.HasPrefix(media.URL, "https://")
	})
	return medias, err
}

// Posts is a page (from 1) of the posts of a kind, paginate at a time, newest first as the panel orders them.
func (c *Panel) Posts(ctx context.Context, kind string, paginate, page int) (agency.PostPage, error) {
	call, err := c.call(fmt.Sprintf("page %d of the posts of %s", page, kind), "/api/posts/%s/pt", kind)
	if err != nil {
		return agency.PostPage{}, err
	}
	call.Path += fmt.Sprintf("?paginate=%d&page=%d", paginate, page)
	posts, answer, err := readList(ctx, c.client, call, func(shape Post) (agency.Post, bool) {
		return shape.Unwrap(kind), shape.Slug != ""
	})
	if err != nil {
		return agency.PostPage{}, err
	}
	last := answer.lastOrEstimate(page, paginate, (page-1)*paginate)
	return agency.PostPage{Posts: posts, Page: page, LastPage: last}, nil
}

// Post is the post of a kind with this slug.
func (c *Panel) Post(ctx context.Context, kind, slug string) (agency.Post, error) {
	call, err := c.call(fmt.Sprintf("post %q of %s", slug, kind), "/api/posts/%s/pt/%s", kind, slug)
	if err != nil {
		return agency.Post{}, err
	}
	var answer Post
	if err := c.object(ctx, call, &answer); err != nil {
		return agency.Post{}, err
	}
	post := answer.Unwrap(kind)
	if post.Title == "" && post.Body == "" || richtext.Check(post.Body) != nil {
		return agency.Post{}, c.malformed(call.What)
	}
	post.Slug, post.Body = cmp.Or(post.Slug, slug), richtext.MapLinks(post.Body, c.link)
	return post, nil
}

// Entity is a named page, in English where lang is empty or "en". For another language the request has ?language=, and
// Entity.Lang tells whether the panel answered in it.
func (c *Panel) Entity(ctx context.Context, name, lang string) (agency.Entity, error) {
	call, err := c.call(fmt.Sprintf("entity %q", name), "/api/entities/%s", name)
	if err != nil {
		return agency.Entity{}, err
	}
	if base := i18n.Lang(lang).Base(); base != "" && base != i18n.EN { // the panel knows none with a region
		call.Path += "?language=" + url.QueryEscape(string(base))
	}
	var entity agency.Entity
	if err := c.object(ctx, call, &entity); err != nil {
		return agency.Entity{}, err
	}
	entity.Name, entity.Images = cmp.Or(entity.Name, name), Pictures(entity.Images)
	entity.Body = richtext.MapLinks(entity.Body, c.link)
	if entity.Title == "" && entity.Body == "" || richtext.Check(entity.Body) != nil {
		return agency.Entity{}, c.malformed(call.What)
	}
	return entity, nil
}

// link is where a link of a text leads: files have the path that they have on the panel's host, or in the storage.
func (c *Panel) link(to string) string {
	storage, err := url.Parse(c.Storage)
	if err != nil || c.Storage == "" {
		return agency.WebAddress(to)
	}
	for _, prefix := range []string{"/storage/", strings.TrimRight(storage.Path, "/") + "/"} {
		if file, ok := strings.CutPrefix(to, prefix); ok && prefix != "/" {
			return strings.TrimRight(c.Storage, "/") + "/" + file
		}
	}
	return agency.WebAddress(to)
}

// call is a call with names, which a visitor may have typed, in its path. A name that would lead to another path is
// agency.ErrNotFound.
func (c *Panel) call(what, path string, names ...string) (Call, error) {
	escaped := make([]any, len(names))
	for i, name := range names {
		if name == "" || name == "." || name == ".." {
			return Call{}, c.notFound(what)
		}
		escaped[i] = url.PathEscape(name)
	}
	return Call{What: what, Path: fmt.Sprintf(path, escaped...)}, nil
}
