package media

import (
	"encoding/base64"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
)

// TestExternalImageServerByTemplate: the addresses are as imgproxy's documentation says, also of an original whose name
// has characters with a meaning in URLs.
func TestExternalImageServerByTemplate(t *testing.T) {
	server := func(name string) *Store {
		return open(t, &storage{}, func(c *Config) {
			c.Roots[0].URL, _ = url.Parse("https://panel.example/storage/")
			c.Template = "https://images.example/insecure/rs:fill:{width}:{height}/g:fp:{x}:{y}/" + name
		})
	}
	s := server("plain/{url}@{format}")
	source := pictureOf(s, "talents/joão 1@2.jpg", Options{Crop: Card}, 360)
	assert.Equal(t, "https://images.example/insecure/rs:fill:360:480/g:fp:0.50:0.33/plain/"+
		"https%3A%2F%2Fpanel.example%2Fstorage%2Ftalents%2Fjo%25C3%25A3o%25201%402.jpg@jpg", source.Src)
	assert.Contains(t, source.AVIF, "@avif 360w")
	assert.Contains(t, sourceOf(s, "a.jpg", 360).Src, "rs:fill:360:0/", "in proportion")
	chosen := pictureOf(s, "a.jpg", Options{Crop: Card, Focus: agency.Focus{X: 50, Y: 20}}, 360)
	assert.Contains(t, chosen.Src, "/g:fp:0.50:0.20/")

	const escaped = "https://panel.example/storage/talents/jo%C3%A3o%2050%25/1@2+3.jpg"
	assert.Contains(t, pictureOf(s, escaped, Options{}, 360).Src, "/plain/https%3A%2F%2Fpanel.example%2Fstorage%2F"+
		"talents%2Fjo%25C3%25A3o%252050%2525%2F1%402%2B3.jpg@jpg")
	assert.Contains(t, pictureOf(server("{url64}.{format}"), escaped, Options{}, 360).Src,
		"/"+base64.RawURLEncoding.EncodeToString([]byte(escaped))+".jpg")

	for bad, why := range map[string]string{
		"https://images.example/": "needs {url}", "https://images.example/{url}": "needs {url}",
		"https://i.example/{url}/{width}/{quality}": "unknown {quality}",
		"https://i.example/{url},{width}":           "in a srcset",
		"https://i.example/{url}/{width}":           `storage "s" has no address`,
	} {
		_, err := Open(Config{Dir: t.TempDir(), Template: bad, Roots: []Root{{Name: "s", Transport: &storage{}}}})
		require.ErrorIs(t, err, ErrTemplate)
		assert.ErrorContains(t, err, why)
	}
}

func TestEscapesInAPathAreKept(t *testing.T) {
	base, err := url.Parse("https://panel.example/st%C3%B3rage/")
	require.NoError(t, err)
	s := &Store{roots: []*Root{{Name: "s", URL: base}}}
	for file, want := range map[string]string{
		"a b.jpg":       "a%20b.jpg",
		"a%20b.jpg":     "a%20b.jpg",
		"a%20b c.jpg":   "a%20b%20c.jpg",
		"olá.jpg":       "ol%C3%A1.jpg",
		"100%.jpg":      "100%25.jpg",
		"a%3Fb.jpg?v=1": "a%3Fb.jpg?v=1",
		"https://panel.example/st%C3%B3rage/a%3Fb%20c.jpg": "a%3Fb%20c.jpg",
		"https://panel.example/stórage/a b.jpg":            "a%20b.jpg",
	} {
		p, ok := s.resolve(file, "")
		require.True(t, ok, file)
		assert.Equal(t, "https://panel.example/st%C3%B3rage/"+want, s.roots[0].address(p.path).String(), file)
	}
}
