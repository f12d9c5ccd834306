package check

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/agency"
)

type content struct {
	pages map[string]agency.Entity
	posts []agency.Post
}

func (c content) Entity(_ context.Context, name, lang string) (agency.Entity, error) {
	if page, ok := c.pages[name+"."+lang]; ok {
		return page, nil
	}
	if name == "safety" {
		return agency.Entity{}, agency.ErrNotFound
	}
	return agency.Entity{}, agency.ErrUnavailable
}

func TestAPageThatNeedNotBeThereIsNotMissed(t *testing.T) {
	for optional, want := range map[string]int{"": 2, "safety": 0} {
		texts := reader{
			content: content{}, pages: []string{"safety"}, optional: []string{optional}, langs: []string{"en", "pt"},
		}
		problems, _ := texts.read(t.Context())
		assert.Len(t, problems, want)
	}
}

func (c content) Posts(context.Context, string, int) ([]agency.Post, bool, error) {
	return c.posts, false, nil
}

func (c content) Post(_ context.Context, _, slug string) (agency.Post, error) {
	for _, post := range c.posts {
		if post.Slug == slug {
			return post, nil
		}
	}
	return agency.Post{}, agency.ErrNotFound
}

func TestPlaceholdersOfTheAgencyAreNamed(t *testing.T) {
	policy := agency.Entity{
		Body: "<p>Best Management [registered name,\naddress] is the controller.</p><p>[name]</p><p>Done.</p>",
	}
	texts := reader{
		content: content{
			pages: map[string]agency.Entity{"privacy.en": policy, "privacy.pt": policy},
			posts: []agency.Post{{Slug: "a", Body: "<p>“A gente [risos] começou cedo.”</p>"}},
		},
		pages: []string{"privacy"}, langs: []string{"en", "pt"}, types: []string{"news"},
		locate: func(of place, words string) string {
			if words == "[registered name,\naddress]" {
				return "pages/privacy.md:4"
			}
			return ""
		},
	}
	problems, placeholders := texts.read(t.Context())
	assert.Empty(t, problems)
	assert.Equal(t, []string{
		"pages/privacy.md:4: [registered name, address] is for the agency to fill in",
		"page privacy (en): [name] is for the agency to fill in",
		"page privacy (pt): [name] is for the agency to fill in",
	}, placeholders)
}

func TestDeadLinksAndPicturesWithoutDescriptionAreNamed(t *testing.T) {
	asked := 0
	texts := reader{
		content: content{
			pages: map[string]agency.Entity{"about.en": {
				Body: `<p><a href="/contact#form">ok</a> <a href="https://else.example/x">else</a>
					<a href="//else.example">else</a>
					<a href="#section-1">here</a> <a href="mailto:a@b.example">mail</a>
					<a href="/kontact">typo</a></p>`,
				Images: []agency.Picture{{File: "staff/1.jpg", Caption: "Helena"}, {File: "staff/2.jpg", Caption: " "}},
			}},
			posts: []agency.Post{
				{Slug: "a", Body: `<p><a href="/kontact">typo</a><img src="b.jpg"><img src="c.jpg" alt="A chair"></p>`},
			},
		},
		pages: []string{"about"}, langs: []string{"en", "pt"}, types: []string{"news"},
		status: func(path string) int {
			asked++
			if path == "/contact" {
				return http.StatusOK
			}
			return http.StatusNotFound
		},
		locate: func(of place, words string) string {
			if of.slug == "a" && words == "b.jpg" {
				return "posts/news/a.md:3"
			}
			return ""
		},
	}
	faults, _ := texts.read(t.Context())
	assert.Equal(t, []string{
		"page about (en): the link to /kontact leads nowhere (404)",
		"page about (en): the picture staff/2.jpg has no caption",
		"page about (pt): can't be read: unavailable",
		"post news/a: the link to /kontact leads nowhere (404)",
		"posts/news/a.md:3: the picture b.jpg has no description",
	}, faults)
	assert.Equal(t, 2, asked, "each path is requested once")
}
