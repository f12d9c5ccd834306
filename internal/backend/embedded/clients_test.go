package embedded_test

import (
	"archive/zip"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/backend/embedded"
	"zedcard/internal/backend/integration"
	"zedcard/internal/backend/panel"
)

// TestClientsReadWhatTheFolderHolds compares what the clients make of the answers with what is answered without HTTP.
func TestClientsReadWhatTheFolderHolds(t *testing.T) {
	ctx, inbox := t.Context(), &memoryInbox{}
	b, err := embedded.Open(embedded.Demo(), embedded.Config{
		PanelSalt: "ps", APIToken: "pt", IntegrationSalt: "is", APIKey: "ik", Inbox: inbox,
	})
	require.NoError(t, err)
	server := httptest.NewServer(b.Handler())
	defer server.Close()
	integrations := integration.New(integration.Config{BaseURL: server.URL, Salt: "is", APIKey: "ik"})
	panels := panel.New(panel.Config{BaseURL: server.URL, Salt: "ps", APIToken: "pt"})

	talents, err := b.Talents(ctx)
	require.NoError(t, err)
	equal(t, talents)(integrations.Talents(ctx))
	for _, talent := range talents {
		profile, err := b.Profile(ctx, talent.ID)
		require.NoError(t, err)
		equal(t, profile)(integrations.Profile(ctx, talent.ID))
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

	_, err = integrations.Profile(ctx, "987654321")
	require.ErrorIs(t, err, agency.ErrNotFound)
	_, err = panels.Post(ctx, "news", "no-such-post")
	require.ErrorIs(t, err, agency.ErrNotFound)
	_, err = panels.Entity(ctx, "no-such-entity", "")
	require.ErrorIs(t, err, agency.ErrNotFound)

	message := agency.Submission{ID: "key-1", Kind: agency.Contact, Fields: []agency.Field{
		{Name: "name", Value: "Zoë"}, {Name: "email", Value: "zoe@example.org"}, {Name: "message", Value: "Olá"},
	}}
	require.NoError(t, panels.Send(ctx, message))
	require.NoError(t, panels.Send(ctx, message), "a submission that the panel has is delivered")
	assert.Equal(t, []agency.Submission{message}, inbox.kept)
	message.ID, message.Fields = "key-2", message.Fields[:1]
	err = panels.Send(ctx, message)
	require.ErrorIs(t, err, agency.ErrRejected)
	assert.Contains(t, err.Error(), "email", "the refusal names what is missing")

	for name, write := range map[string]func(*os.File) error{
		"one": func(file *os.File) error { return integrations.Composite(ctx, *talents[0], file) },
		"both": func(file *os.File) error {
			return integrations.Composites(ctx, []string{talents[0].ID, talents[1].ID}, file)
		},
	} {
		path := filepath.Join(t.TempDir(), name)
		file, err := os.Create(path)
		require.NoError(t, err)
		require.NoError(t, write(file))
		require.NoError(t, file.Close())
		archive, err := zip.OpenReader(path)
		require.NoError(t, err)
		assert.NotEmpty(t, archive.File)
		require.NoError(t, archive.Close())
	}
}

// equal compares the result of a call with what it should be.
func equal[T any](t *testing.T, want T) func(T, error) {
	return func(got T, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}
