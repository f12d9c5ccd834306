package brand

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"zedcard/internal/agency"
)

// LeastContrast is that of text to what it stands on (WCAG 2.2, 1.4.3).
const LeastContrast = 4.5

// tokens are the colours of the program's own look, by the names of their custom properties (tailwind.config.js).
var tokens = map[string]string{
	"ink": "#141414", "paper": "#ffffff", "accent": "#a3241b", "accent-on-ink": "#e0493d", "action": "#141414",
	"mist": "#f2f2f0", "mist-2": "#e9e9e6", "rule": "#d8d8d4", "line": "#757575", "ink-2": "#575757",
	"placeholder": "#6b6b6b", "disabled": "#949490", "mark": "#a3241b", "mark-on-ink": "#e0493d",
	"on-ink": "#ffffff", "on-ink-2": "#b6b6b2", "rule-ink": "#3c3c3c", "frame": "#202020",
}

// Colour is a token's colour in the look of the program.
func Colour(token string) color.RGBA { return parse(tokens[token]) }

// colours are the colours of a brand that differ from the program's, by token. The shades lie between paper and ink,
// where those of the program do; the red of errors stays, and only gets as light or dark as it must to be read.
func colours(b *agency.Brand) map[string]color.RGBA {
	all := map[string]color.RGBA{}
	ink, paper := parse(cmp.Or(b.Ink, tokens["ink"])), parse(cmp.Or(b.Paper, tokens["paper"]))
	if b.Ink != "" || b.Paper != "" {
		all["ink"], all["paper"], all["action"], all["on-ink"] = ink, paper, ink, paper
		for token, share := range map[string]float64{"mist": .055, "mist-2": .094, "rule": .166} {
			all[token] = mix(paper, ink, share)
		}
		for token, share := range map[string]float64{"rule-ink": .17, "frame": .05} {
			all[token] = mix(ink, paper, share)
		}
		all["line"] = readable(mix(paper, ink, .587), paper, LeastContrast)
		all["ink-2"] = readable(mix(paper, ink, .715), all["mist"], LeastContrast)
		all["placeholder"] = readable(mix(paper, ink, .63), paper, LeastContrast)
		all["disabled"] = readable(mix(paper, ink, .455), paper, 3)
		all["on-ink-2"] = readable(mix(ink, paper, .69), ink, LeastContrast)
		all["mark"] = readable(Colour("mark"), all["mist"], LeastContrast)
		all["mark-on-ink"] = readable(Colour("mark-on-ink"), ink, LeastContrast)
		all["accent"] = readable(Colour("accent"), paper, LeastContrast)
		all["accent-on-ink"] = readable(all["accent"], ink, LeastContrast)
	}
	if b.Accent != "" {
		accent := parse(b.Accent)
		all["accent"], all["action"], all["accent-on-ink"] = accent, accent, readable(accent, ink, LeastContrast)
	}
	return all
}

// Unreadable is a colour that can't be read on the paper of its brand.
type Unreadable struct {
	Field, Value string
	Ratio        float64
	Better       string // the nearest colour that can be read
}

// Check names the colours of a brand that can't be read.
func Check(b *agency.Brand) (all []Unreadable) {
	paper := parse(cmp.Or(b.Paper, tokens["paper"]))
	for _, text := range []struct{ field, value string }{
		{"ink", cmp.Or(b.Ink, tokens["ink"])}, {"accent", b.Accent},
	} {
		c := parse(text.value)
		if ratio := Contrast(c, paper); text.value != "" && ratio < LeastContrast {
			better := hex(readable(c, paper, LeastContrast))
			all = append(all, Unreadable{text.field, text.value, ratio, better})
		}
	}
	return all
}

// readable is a colour made darker or lighter until it has a contrast to the one below it.
func readable(c, below color.RGBA, least float64) color.RGBA {
	towards := color.RGBA{A: 255}
	if white := (color.RGBA{255, 255, 255, 255}); Contrast(white, below) > Contrast(towards, below) {
		towards = white
	}
	for share := 0.0; share <= 1; share += .01 {
		if better := mix(c, towards, share); Contrast(better, below) >= least {
			return better
		}
	}
	return towards
}

// Contrast is the ratio of two colours' luminances (WCAG 2.2), from 1 to 21.
func Contrast(a, b color.RGBA) float64 {
	light, dark := luminance(a), luminance(b)
	if light < dark {
		light, dark = dark, light
	}
	return (light + .05) / (dark + .05)
}

func luminance(c color.RGBA) float64 {
	linear := func(part uint8) float64 {
		if v := float64(part) / 255; v > .04045 {
			return math.Pow((v+.055)/1.055, 2.4)
		}
		return float64(part) / 255 / 12.92
	}
	return .2126*linear(c.R) + .7152*linear(c.G) + .0722*linear(c.B)
}

// mix is a colour with a share of another.
func mix(a, b color.RGBA, share float64) color.RGBA {
	part := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
	return color.RGBA{part(a.R, b.R), part(a.G, b.G), part(a.B, b.B), 255}
}

// parse reads #rrggbb.
func parse(text string) color.RGBA {
	n, _ := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
