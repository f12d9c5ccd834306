package views

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/i18n"
	"zedcard/internal/agency"
)

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
		assert.Equal(t, c.embed, VideoEmbed(video, i18n.PT))
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
