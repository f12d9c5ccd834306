package agency_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/agency"
)

func TestAVideosAddressIsItsID(t *testing.T) {
	youtube := agency.Video{Provider: "youtube", File: "b3Nd1taN_sc"}
	film := agency.Video{Provider: "vimeo", File: "76979871"}
	unlisted := agency.Video{Provider: "vimeo", File: "76979871/8272103f6e"}
	for text, want := range map[string]agency.Video{
		"b3Nd1taN_sc": youtube, " b3Nd1taN_sc ": youtube, "b3Nd1taN_sc?rel=0": youtube, "b3Nd1taN_sc&t=5s": youtube,
		"https://www.youtube.com/watch?v=b3Nd1taN_sc&t=5s":             youtube,
		"http://m.youtube.com/watch?app=desktop&v=b3Nd1taN_sc":         youtube,
		"https://youtu.be/b3Nd1taN_sc?si=abc":                          youtube,
		"youtu.be/b3Nd1taN_sc":                                         youtube,
		"www.youtube.com/shorts/b3Nd1taN_sc?feature=share":             youtube,
		"https://www.youtube-nocookie.com/embed/b3Nd1taN_sc?rel=0":     youtube,
		"//www.youtube.com/live/b3Nd1taN_sc":                           youtube,
		"https://vimeo.com/76979871":                                   film,
		"https://vimeo.com/channels/staffpicks/76979871#t=5s":          film,
		"https://player.vimeo.com/video/76979871":                      film,
		"https://vimeo.com/76979871/8272103f6e":                        unlisted,
		"https://vimeo.com/76979871/8272103f6e?share=copy":             unlisted,
		"https://player.vimeo.com/video/76979871?badge=0&h=8272103f6e": unlisted,
	} {
		got, ok := agency.ParseVideo("YouTube", text)
		assert.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
	for text, want := range map[string]agency.Video{
		"76979871": film, "76979871/8272103f6e": unlisted, "76979871?h=8272103f6e": unlisted,
		"https://youtu.be/b3Nd1taN_sc": youtube,
	} {
		got, ok := agency.ParseVideo("vimeo", text)
		assert.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
	for _, file := range []string{
		"", "https://www.instagram.com/reel/Cx1/", "https://www.youtube.com/@agency", "reel.mp4",
		"https://vimeo.com/agency", "https://evil.example/?https://youtu.be/b3Nd1taN_sc",
	} {
		for _, provider := range []string{"youtube", "vimeo"} {
			_, ok := agency.ParseVideo(provider, file)
			assert.False(t, ok, file)
		}
	}
	_, ok := agency.ParseVideo("dailymotion", "b3Nd1taN_sc")
	assert.False(t, ok)
}

func TestAnAddressWithoutItsSchemeLeadsToItsSite(t *testing.T) {
	for text, want := range map[string]string{
		"www.partner.example": "https://www.partner.example", "instagram.com/agency": "https://instagram.com/agency",
		" Facebook.com/agency?ref=1 ": "https://Facebook.com/agency?ref=1", "agency.com.br": "https://agency.com.br",
		"https://a.example": "https://a.example", "http://a.example": "http://a.example",
		"//a.example/x": "//a.example/x",
		"/about":        "/about", "about": "about", "brochure.pdf": "brochure.pdf",
		"files/brochure.pdf": "files/brochure.pdf", "card.zip": "card.zip",
		"mailto:a@b.example": "mailto:a@b.example", "a@b.com": "a@b.com",
		"#top": "#top", "": "",
		"about.html": "about.html", "javascript:alert(1)": "javascript:alert(1)",
	} {
		assert.Equal(t, want, agency.WebAddress(text), text)
	}
}
