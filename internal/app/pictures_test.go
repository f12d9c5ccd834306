package app

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/config"
	"zedcard/internal/media"
)

func TestPicturesComeOnlyFromStoragesAndBackEnds(t *testing.T) {
	env := map[string]string{
		"PANEL_URL": "https://panel.example", "INTEGRATION_URL": "https://integration.example/v1/",
		"SLIDES_URL": "https://cdn.example/slides/", "PICTURE_HOSTS": "https://photos.example, https://b.example:8443",
	}
	c, err := config.Load(nil, func(name string) string { return env[name] })
	require.NoError(t, err)
	store, err := media.Open(media.Config{Dir: t.TempDir(), Roots: MediaRoots(c, BackEnds{})})
	require.NoError(t, err)
	defer func() { assert.NoError(t, store.Close()) }()
	known := func(file string) bool {
		return !strings.Contains(
			pictures{store, storageRoot}.Sources(agency.Picture{File: file}, agency.CardCrop, false).Src, "/missing/")
	}
	for _, file := range []string{
		"a.jpg", "https://panel.example/storage/a.jpg", "https://panel.example/uploads/a.jpg",
		"https://integration.example/v1/a.jpg", "https://cdn.example/slides/a.jpg",
		"https://photos.example/x/a.jpg?w=1", "https://b.example:8443/a.jpg",
	} {
		assert.True(t, known(file), file)
	}
	for _, file := range []string{
		"http://panel.example/a.jpg", "https://panel.example:8443/a.jpg",
		"https://elsewhere.example/a.jpg", "https://integration.example/a.jpg",
		"https://b.example/a.jpg", "https://elsewhere.example/b.jpg",
	} {
		assert.False(t, known(file), file)
	}
	assert.Equal(t, map[string]int64{
		"http://panel.example": 1, "https://panel.example:8443": 1, "https://integration.example": 1,
		"https://elsewhere.example": 2, "https://b.example": 1,
	}, store.ForeignOrigins())
}
