package catalog

import (
	"context"
	"errors"
	"iter"

	"zedcard/internal/agency"
)

// How many posts a blog list shows at first, and how many more at a time.
const (
	FirstPosts = 10
	MorePosts  = 6
)

// Posts is the beginning of a type's list: show is FirstPosts, FirstPosts+MorePosts and so on, and anything else counts
// as FirstPosts. more says whether there are further ones. If the panel fails to give a later part of the list, the
// cached part is returned.
func (c *Catalog) Posts(ctx context.Context, kind string, show int) (posts []agency.Post, more bool, err error) {
	if show < FirstPosts || (show-FirstPosts)%MorePosts != 0 {
		show = FirstPosts
	}
	page, err := c.pages.get(ctx, pageKey{kind, FirstPosts, 1})
	if err != nil {
		return nil, false, err
	}
	list := postList{seen: map[string]bool{}}
	list.add(page.Posts)
	more = page.LastPage > 1

	// Pages of six are counted from the first post, so the first page that has a new post also repeats some; more
	// repeat if a post was published between two fetches.
	for number := FirstPosts/MorePosts + 1; more && show > FirstPosts && number <= show/MorePosts+1; number++ {
		page, err := c.pages.get(ctx, pageKey{kind, MorePosts, number})
		if errors.Is(err, agency.ErrUnavailable) {
			break
		}
		list.add(page.Posts)
		more = err == nil && page.LastPage > number
	}
	if len(list.posts) > show {
		return list.posts[:show], true, nil
	}
	return list.posts, more, nil
}

// postList is posts without repeats.
type postList struct {
	posts []agency.Post
	seen  map[string]bool
}

func (l *postList) add(posts []agency.Post) {
	for _, post := range posts {
		if !l.seen[post.Slug] {
			l.seen[post.Slug] = true
			l.posts = append(l.posts, post)
		}
	}
}

// Post is a single post. If the panel is down and the post is not cached, it is the entry of a cached list, provided
// that it has the text.
func (c *Catalog) Post(ctx context.Context, kind, slug string) (agency.Post, error) {
	if _, cached := c.posts.lookUp(postKey{kind, slug}); !cached && !c.isListed(kind, slug) {
		if err := c.unknown.allow(clientOf(ctx)); err != nil {
			return agency.Post{}, err
		}
	}
	post, err := c.posts.get(ctx, postKey{kind, slug})
	if !errors.Is(err, agency.ErrUnavailable) {
		return post, err
	}
	for listed := range c.listed(kind) {
		if listed.Slug == slug && listed.Body != "" {
			return listed, nil
		}
	}
	return post, err
}

// listed are the posts of a type in cached lists.
func (c *Catalog) listed(kind string) iter.Seq[agency.Post] {
	return func(yield func(agency.Post) bool) {
		for key, page := range c.pages.content() {
			if key.Kind != kind {
				continue
			}
			for _, post := range page.Posts {
				if !yield(post) {
					return
				}
			}
		}
	}
}

func (c *Catalog) isListed(kind, slug string) bool {
	for post := range c.listed(kind) {
		if post.Slug == slug {
			return true
		}
	}
	return false
}
