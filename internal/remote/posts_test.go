package remote

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/catalog"
)

func numbered(n int) (posts []agency.Post) {
	for i := range n {
		posts = append(posts, agency.Post{ID: fmt.Sprint(i), Slug: fmt.Sprint("post-", i), Body: "text"})
	}
	return posts
}

func TestPostsAreFetchedPageByPage(t *testing.T) {
	f := newFake()
	f.posts = numbered(25)
	c := open(t, f, "")
	for _, test := range []struct {
		show, shown int
		more        bool
	}{
		{10, 10, true}, {16, 16, true}, {22, 22, true}, {28, 25, false}, {34, 25, false},
	} {
		posts, more, err := c.Posts(t.Context(), "news", test.show)
		require.NoError(t, err)
		assert.Equal(t, f.posts[:test.shown], posts, "show %d", test.show)
		assert.Equal(t, test.more, more, "show %d", test.show)
	}
	want := map[string]int{"posts news 10/1": 1}
	for page := 2; page <= 5; page++ {
		want[fmt.Sprintf("posts news 6/%d", page)] = 1
	}
	assert.Equal(t, want, f.calls, "each further page is fetched once")

	for total, more := range map[int]bool{0: false, 1: false, 10: false, 11: true, 16: false} {
		f := newFake()
		f.posts = numbered(total)
		show := max(catalog.FirstPosts, total/16*16)
		posts, got, err := open(t, f, "").Posts(t.Context(), "news", show)
		require.NoError(t, err)
		assert.Len(t, posts, min(total, show))
		assert.Equal(t, more, got, "%d posts", total)
	}
}

func TestAPostPublishedBetweenPagesRepeatsNone(t *testing.T) {
	f := newFake()
	f.posts = numbered(20)
	c := open(t, f, "")
	_, _, err := c.Posts(t.Context(), "news", 10)
	require.NoError(t, err)
	f.set(func() { f.posts = append([]agency.Post{{ID: "new", Slug: "new"}}, f.posts...) })
	posts, _, err := c.Posts(t.Context(), "news", 16)
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, post := range posts {
		assert.False(t, seen[post.Slug], "%s is listed once", post.Slug)
		seen[post.Slug] = true
	}
	assert.Len(t, posts, 16)
}

func TestCachedPostsAreServedWhenALaterPageFails(t *testing.T) {
	f := newFake()
	f.posts = numbered(25)
	c := open(t, f, "")
	_, _, err := c.Posts(t.Context(), "news", 16)
	require.NoError(t, err)
	f.set(func() { f.panelDown = errDown })
	posts, more, err := c.Posts(t.Context(), "news", 22)
	require.NoError(t, err)
	assert.Len(t, posts, 18, "the posts of the cached pages are served")
	assert.True(t, more)
	_, _, err = c.Posts(t.Context(), "editorial", 10)
	assert.ErrorIs(t, err, agency.ErrUnavailable)
}
