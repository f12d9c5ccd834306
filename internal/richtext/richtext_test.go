package richtext

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func pictures(src string) Picture {
	if strings.HasPrefix(src, "http") {
		return Picture{}
	}
	return Picture{Src: "/storage/" + src}
}

func TestTheFirstParagraphIsTheLedeAndHeadingsGetIDs(t *testing.T) {
	text, err := Clean("<p>We are <b>few</b>.</p><h2>Who</h2><p>People.</p><h2>What</h2>", pictures)
	require.NoError(t, err)
	assert.Equal(t, "<p>We are <b>few</b>.</p>", text.Lede)
	assert.Equal(t, `<h2 id="section-1">Who</h2><p>People.</p><h2 id="section-2">What</h2>`, text.Body)
	assert.Equal(t, []Heading{{"section-1", "Who"}, {"section-2", "What"}}, text.Headings)
}

func TestPicturesGoThroughTheSite(t *testing.T) {
	text, err := Clean(`<h3>x</h3><img src="a.jpg" alt="A" onerror="x()"><img src="http://169.254.169.254/a.jpg">`, pictures)
	require.NoError(t, err)
	assert.Equal(t, `<h3>x</h3><img src="/storage/a.jpg" alt="A" loading="lazy"/>`, text.Body)
}

func TestPicturesComeInEveryFormatAndKeepTheirPlace(t *testing.T) {
	text, err := Clean(`<h2>x</h2><figure><img src="a.jpg" alt="A" width="9999"><figcaption>B</figcaption></figure>`, func(string) Picture {
		return Picture{Src: "/a.jpg", Srcset: "/a.jpg 360w", Sizes: "50vw", Better: []Set{{"image/avif", "/a.avif 360w"}}, Width: 360, Height: 480}
	})
	require.NoError(t, err)
	assert.Equal(t, `<h2 id="section-1">x</h2><figure><picture><source type="image/avif" srcset="/a.avif 360w" sizes="50vw"/>`+
		`<img src="/a.jpg" alt="A" width="360" srcset="/a.jpg 360w" sizes="50vw" height="480" loading="lazy"/></picture><figcaption>B</figcaption></figure>`, text.Body)
}

func TestNothingHostileIsLeft(t *testing.T) {
	for _, hostile := range []string{
		`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `<svg onload=alert(1)>`, `<svg><script>alert(1)</script></svg>`,
		`<a href="javascript:alert(1)">x</a>`, `<a href="JaVaScRiPt:alert(1)">x</a>`, `<a href="data:text/html,<script>alert(1)</script>">x</a>`,
		`<iframe src="https://evil.example"></iframe>`, `<object data="x"></object>`, `<embed src=x>`, `<link rel=stylesheet href=//evil.example>`,
		`<style>body{background:url(//evil.example)}</style>`, `<p style="background:url(//evil.example)">x</p>`, `<p onclick=alert(1)>x</p>`,
		`<div hx-get="/x" hx-trigger="load">x</div>`, `<p data-hx-get="/x">x</p>`, `<p id="main">x</p>`, `<a name="main">x</a>`,
		`<form action="//evil.example"><input name=q></form>`, `<base href="//evil.example">`, `<meta http-equiv=refresh content="0;url=//evil.example">`,
		`<math><mtext><script>alert(1)</script></mtext></math>`, `<video src=//evil.example autoplay></video>`, `<audio src=x onerror=alert(1)>`,
		`<details open ontoggle=alert(1)>x</details>`, `<marquee onstart=alert(1)>x</marquee>`, `<template><script>alert(1)</script></template>`,
		`<noscript><p title="</noscript><img src=x onerror=alert(1)>">`, `<p class="menu on-ink">x</p>`, `<button formaction="javascript:alert(1)">x</button>`,
		`<img srcset="//evil.example/x.jpg 2x" src="a.jpg">`, `<table background="//evil.example"><tr><td>x</td></tr></table>`,
		`<<script>script>alert(1)</script>`, `<img src="` + "`" + `" onerror=alert(1)>`, `<!--><img src=x onerror=alert(1)>-->`,
	} {
		text, err := Clean(hostile, pictures)
		require.NoError(t, err, hostile)
		all := strings.ToLower(text.Lede + text.Body)
		for _, bad := range []string{"<script", "onerror", "onload", "onclick", "ontoggle", "onstart", "javascript:", "data:text", "evil.example",
			"<iframe", "<object", "<embed", "<style", "style=", "hx-", `id="main"`, `name="main"`, "<form", "<input", "class=", "<svg", "formaction"} {
			assert.NotContains(t, strings.ReplaceAll(all, "&lt;", ""), bad, hostile)
		}
	}
}
