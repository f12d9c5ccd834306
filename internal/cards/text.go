package cards

import (
	"embed"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// typefaces are made by make.py.
//
//go:embed *.ttf
var typefaces embed.FS

// face is one of the site's typefaces as TrueType. Newsreader has every Latin letter of Europe and Vietnam, primes and
// fractions; Instrument Sans lacks the last two and some letters.
type face struct {
	name string
	data []byte
	font *sfnt.Font
}

var (
	display = mustLoad("newsreader-display")      // large names
	serif   = mustLoad("newsreader-text")         // names and values; what no other face can write
	sans    = mustLoad("instrument-sans-regular") // labels and contact
	medium  = mustLoad("instrument-sans-medium")  // labels that stand alone
	faces   = []*face{display, serif, sans, medium}
)

func mustLoad(name string) *face {
	data, err := typefaces.ReadFile(name + ".ttf")
	if err != nil {
		panic(err) // embedded above
	}
	parsed, err := sfnt.Parse(data)
	if err != nil {
		panic(fmt.Errorf("cards: typeface %s: %w", name, err))
	}
	return &face{name, data, parsed}
}

// hasGlyphs reports whether the face has a glyph for every letter of the text.
func (f *face) hasGlyphs(text string) bool {
	var buf sfnt.Buffer
	return !strings.ContainsFunc(text, func(r rune) bool {
		glyph, err := f.font.GlyphIndex(&buf, r)
		return err != nil || glyph == 0
	})
}

// printable is the text on one line in composed letters, without invisible characters, and with
// letters that the fonts lack in their plain form (ĳ as ij); false if they lack that, too.
func printable(text string) (string, bool) {
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, norm.NFC.String(text))
	var out strings.Builder
	for _, r := range strings.Join(strings.Fields(text), " ") {
		if s := string(r); serif.hasGlyphs(s) && serif.hasGlyphs(upper(s)) {
			out.WriteRune(r)
		} else {
			out.WriteString(norm.NFKC.String(s))
		}
	}
	text = out.String()
	return text, serif.hasGlyphs(text + upper(text))
}

// legible is the text without the letters that the fonts lack.
func legible(text string) string {
	text, ok := printable(text)
	if ok {
		return text
	}
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if _, ok := printable(string(r)); !ok {
			return -1
		}
		return r
	}, text)), " ")
}

// Printable reports whether the fonts have every letter of a text.
func Printable(text string) bool {
	_, ok := printable(text)
	return ok
}

func upper(text string) string { return cases.Upper(language.Und).String(text) }

// style is the style of a line. size is in points, tracking in fractions of the size.
type style struct {
	face     *face
	size     float64
	tracking float64
	tone     tone
}

const pointMM = 25.4 / 72

// line is a text set in one style: x is where each letter begins, in mm from the line's left.
type line struct {
	style
	letters []rune
	x       []float64
	kerned  []bool // whether kerning moves the letter from where its predecessor's width puts it
	width   float64
}

// typeset sets the text in the style, or all of it in the serif if the style's face lacks a letter: two faces in one
// word would look like a mistake.
func (s style) typeset(text string) line {
	if !s.face.hasGlyphs(text) {
		s.face = serif
	}
	l := line{style: s, letters: []rune(text)}
	var buf sfnt.Buffer
	var previous sfnt.GlyphIndex
	em := s.face.font.UnitsPerEm()
	unit := s.size * pointMM / float64(em)
	at := 0.0
	for i, r := range l.letters {
		// Neither call fails for a glyph of a font that was parsed; a pair that is not kerned
		// answers an error and 0.
		glyph, _ := s.face.font.GlyphIndex(&buf, r)
		advance, _ := s.face.font.GlyphAdvance(&buf, glyph, fixed.I(int(em)), font.HintingNone)
		var kern fixed.Int26_6
		if i > 0 {
			kern, _ = s.face.font.Kern(&buf, previous, glyph, fixed.I(int(em)), font.HintingNone)
		}
		at += float64(kern.Round()) * unit
		l.x = append(l.x, at)
		l.kerned = append(l.kerned, kern != 0)
		l.width = at + float64(advance.Round())*unit
		at = l.width + s.tracking*s.size*pointMM
		previous = glyph
	}
	return l
}

// ascent is how far the text reaches above its baseline, in mm.
func (s style) ascent(text string) (high float64) {
	var buf sfnt.Buffer
	s = s.typeset(text).style
	em := s.face.font.UnitsPerEm()
	for _, r := range text { // neither call fails, as above
		glyph, _ := s.face.font.GlyphIndex(&buf, r)
		bounds, _, _ := s.face.font.GlyphBounds(&buf, glyph, fixed.I(int(em)), font.HintingNone)
		high = max(high, float64(-bounds.Min.Y.Round())*s.size*pointMM/float64(em))
	}
	return high
}

// fit sets the text no wider than width mm: smaller, but not below least points; what is still
// too long then ends in an ellipsis. With a least of 0 nothing is ever cut.
func (s style) fit(text string, width, minSize float64) line {
	l := s.typeset(text)
	if l.width <= width {
		return l
	}
	s.size = max(s.size*width/l.width, minSize)
	letters := []rune(text)
	for l = s.typeset(text); l.width > width+0.01 && len(letters) > 0; l = s.typeset(string(letters) + "…") {
		letters = letters[:len(letters)-1]
	}
	return l
}

// splitInHalf breaks a text at the space nearest to its middle. The second half is empty where there
// is none.
func splitInHalf(text string) (string, string) {
	best := -1
	for i, r := range text {
		if r == ' ' && (best < 0 || abs(2*i-len(text)) < abs(2*best-len(text))) {
			best = i
		}
	}
	if best < 0 {
		return text, ""
	}
	return text[:best], text[best+1:]
}

func abs(n int) int { return max(n, -n) }

// wrap breaks a text at its spaces into at most so many lines, as large as they fit into a width, from a largest size
// in mm down to a smallest.
func (s style) wrap(text string, width, largest, smallest float64, most int) []line {
	for size := largest; ; size -= .4 {
		s.size = size / pointMM
		var lines []line
		fits := true
		for _, word := range strings.Fields(text) {
			l := s.typeset(word)
			if n := len(lines); n > 0 {
				if longer := s.typeset(string(lines[n-1].letters) + " " + word); longer.width <= width {
					lines[n-1] = longer
					continue
				}
			}
			lines = append(lines, l)
			fits = fits && l.width <= width
		}
		if fits && len(lines) <= most || size <= smallest {
			return lines
		}
	}
}
