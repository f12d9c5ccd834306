package remote_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/remote"
	"zedcard/internal/testkit"
)

func TestSlidesNameTheirCarousel(t *testing.T) {
	fake := testkit.NewFake(t)
	fake.Break("/api/slides/home", testkit.Answer(`{"data": [
		{"image_mobile": "m1.jpg", "image_desktop": "d1.jpg", "description": "1", "talent": 7},
		{"image_mobile": "m2.jpg", "description": 2},
		{"image_desktop": "d3.jpg", "description": "<p>2</p>"},
		{"image_desktop": "d4.jpg", "description": null},
		{"description": "1"},
		"unreadable"
	]}`))
	slides, err := fake.Panel().Slides(t.Context(), "home")
	require.NoError(t, err)
	assert.Equal(t, []agency.Slide{
		{Mobile: "m1.jpg", Desktop: "d1.jpg", Group: 1, Talent: "7"}, {Mobile: "m2.jpg", Group: 2},
		{Desktop: "d3.jpg", Group: 2}, {Desktop: "d4.jpg"},
	}, slides)
}

func TestPostsAreAskedForInPortugueseByPages(t *testing.T) {
	fake := testkit.NewFake(t)
	page, err := fake.Panel().Posts(t.Context(), "news", 6, 2)
	require.NoError(t, err)
	assert.Equal(t, agency.PostPage{Posts: fake.Content().Posts["news"][6:12], Page: 2, LastPage: 3}, page)
	request := fake.Requests("/api/posts")[0]
	assert.Equal(t, "/api/posts/news/pt", request.Path)
	assert.Equal(t, "page=2&paginate=6", request.Query.Encode())

	_, err = fake.Panel().Posts(t.Context(), "gossip", 10, 1)
	require.ErrorIs(t, err, agency.ErrNotFound)
}

func TestAFullPageOfPostsHasANextOneUnlessThePanelSaysOtherwise(t *testing.T) {
	fake := testkit.NewFake(t)
	for answer, last := range map[string]int{
		`{"data": [{"slug": "a"}, {"slug": "b"}], "current_page": 3}`:                   4,
		`{"data": [{"slug": "a"}], "current_page": 3}`:                                  3,
		`[{"slug": "a"}, {"slug": "b"}]`:                                                4,
		`{"data": {"data": [{"slug": "a"}, {"slug": "b"}], "last_page": "3"}}`:          3,
		`{"data": [{"slug": "a"}, {"title": "without a slug"}, null], "last_page": 12}`: 12,
	} {
		fake.Break("/api/posts", testkit.Answer(answer))
		page, err := fake.Panel().Posts(t.Context(), "news", 2, 3)
		require.NoError(t, err)
		assert.Equal(t, last, page.LastPage, answer)
		assert.Equal(t, 3, page.Page)
		assert.Equal(t, agency.Post{Type: "news", Slug: "a"}, page.Posts[0])
	}
}

func TestAPostIsReadWithItsDateInAnyCommonFormat(t *testing.T) {
	fake := testkit.NewFake(t)
	want := fake.Content().Posts["news"][4]
	post, err := fake.Panel().Post(t.Context(), "news", want.Slug)
	require.NoError(t, err)
	assert.Equal(t, want, post)

	nine := time.Date(2026, 5, 4, 9, 30, 0, 0, time.UTC)
	for text, date := range map[string]time.Time{
		`"2026-05-04T09:30:00.000000Z"`:   nine,
		`"2026-05-04T06:30:00-03:00"`:     nine,
		`"2026-05-04 09:30:00"`:           nine,
		`"2026-05-04T09:30:00"`:           nine,
		`"2026-05-04 09:30"`:              nine,
		`"Mon, 04 May 2026 09:30:00 GMT"`: nine,
		`1777887000`:                      nine,
		`"1777887000"`:                    nine,
		`"2026-05-04"`:                    nine.Truncate(24 * time.Hour),
		`"04/05/2026"`:                    nine.Truncate(24 * time.Hour),
		`"soon"`:                          {},
		`null`:                            {},
		`""`:                              {},
		`{"date": 1}`:                     {},
	} {
		fake.Break("/api/posts", testkit.Answer(`{"title": "T", "published_at": `+text+`}`))
		post, err := fake.Panel().Post(t.Context(), "editorial", "a-slug")
		require.NoError(t, err)
		assert.True(t, date.Equal(post.PublishedAt), "date %s is parsed as %s", text, post.PublishedAt)
		assert.Equal(t, "editorial", post.Type)
		assert.Equal(t, "a-slug", post.Slug)
	}
}

func TestEntitiesAreRequestedWithTheLanguageExceptInEnglish(t *testing.T) {
	fake := testkit.NewFake(t)
	for _, lang := range []string{"", "en", "pt"} {
		entity, err := fake.Panel().Entity(t.Context(), "about", lang)
		require.NoError(t, err)
		assert.Equal(t, fake.Content().Entities[0], entity, "the fake panel ignores the language")
	}
	requests := fake.Requests("/api/entities/about")
	assert.Empty(t, requests[0].Query)
	assert.Empty(t, requests[1].Query)
	assert.Equal(t, "language=pt", requests[2].Query.Encode())

	fake.Break("/api/entities",
		testkit.Answer(`{"data": {"title": "Sobre nós", "body": "<p>", "language": "pt"}}`))
	entity, err := fake.Panel().Entity(t.Context(), "about", "pt")
	require.NoError(t, err)
	assert.Equal(t, agency.Entity{Name: "about", Title: "Sobre nós", Body: "<p>", Lang: "pt"}, entity)
}

func TestACallThatKeepsFailingLeavesTheOthersAlone(t *testing.T) {
	fake := testkit.NewFake(t)
	for _, path := range []string{"/api/social-medias", "/api/entities/safety"} {
		fake.Break(path, testkit.Status(500))
	}
	c := fake.Panel()
	for range 10 {
		_, err := c.SocialMedias(t.Context())
		require.ErrorIs(t, err, agency.ErrUnavailable)
		_, err = c.Entity(t.Context(), "safety", "")
		require.ErrorIs(t, err, agency.ErrUnavailable)
	}
	assert.Less(t, len(fake.Requests("/api/social-medias")), 20, "its own circuit is open")
	_, err := c.Entity(t.Context(), "about", "")
	require.NoError(t, err)
}

func TestAddressesOfAPanelLeadWhereTheyAreMeantTo(t *testing.T) {
	fake := testkit.NewFake(t)
	fake.Break("/api/social-medias", testkit.Answer(`{"data": [{"name": "Instagram", "url": "instagram.com/agency"},
		{"name": "X", "url": "javascript:alert(1)"}, {"name": "Site", "url": "http://a.example"}]}`))
	c := fake.Panel()
	c.Storage = "https://cdn.example/files/"
	medias, err := c.SocialMedias(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []agency.SocialMedia{
		{Name: "Instagram", URL: "https://instagram.com/agency"}, {Name: "Site", URL: "http://a.example"},
	}, medias)

	for to, want := range map[string]string{
		"/storage/brochure.pdf": "https://cdn.example/files/brochure.pdf",
		"/files/b.pdf":          "https://cdn.example/files/b.pdf",
		"www.partner.example":   "https://www.partner.example",
		"/about?a=1&amp;b=2":    "/about?a=1&amp;b=2", "brochure.pdf": "brochure.pdf",
	} {
		text := `<p title='a'>See <a class=\"b\" href=\"` + to + `\">it</a> &amp; <img src=\"/storage/a.jpg\"></p>`
		fake.Break("/api/", testkit.Answer(`{"data": {"title": "T", "body": "`+text+`"}}`))
		fake.Break("/api/login", testkit.Answer(`{"token": "t"}`))
		entity, err := c.Entity(t.Context(), "about", "")
		require.NoError(t, err)
		post, err := c.Post(t.Context(), "news", "a")
		require.NoError(t, err)
		for _, body := range []string{entity.Body, post.Body} {
			assert.Equal(t, strings.ReplaceAll(strings.Replace(text, to, want, 1), `\"`, `"`), body)
		}
	}
}

func TestATextThatNestsTooDeepToBeShownIsUnavailable(t *testing.T) {
	fake := testkit.NewFake(t)
	deep := strings.Repeat("<blockquote>", 2000)
	fake.Break("/api/", testkit.Answer(`{"data": {"title": "About us", "slug": "deep", "body": "`+deep+`"}}`))
	fake.Break("/api/login", testkit.Answer(`{"token": "t"}`))
	_, err := fake.Panel().Entity(t.Context(), "about", "")
	require.ErrorIs(t, err, agency.ErrUnavailable)
	_, err = fake.Panel().Post(t.Context(), "news", "deep")
	require.ErrorIs(t, err, agency.ErrUnavailable)
}

func TestNamesAreEscapedInRequestPaths(t *testing.T) {
	fake := testkit.NewFake(t)
	for _, slug := range []string{
		"", ".", "..", "../../slides/home", "a/b", "a?page=2", "a#b", "%2e%2e", "/api/login",
	} {
		_, err := fake.Panel().Post(t.Context(), "news", slug)
		require.ErrorIs(t, err, agency.ErrNotFound, "%q", slug)
		_, err = fake.Panel().Entity(t.Context(), slug, "")
		require.ErrorIs(t, err, agency.ErrNotFound, "%q", slug)
	}
	for _, request := range fake.Requests("GET ") {
		assert.Regexp(t, `^/api/(posts/news/pt|entities)/.`, request.Path)
		assert.Empty(t, request.Query)
	}
}

func TestUnusableAnswersAreUnavailable(t *testing.T) {
	fake := testkit.NewFake(t)
	c := fake.Panel()
	for what, read := range map[string]func() (any, error){
		"entity": func() (any, error) { return c.Entity(t.Context(), "about", "") },
		"post":   func() (any, error) { return c.Post(t.Context(), "news", "post-1") },
		"posts":  func() (any, error) { return c.Posts(t.Context(), "news", 10, 1) },
		"slides": func() (any, error) { return c.Slides(t.Context(), "home") },
		"social": func() (any, error) { return c.SocialMedias(t.Context()) },
	} {
		for name, fault := range map[string]testkit.Fault{
			"HTML": testkit.HTML(), "a message": testkit.Answer(`{"message": "Too busy"}`),
			"a text": testkit.Answer(`"x"`), "cut": testkit.Truncate(), "a refusal": testkit.Status(403),
			"an empty object": testkit.Answer(`{"data": {}}`),
			"another shape":   testkit.Answer(`{"data": [{"picture": "a.jpg"}]}`),
		} {
			fake.Heal()
			fake.Break("GET ", fault)
			_, err := read()
			require.ErrorIs(t, err, agency.ErrUnavailable, "%s, %s", what, name)
		}
	}
	fake.Break("GET ", testkit.Answer(`{"data": []}`))
	slides, err := c.Slides(t.Context(), "home")
	require.NoError(t, err, "an empty list is one")
	assert.Empty(t, slides)
}

func FuzzPanelAnswers(f *testing.F) {
	f.Add(
		`{"data": [{"slug": "a", "title": "T", "published_at": "2026-05-04", "url": "x", "image_mobile": "m", ` +
			`"description": "1"}], "last_page": 2}`)
	f.Add(
		`{"data": {"slug": "a", "title": {"value": "T"}, "body": "<p>", "images": [{"file": "a", "width": "-1"}, 5]}}`)
	f.Add(`{"data": {"data": {"data": {"data": []}}}, "last_page": 1e999}`)
	f.Fuzz(func(t *testing.T, answer string) {
		c := remote.NewPanel(testkit.Saying(answer))
		page, err := c.Posts(t.Context(), "news", 10, 1)
		require.Equal(t, err == nil, page.Page == 1)
		slides, err := c.Slides(t.Context(), "home")
		require.False(t, err != nil && slides != nil)
		entity, err := c.Entity(t.Context(), "about", "pt")
		require.Equal(t, err == nil, entity.Name != "")
		post, err := c.Post(t.Context(), "news", "a")
		require.Equal(t, err == nil, post.Slug != "")
	})
}
