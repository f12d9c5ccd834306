// Package brand holds the site's typefaces as TrueType, for pictures and PDFs that the server makes. make.py makes them
// from their sources.
package brand

import (
	"embed"
	"fmt"
	"image"
	"image/color"
	"image/draw"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

//go:embed *.ttf
var files embed.FS

// The names of the typefaces.
const (
	Display = "newsreader-display" // large names
	Text    = "newsreader-text"    // names and values
	Sans    = "instrument-sans-regular"
	Medium  = "instrument-sans-medium"
)

// MustLoad returns a typeface by its name, as the file and parsed. It panics for an unknown name.
func MustLoad(name string) ([]byte, *sfnt.Font) {
	data, err := files.ReadFile(name + ".ttf")
	if err != nil {
		panic(err) // embedded above
	}
	parsed, err := sfnt.Parse(data)
	if err != nil {
		panic(fmt.Errorf("brand: typeface %s: %w", name, err))
	}
	return data, parsed
}

// Missing is the first letter of a text that a typeface has no glyph for, or -1.
func Missing(font *sfnt.Font, text string) rune {
	var buf sfnt.Buffer
	for _, r := range text {
		if glyph, err := font.GlyphIndex(&buf, r); err != nil || glyph == 0 {
			return r
		}
	}
	return -1
}

// DrawLetter draws a letter whose origin is at dot.
func DrawLetter(to draw.Image, face font.Face, colour color.Color, letter rune, dot fixed.Point26_6) {
	if area, mask, maskPoint, _, ok := face.Glyph(dot, letter); ok {
		draw.DrawMask(to, area, image.NewUniform(colour), image.Point{}, mask, maskPoint, draw.Over)
	}
}
