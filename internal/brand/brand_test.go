package brand_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/brand"
	"zedcard/internal/testkit/picturetest"
)

var token = regexp.MustCompile(`(?m)^  "?([a-z0-9-]+)"?: "(#[0-9a-f]{6})"`)

func TestTheProgramsColoursAreThoseOfTheStyleSheet(t *testing.T) {
	theme, err := os.ReadFile("../../tailwind.config.js")
	require.NoError(t, err)
	found := token.FindAllStringSubmatch(string(theme), -1)
	require.Len(t, found, 18)
	for _, token := range found {
		assert.Equal(t, token[2], brand.New(nil).Hex(token[1]), token[1])
	}
	assert.False(t, brand.New(nil).HasOwn(), "the program's own look needs no other files")
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
		look := brand.New(&colours)
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

func TestAFallbackIsOfTheClassOfTheTypeface(t *testing.T) {
	sheet := func(face string) string {
		ttf, err := os.ReadFile("../cards/" + face)
		require.NoError(t, err)
		typeface := agency.Typeface{WOFF2: []byte("wOF2"), TTF: ttf}
		return string(brand.New(&agency.Brand{Display: typeface, Text: typeface}).Own(brand.Sheet))
	}
	for face, want := range map[string]string{
		"instrument-sans-regular.ttf": `,Arial,sans-serif`, "newsreader-text.ttf": `,Georgia,serif`,
	} {
		for _, token := range []string{"serif", "sans"} {
			assert.Regexp(t, `--`+token+`:"Brand Text",[^;}]*`+want+`[;}]`, sheet(face), face)
		}
	}
	assert.Regexp(t, `--display:"Brand Display",[^;}]*"Sans fallback"`, sheet("instrument-sans-regular.ttf"))
	assert.Regexp(t, `--display:"Brand Display",[^;}]*"Display fallback"`, sheet("newsreader-display.ttf"))
	assert.NotPanics(t, func() {
		broken := agency.Typeface{WOFF2: []byte("x"), TTF: []byte("\x00\x01\x00\x00\xff\xffOS/2 and no more")}
		brand.New(&agency.Brand{Text: broken})
	})
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
	found, _ := brand.CheckSVG([]byte(`<!DOCTYPE svg [<!ENTITY a "b">]>` + open + "<g>&a;</g>" + end))
	assert.Contains(t, found, "&a;")
	found, _ = brand.CheckSVG([]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`))
	assert.Equal(t, "no viewBox", found)
}

// What the program reads of an SVG is bounded: a browser draws it, and only that.
func TestALogoThatNobodyCanDrawIsNamed(t *testing.T) {
	const open, box, end = `<svg xmlns="http://www.w3.org/2000/svg" `, `viewBox="0 0 10 10">`, `</svg>`
	for content, what := range map[string]string{
		open + box + `<g id="a"><use href="#a"/></g>` + end:                                 "",
		open + `width="NaN" height="1e300" ` + box + end:                                    "",
		open + `viewBox="0 0 NaN 10">` + end:                                                "no viewBox",
		open + `viewBox="0 0 1e300 1">` + end:                                               "no viewBox",
		open + `viewBox="0 0 -5 -5e-324">` + end:                                            "no viewBox",
		open + box + strings.Repeat(`<g>`, 100_000) + strings.Repeat(`</g>`, 100_000) + end: "",
		``: "no viewBox",
	} {
		found, _ := brand.CheckSVG([]byte(content))
		assert.Equal(t, what, found, content[:min(len(content), 120)])
		look := brand.New(&agency.Brand{Logo: []byte(content)})
		assert.Equal(t, what != "no viewBox", look.HasLogo())
	}
}

func TestIconsAndLogoAreTheAgencysOwn(t *testing.T) {
	logo, icon := square(t, 1200, 400), square(t, brand.IconSize, brand.IconSize)
	look := brand.New(&agency.Brand{
		Ink: "#102a43", Icon: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"/>`), IconPNG: icon,
		Logo: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0, 0 90 30">` +
			`<rect fill="currentColor"/></svg>`), LogoPNG: logo,
	})
	assert.Equal(t, icon, look.Own(brand.IconPNG))
	assert.InDelta(t, 3, look.Ratio, .01)
	assert.Contains(t, string(look.Own(brand.Logo)), `fill="#102a43"`)
	assert.Contains(t, string(look.Own(brand.LogoOnInk)), `fill="#ffffff"`)
	read, err := png.DecodeConfig(bytes.NewReader(look.LogoPNG))
	require.NoError(t, err)
	assert.Equal(t, 1200, read.Width)
	assert.Equal(t, color.NRGBAModel, read.ColorModel, "eight bits, whatever the agency's file has")

	alone := brand.New(&agency.Brand{Icon: []byte("<svg/>")})
	assert.False(t, alone.HasIconPNG(), "never the program's beside the agency's SVG")
	assert.Nil(t, alone.LogoPNG)
	for name, data := range map[string][]byte{
		"a text": []byte("PNG"), "too low": square(t, 90, 30), "too large": square(t, 5000, 5000), "cut": logo[:300],
	} {
		_, err := brand.ReadPNG(data)
		require.ErrorIs(t, err, brand.ErrPNG, name)
	}
	require.ErrorIs(t, brand.CheckIcon(logo), brand.ErrPNG)
	require.NoError(t, brand.CheckIcon(icon))
}

// square is a PNG in sixteen bits.
func square(t *testing.T, w, h int) []byte {
	return picturetest.PNG(t, image.NewRGBA64(image.Rect(0, 0, w, h)))
}
