// Package brand makes what an agency's brand changes: a style sheet with its colours and typefaces, the icons, and the
// logo for pages, cards and mails. Without one of these the program's own stays, which is the demo agency's.
package brand

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/png"
	"maps"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/image/font/sfnt"

	"zedcard/internal/agency"
	"zedcard/static"
)

// Sheet is the logical name of the style sheet, and of the logo and of the one on ink.
const (
	Sheet     = "brand.css"
	Logo      = "logo.svg"
	LogoOnInk = "logo-on-ink.svg"
)

// Look is what is made of a brand. It never changes.
type Look struct {
	*agency.Brand
	// Files stand in the place of the program's files of the same logical names. Those of a typeface are named like the
	// ones that they replace, so that pages load them as they do those.
	Files map[string][]byte
	// Ratio of the logo's width to its height; 0: there is none, and the name stands in its place.
	Ratio   float64
	LogoPNG []byte // for cards and mails

	colours map[string]color.RGBA
}

// logoHeight is that of LogoPNG in pixels, a centimetre in print.
const logoHeight = 400

var last atomic.Pointer[Look]

// Of is the look of a brand, which must not change afterwards; nil is the program's. The last one is kept.
func Of(b *agency.Brand) *Look {
	if b == nil {
		b = &agency.Brand{}
	}
	look := last.Load()
	if look == nil || look.Brand != b {
		look = newLook(b)
		last.Store(look)
	}
	return look
}

func newLook(b *agency.Brand) *Look {
	l := &Look{Brand: b, Files: map[string][]byte{}, colours: colours(b)}
	l.addLogo()
	l.addIcons()
	var sheet strings.Builder
	for _, face := range []struct {
		family string
		font   []byte
		names  []string // of the files that it replaces
		tokens []string // with the family that stands in for it until it has loaded, or lacks a letter
	}{
		{"Brand Display", b.Display.WOFF2, []string{"newsreader-display.woff2"},
			[]string{`--display:"Brand Display","Newsreader Display",serif`}},
		{"Brand Text", b.Text.WOFF2, []string{"newsreader-text.woff2", "instrument-sans.woff2"},
			[]string{
				`--serif:"Brand Text","Newsreader Text",serif`, `--sans:"Brand Text","Instrument Sans",sans-serif`,
			}},
	} {
		if face.font == nil {
			continue
		}
		for _, name := range face.names {
			l.Files[name] = face.font
		}
		fmt.Fprintf(&sheet, `@font-face{font-family:%q;src:url(%s) format("woff2");font-weight:1 1000;`+
			`font-display:swap}:root{%s}`,
			face.family, static.Name(face.names[0], face.font), strings.Join(face.tokens, ";"))
	}
	if len(l.colours) > 0 {
		sheet.WriteString(":root{")
		for _, token := range slices.Sorted(maps.Keys(l.colours)) {
			fmt.Fprintf(&sheet, "--%s:%s;", token, hex(l.colours[token]))
		}
		sheet.WriteString("}")
	}
	if sheet.Len() > 0 {
		l.Files[Sheet] = []byte(sheet.String())
	}
	return l
}

// HasLogo reports whether the agency has a logo; else its name stands there.
func (l *Look) HasLogo() bool { return l.Files[Logo] != nil }

// Colour is the colour of a token.
func (l *Look) Colour(token string) color.RGBA {
	if c, ok := l.colours[token]; ok {
		return c
	}
	return Colour(token)
}

// Hex is the colour of a token as style sheets and manifests have it.
func (l *Look) Hex(token string) string { return hex(l.Colour(token)) }

// ThemeColour is that of an installed site's frame.
func (l *Look) ThemeColour() string {
	if l.Accent != "" {
		return l.Accent
	}
	return l.Hex("paper")
}

func (l *Look) addLogo() {
	icon, err := readSVG(l.Brand.Logo, l.Hex("ink"))
	if err != nil {
		return
	}
	ratio := icon.ViewBox.W / icon.ViewBox.H
	page := image.NewRGBA(image.Rect(0, 0, min(8*logoHeight, int(math.Ceil(ratio*logoHeight))), logoHeight))
	if draw(page, icon, page.Bounds()) != nil {
		return
	}
	l.Ratio, l.LogoPNG = ratio, encode(page)
	l.Files[Logo] = inColour(l.Brand.Logo, l.Hex("ink"))
	if onInk := inColour(l.Brand.Logo, l.Hex("on-ink")); !bytes.Equal(onInk, l.Brand.Logo) {
		l.Files[LogoOnInk] = onInk
	}
}

// addIcons makes the icons of browsers and phones. Phones cut off the corners: an icon that doesn't fill them stands
// smaller on paper.
func (l *Look) addIcons() {
	icon, err := readSVG(l.Icon, l.Hex("ink"))
	if err != nil {
		return
	}
	files := map[string][]byte{"icon.svg": inColour(l.Icon, l.Hex("ink"))}
	for name, size := range map[string]int{"icon-192.png": 192, "icon-512.png": 512, "apple-touch-icon.png": 180} {
		page := image.NewRGBA(image.Rect(0, 0, size, size))
		err := draw(page, icon, page.Bounds())
		if page.RGBAAt(0, 0).A < 255 {
			imagedraw.Draw(page, page.Bounds(), image.NewUniform(l.Colour("paper")), image.Point{}, imagedraw.Src)
			err = draw(page, icon, page.Bounds().Inset(size*15/100))
		}
		if err != nil {
			return
		}
		files[name] = encode(page)
	}
	maps.Copy(l.Files, files)
}

func encode(page image.Image) []byte {
	var out bytes.Buffer
	_ = png.Encode(&out, page) // a buffer takes all
	return out.Bytes()
}

// CheckTypeface names the letters of a text that a typeface for cards lacks. It is an error if it isn't TrueType.
func CheckTypeface(ttf []byte, letters []rune) (missing string, err error) {
	font, err := sfnt.Parse(ttf)
	if err != nil {
		return "", err
	}
	if bytes.HasPrefix(ttf, []byte("OTTO")) {
		return "", sfnt.ErrNotFound // PDFs take no CFF outlines
	}
	var buf sfnt.Buffer
	for _, letter := range letters {
		if glyph, err := font.GlyphIndex(&buf, letter); err != nil || glyph == 0 {
			missing += string(letter)
		}
	}
	return missing, nil
}
