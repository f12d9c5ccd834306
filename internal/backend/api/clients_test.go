package api_test

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/backend/api"
	"zedcard/internal/backend/embedded"
	"zedcard/internal/backend/integration"
	"zedcard/internal/backend/panel"
	"zedcard/internal/backend/wire"
)

// TestClientsReadWhatTheFolderHolds compares what the clients make of the answers with what is answered without HTTP.
func TestClientsReadWhatTheFolderHolds(t *testing.T) {
	ctx := t.Context()
	b, err := embedded.Open(embedded.Demo(), embedded.Config{})
	require.NoError(t, err)
	server := httptest.NewServer(api.New(b, api.Config{
		PanelSalt: "ps", APIToken: "pt", IntegrationSalt: "is", APIKey: "ik",
	}))
	defer server.Close()
	integrations := integration.New(integration.Config{Config: wire.Config{BaseURL: server.URL, Salt: "is", Key: "ik"}})
	panels := panel.New(wire.Config{BaseURL: server.URL, Salt: "ps", Key: "pt"})

	talents, err := b.Talents(ctx)
	require.NoError(t, err)
	listed, err := integrations.Talents(ctx)
	equal(t, talents)(listed, err)
	for _, talent := range talents {
		profile, err := b.Profile(ctx, talent.ID)
		require.NoError(t, err)
		read, err := integrations.Profile(ctx, talent.ID)
		equal(t, profile)(read, err)
	}
	for _, query := range []agency.OptionsQuery{{Language: "en"}, {Language: "pt", Country: "BR"}} {
		options, err := b.Options(ctx, query)
		require.NoError(t, err)
		options.Chest, options.Jeans, options.Shirt, options.Weight = nil, nil, nil, nil // for no form of the site
		equal(t, options)(integrations.Options(ctx, query))
	}

	slides, err := b.Slides(ctx, "home")
	require.NoError(t, err)
	equal(t, slides)(panels.Slides(ctx, "home"))
	for page := 1; page <= 3; page++ {
		posts, err := b.Posts(ctx, "news", 1, page)
		require.NoError(t, err)
		posts.Posts = slices.Clone(posts.Posts)
		for i := range posts.Posts { // a client trims texts
			posts.Posts[i].Body = strings.TrimSpace(posts.Posts[i].Body)
		}
		equal(t, posts)(panels.Posts(ctx, "news", 1, page))
		for _, post := range posts.Posts {
			equal(t, post)(panels.Post(ctx, "news", post.Slug))
		}
	}
	for _, lang := range []string{"", "pt", "es"} {
		about, err := b.Entity(ctx, "about", lang)
		require.NoError(t, err)
		about.Body = strings.TrimSpace(about.Body)
		equal(t, about)(panels.Entity(ctx, "about", lang))
	}
	medias, err := b.SocialMedias(ctx)
	require.NoError(t, err)
	equal(t, medias)(panels.SocialMedias(ctx))
}

// equal compares the result of a call with what it should be.
func equal[T any](t *testing.T, want T) func(T, error) {
	return func(got T, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}
