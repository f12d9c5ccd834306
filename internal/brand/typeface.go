package brand

import (
	"bytes"
	"encoding/binary"
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

// isSans reports whether a typeface has no serifs: as its table OS/2 says, by IBM's classes or else by PANOSE, or where
// it says neither, as many don't, because its T is two bars.
func isSans(ttf []byte) bool {
	if table := tableOf(ttf, "OS/2"); len(table) >= 42 {
		family, panose := table[30], table[32:42]
		isLatin, serif := panose[0] == 2, panose[1]
		switch {
		case family == 8 || isLatin && serif >= 11 && serif <= 15:
			return true
		case family >= 1 && family <= 5 || family == 7 || isLatin && serif >= 2 && serif <= 10:
			return false
		}
	}
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

// tableOf is a table of a TrueType file, nil if it has none.
func tableOf(ttf []byte, tag string) []byte {
	if len(ttf) < 12 {
		return nil
	}
	for at := 12; at+16 <= len(ttf) && at < 12+16*int(binary.BigEndian.Uint16(ttf[4:])); at += 16 {
		from, size := uint64(binary.BigEndian.Uint32(ttf[at+8:])), uint64(binary.BigEndian.Uint32(ttf[at+12:]))
		if string(ttf[at:at+4]) == tag && from+size <= uint64(len(ttf)) {
			return ttf[from : from+size]
		}
	}
	return nil
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
