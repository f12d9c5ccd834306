package brand_test

import (
	"bytes"
	"image/png"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/brand"
)

var token = regexp.MustCompile(`(?m)^  "?([a-z0-9-]+)"?: "(#[0-9a-f]{6})"`)

func TestTheProgramsColoursAreThoseOfTheStyleSheet(t *testing.T) {
	theme, err := os.ReadFile("../../tailwind.config.js")
	require.NoError(t, err)
	found := token.FindAllStringSubmatch(string(theme), -1)
	require.Len(t, found, 18)
	for _, token := range found {
		assert.Equal(t, token[2], brand.Of(nil).Hex(token[1]), token[1])
	}
	assert.Empty(t, brand.Of(nil).Files, "the program's own look needs no other files")
}

// Whatever the three colours are, what is read has its contrast.
func TestEveryShadeOfABrandCanBeRead(t *testing.T) {
	for name, colours := range map[string]agency.Brand{
		"blue on cream":    {Ink: "#102a43", Paper: "#fffaf2", Accent: "#0b5d66"},
		"white on black":   {Ink: "#f5f5f5", Paper: "#0a0a0a", Accent: "#f2c200"},
		"just enough":      {Ink: "#767676", Paper: "#ffffff", Accent: "#767676"},
		"a middle paper":   {Ink: "#000000", Paper: "#8a8a8a"},
		"accent alone":     {Accent: "#7a1f5c"},
		"red on dark blue": {Ink: "#ffe9e6", Paper: "#1b2a49"},
	} {
		require.Empty(t, brand.Check(&colours), name)
		look := brand.Of(&colours)
		for _, pair := range []struct {
			text, below string
			least       float64
		}{
			{"ink", "paper", 4.5}, {"ink-2", "paper", 4.5}, {"accent", "paper", 4.5}, {"action", "paper", 4.5},
			{"placeholder", "paper", 4.5}, {"mark", "paper", 4.5}, {"line", "paper", 3}, {"disabled", "paper", 3},
			{"on-ink", "ink", 4.5}, {"on-ink-2", "ink", 4.5}, {"accent-on-ink", "ink", 4.5},
			{"mark-on-ink", "ink", 4.5},
		} {
			ratio := brand.Contrast(look.Colour(pair.text), look.Colour(pair.below))
			assert.GreaterOrEqual(t, ratio, pair.least, "%s: %s on %s", name, pair.text, pair.below)
		}
	}
}

func TestAColourThatCannotBeReadIsNamedWithOneThatCan(t *testing.T) {
	wrong := brand.Check(&agency.Brand{Accent: "#f2c200"})
	require.Len(t, wrong, 1)
	assert.Equal(t, "accent", wrong[0].Field)
	assert.InDelta(t, 1.68, wrong[0].Ratio, .01)
	assert.Empty(t, brand.Check(&agency.Brand{Accent: wrong[0].Better}))
	wrong = brand.Check(&agency.Brand{Paper: "#222222"})
	require.Len(t, wrong, 1)
	assert.Equal(t, "ink", wrong[0].Field, "the program's ink can't be read on it")
}

func TestALogoHasShapesOnly(t *testing.T) {
	const open, end = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">`, `</svg>`
	for content, what := range map[string]string{
		`<title>Lumen</title><path d="M0 0h10v10z" transform="scale(2)"/>`:            "",
		`<defs><style>.a{fill:#123}</style></defs><g class="a"><circle r="4"/></g>`:   "",
		`<metadata><x:y xmlns:x="http://ns.adobe.com/x"/></metadata><path d="M0 0"/>`: "",
		`<radialGradient id="a"/><rect width="9" fill="url( '#a')"/>`:                 "",

		"<g>\n<script>alert(1)</script></g>":                        "<script>",
		`<path onload="alert(1)"/>`:                                 `onload="alert(1)"`,
		`<use href="https://evil.example/#a"/>`:                     `href="https://evil.example/#a"`,
		`<rect fill="url(https://evil.example)"/>`:                  `fill="url(https://evil.example)"`,
		`<style>@import "x.css";</style>`:                           "@import",
		`<text>Lumen</text>`:                                        "<text>",
		`<image href="#a"/>`:                                        "<image>",
		`<foreignObject/>`:                                          "<foreignObject>",
		`<g><h:script xmlns:h="http://www.w3.org/1999/xhtml"/></g>`: "<script>",
		`<path></g>`: "XML syntax error on line 1: element <path> closed by </g>",
	} {
		found, _ := brand.CheckSVG([]byte(open + content + end))
		assert.Equal(t, what, found, content)
	}
	_, line := brand.CheckSVG([]byte(open + "\n<script/>" + end))
	assert.Equal(t, 2, line)
	found, _ := brand.CheckSVG([]byte(`<!DOCTYPE svg [<!ENTITY a "b">]>` + open + end))
	assert.Equal(t, "<!ENTITY>", found)
	found, _ = brand.CheckSVG([]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`))
	assert.Equal(t, "no viewBox", found)
}

func TestIconsAndLogoAreDrawn(t *testing.T) {
	look := brand.Of(&agency.Brand{
		Ink: "#102a43",
		Icon: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">
			<rect width="40" height="40" fill="#0b5d66"/>
			<path d="M10 20h20" stroke="currentColor" stroke-width="20"/></svg>`),
		Logo: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><rect width="90" height="30"
			fill="currentColor"/></svg>`),
	})
	icon, err := png.Decode(bytes.NewReader(look.Files["icon-192.png"]))
	require.NoError(t, err)
	assert.Equal(t, 192, icon.Bounds().Dx())
	assert.Equal(t, brand.Of(&agency.Brand{Accent: "#0b5d66"}).Colour("accent"), icon.At(2, 2))
	assert.Equal(t, look.Colour("ink"), icon.At(96, 60), "a stroke is as wide as on pages")
	assert.InDelta(t, 3, look.Ratio, .01)
	assert.Contains(t, string(look.Files[brand.Logo]), `fill="#102a43"`)
	assert.Contains(t, string(look.Files[brand.LogoOnInk]), `fill="#ffffff"`)
	logo, err := png.Decode(bytes.NewReader(look.LogoPNG))
	require.NoError(t, err)
	assert.Equal(t, 1200, logo.Bounds().Dx())
}
