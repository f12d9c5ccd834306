// Package brand makes what an agency's brand changes: a style sheet with its colours and typefaces, the icons, and the
// logo for pages, cards and mails. Without one of these the program's own stays, which is the demo agency's.
package brand

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"slices"
	"strings"

	"zedcard/internal/agency"
	"zedcard/static"
)

// The logical names of the style sheet, of the logo, also on ink, and of the icons of browsers and phones.
const (
	Sheet     = "brand.css"
	Logo      = "logo.svg"
	LogoOnInk = "logo-on-ink.svg"
	IconSVG   = "icon.svg"
	IconPNG   = "icon.png"
)

// Look is what is made of a brand. It never changes.
type Look struct {
	*agency.Brand
	// Files have the agency's in the place of the program's. Those of a typeface are named like the ones that they
	// replace, so that pages load them as they do those.
	*static.Files
	// Ratio of the logo's width to its height; 0: there is none, and the name stands in its place.
	Ratio   float64
	LogoPNG []byte // for cards and mails; nil: the name stands in its place

	colours map[string]color.RGBA
}

// New is the look of a brand, which must not change afterwards; nil is the program's.
func New(b *agency.Brand) *Look {
	b = cmp.Or(b, &agency.Brand{})
	l := &Look{Brand: b, colours: colours(b)}
	files := map[string][]byte{}
	l.addLogo(files)
	l.addIcons(files)
	l.addSheet(files)
	l.Files = static.New(files)
	return l
}

func (l *Look) addSheet(files map[string][]byte) {
	b := l.Brand
	var sheet strings.Builder
	for _, face := range []struct {
		family string
		font   []byte
		names  []string // of the files that it replaces
		tokens []string // with the family that stands in for it until it has loaded, or lacks a letter
	}{
		{"Brand Display", b.Display.WOFF2, []string{"newsreader-display.woff2"},
			[]string{`--display:"Brand Display",` + fallback(b.Display.TTF, "Display")}},
		{"Brand Text", b.Text.WOFF2, []string{"newsreader-text.woff2", "instrument-sans.woff2"},
			[]string{
				`--serif:"Brand Text",` + fallback(b.Text.TTF, "Text"),
				`--sans:"Brand Text",` + fallback(b.Text.TTF, "Sans"),
			}},
	} {
		if face.font == nil {
			continue
		}
		for _, name := range face.names {
			files[name] = face.font
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
		files[Sheet] = []byte(sheet.String())
	}
}

// HasLogo reports whether the agency has a logo; else its name stands there.
func (l *Look) HasLogo() bool { return l.Own(Logo) != nil }

// HasIconPNG reports whether phones have an icon: an agency that brings only an SVG has none.
func (l *Look) HasIconPNG() bool { return l.Own(IconPNG) != nil || l.Own(IconSVG) == nil }

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

func (l *Look) addLogo(files map[string][]byte) {
	l.LogoPNG, _ = ReadPNG(l.Brand.LogoPNG)
	if l.Ratio = Ratio(l.Brand.Logo); l.Ratio == 0 {
		return
	}
	files[Logo] = inColour(l.Brand.Logo, l.Hex("ink"))
	if onInk := inColour(l.Brand.Logo, l.Hex("on-ink")); !bytes.Equal(onInk, l.Brand.Logo) {
		files[LogoOnInk] = onInk
	}
}

func (l *Look) addIcons(files map[string][]byte) {
	if len(l.Brand.Icon) > 0 {
		files[IconSVG] = inColour(l.Brand.Icon, l.Hex("ink"))
	}
	if len(l.Brand.IconPNG) > 0 {
		files[IconPNG] = l.Brand.IconPNG
	}
}

// The sizes of the pictures of a brand in pixels.
const (
	IconSize   = 512
	logoHeight = 200 // at least, which is a centimetre in print
	maxLogo    = 8 << 20
)

// ErrPNG is of a picture of a brand that can't be used.
var ErrPNG = errors.New("no PNG that can be used")

// ReadPNG reads a logo for cards and mails, and writes it as every PDF takes it: in eight bits, and not interlaced.
func ReadPNG(data []byte) ([]byte, error) {
	size, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || size.Height < logoHeight || size.Width*size.Height > maxLogo {
		return nil, ErrPNG
	}
	logo, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, ErrPNG
	}
	page := image.NewNRGBA(logo.Bounds())
	draw.Draw(page, page.Bounds(), logo, logo.Bounds().Min, draw.Src)
	var out bytes.Buffer
	_ = png.Encode(&out, page) // a buffer takes all
	return out.Bytes(), nil
}

// CheckIcon is an error for an icon that phones can't use.
func CheckIcon(data []byte) error {
	size, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || size.Width != IconSize || size.Height != IconSize {
		return ErrPNG
	}
	return nil
}
