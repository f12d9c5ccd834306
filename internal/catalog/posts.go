package catalog

import (
	"context"
	"errors"

	"zedcard/internal/agency"
)

// How many posts a blog list shows at first, and how many more at a time.
const (
	FirstPosts = 10
	MorePosts  = 6
)

// Posts is the beginning of a type's list: show is FirstPosts, FirstPosts+MorePosts and so on. more says whether there
// are further ones. If the panel fails to give a later part of the list, the cached part is returned.
func (c *Catalog) Posts(ctx context.Context, kind string, show int) (posts []agency.Post, more bool, err error) {
	content := c.content(ctx)
	page, err := content.Posts(ctx, kind, FirstPosts, 1)
	if err != nil {
		return nil, false, err
	}
	seen := map[string]bool{}
	add := func(page []agency.Post) {
		for _, post := range page {
			if !seen[post.Slug] {
				seen[post.Slug] = true
				posts = append(posts, post)
			}
		}
	}
	add(page.Posts)
	more = page.LastPage > 1

	// Pages of six are counted from the first post, so the first page that has a new post also repeats some; more
	// repeat if a post was published between two fetches.
	for number := FirstPosts/MorePosts + 1; more && show > FirstPosts && number <= show/MorePosts+1; number++ {
		page, err := content.Posts(ctx, kind, MorePosts, number)
		if errors.Is(err, agency.ErrUnavailable) {
			break
		}
		add(page.Posts)
		more = err == nil && page.LastPage > number
	}
	if len(posts) > show {
		return posts[:show], true, nil
	}
	return posts, more, nil
}

// Post is a single post.
func (c *Catalog) Post(ctx context.Context, kind, slug string) (agency.Post, error) {
	return c.content(ctx).Post(ctx, kind, slug)
}
