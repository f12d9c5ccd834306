package views

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/i18n"
	"zedcard/internal/agency"
)

// A narrow column breaks long words only, between syllables and with a hyphen.
func TestBreakable(t *testing.T) {
	for name, want := range map[string]string{
		"Benedita Nascimento":       "Benedita Nascimento",
		"de Albuquerque-Montenegro": "de Albu&shy;querque-Montenegro",
		"Mercè Puigdomènech":        "Mercè Puigdo&shy;mènech",
		"Hrafnsdottirstrcht":        "Hrafnsdot&shy;tirstrcht",
		"O&B":                       "O&amp;B",
	} {
		assert.Equal(t, want, breakable(name))
	}
}

func TestVideosLinkToTheirProviders(t *testing.T) {
	for _, c := range []struct{ provider, file, page, embed string }{
		{
			"youtube", "b3Nd1taN_sc", "https://www.youtube.com/watch?v=b3Nd1taN_sc",
			"https://www.youtube-nocookie.com/embed/b3Nd1taN_sc?autoplay=1&hl=pt&playsinline=1&rel=0",
		},
		{
			"vimeo", "948120376", "https://vimeo.com/948120376",
			"https://player.vimeo.com/video/948120376?autoplay=1&dnt=1",
		},
		{
			"Vimeo", "871503294/6f0c1e92ab", "https://vimeo.com/871503294/6f0c1e92ab",
			"https://player.vimeo.com/video/871503294?autoplay=1&dnt=1&h=6f0c1e92ab",
		},
		{
			"youtube", "../x?y=\"", "https://www.youtube.com/watch?v=..%2Fx%3Fy%3D%22",
			"https://www.youtube-nocookie.com/embed/..%2Fx%3Fy=%22?autoplay=1&hl=pt&playsinline=1&rel=0",
		},
	} {
		video := agency.Video{Provider: c.provider, File: c.file}
		assert.Equal(t, c.page, VideoPage(video))
		assert.Equal(t, c.embed, VideoEmbed(video, i18n.Of(i18n.PT)))
	}
}

func TestPreviewsAreNotLoadedFromProviders(t *testing.T) {
	assert.Equal(t, "https://i.ytimg.com/vi/abc/hqdefault.jpg",
		previewFile(agency.Video{Provider: "youtube", File: "abc"}))
	assert.Equal(t, "own.jpg", previewFile(agency.Video{Provider: "youtube", File: "abc", Preview: "own.jpg"}))
	assert.Empty(t, previewFile(agency.Video{Provider: "vimeo", File: "1"}))
	assert.True(t, foreignPreview("https://i.ytimg.com/vi/abc/hqdefault.jpg"))
	assert.True(t, foreignPreview("https://i.vimeocdn.com/video/1.jpg"))
	assert.False(t, foreignPreview("/media/abc/u720.jpg"))
	assert.False(t, foreignPreview("https://storage.example/ytimg.com.jpg"))
}

var (
	portrait  = agency.Picture{Width: 800, Height: 1200}
	square    = agency.Picture{Width: 900, Height: 900}
	landscape = agency.Picture{Width: 1200, Height: 800}
	narrow    = agency.Picture{Width: 1, Height: 100}
	wide      = agency.Picture{Width: 100, Height: 1}
)

func TestPicturesStandInColumns(t *testing.T) {
	for name, c := range map[string]struct {
		pictures []agency.Picture
		places   []place
	}{
		"two have halves": {[]agency.Picture{portrait, square}, []place{{3, 76, false}, {3, 51, false}}},
		"of three the first ends with the two beside it": {
			[]agency.Picture{portrait, portrait, portrait}, []place{{4, 100, false}, {2, 50, false}, {2, 50, false}},
		},
		"unless they are much lower": {
			[]agency.Picture{portrait, square, square}, []place{{4, 101, false}, {2, 34, false}, {2, 34, false}},
		},
		"four have two columns": {
			[]agency.Picture{portrait, square, portrait, portrait},
			[]place{{3, 76, false}, {3, 51, false}, {3, 76, false}, {3, 76, false}},
		},
		"five begin as three": {
			[]agency.Picture{portrait, portrait, portrait, portrait, square},
			[]place{{4, 100, false}, {2, 50, false}, {2, 50, false}, {3, 76, false}, {3, 51, false}},
		},
		"a landscape goes across, or beside a single portrait": {
			[]agency.Picture{landscape, portrait, landscape}, []place{{6, 69, true}, {3, 76, false}, {3, 35, true}},
		},
		"a single portrait":            {[]agency.Picture{portrait}, []place{{4, 101, false}}},
		"a single landscape":           {[]agency.Picture{landscape}, []place{{6, 69, true}}},
		"a picture of unknown size":    {[]agency.Picture{{}}, []place{{4, 104, false}}},
		"the narrowest and the widest": {[]agency.Picture{narrow, wide}, []place{{3, 124, false}, {3, 27, true}}},
	} {
		assert.Equal(t, c.places, masonry(c.pictures, false), name)
	}
	assert.Equal(t, []place{{4, 105, false}}, masonry([]agency.Picture{portrait}, true), "with a caption")
}

// The script is tested with the same table (islands/photo-picker/name.test.ts).
func TestALongFileNameIsCut(t *testing.T) {
	data, err := os.ReadFile("testdata/names.json")
	require.NoError(t, err)
	var table map[string]string
	require.NoError(t, json.Unmarshal(data, &table))
	for name, shown := range table {
		assert.Equal(t, shown, ShortName(name))
	}
}
