package brand

import (
	"bytes"
	"errors"
	"slices"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// fallback are the families that stand in for a typeface until it has loaded, or lacks a letter: those of its class, as
// the program's own in their place have them.
func fallback(ttf []byte, own string) string {
	switch {
	case isSans(ttf):
		return `"Instrument Sans","Sans fallback","Sans fallback 2",Arial,sans-serif`
	case own == "Display":
		return `"Newsreader Display","Display fallback","Display fallback 2","Times New Roman",serif`
	}
	return `"Newsreader Text","Text fallback","Text fallback 2",Georgia,serif`
}

// isSans reports whether a typeface has no serifs: its T is two bars. Many don't say it in their tables.
func isSans(ttf []byte) bool {
	font, err := sfnt.Parse(ttf)
	if err != nil {
		return true // most brands have one
	}
	var buf sfnt.Buffer
	glyph, _ := font.GlyphIndex(&buf, 'T')
	outline, err := font.LoadGlyph(&buf, glyph, fixed.I(1000), nil)
	isCurve := func(s sfnt.Segment) bool { return s.Op == sfnt.SegmentOpQuadTo || s.Op == sfnt.SegmentOpCubeTo }
	return err == nil && len(outline) <= 10 && !slices.ContainsFunc(outline, isCurve)
}

// errTypeface is of a typeface that is not TrueType, or damaged.
var errTypeface = errors.New("no TrueType typeface that can be read")

// CheckTypeface is an error for a typeface that cards can't be set in.
func CheckTypeface(ttf []byte) (err error) {
	defer func() {
		if recover() != nil { // golang.org/x/image 0.47 trusts the tables of a typeface
			err = errTypeface
		}
	}()
	if _, err := sfnt.Parse(ttf); err != nil || bytes.HasPrefix(ttf, []byte("OTTO")) { // PDFs take no CFF outlines
		return errTypeface
	}
	_ = isSans(ttf) // reads an outline
	return nil
}
