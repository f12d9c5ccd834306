package cards

import (
	"bytes"
	"image"
	"image/color"
	"image/png"

	"golang.org/x/image/font/sfnt"

	"zedcard/internal/brand"
	"zedcard/internal/picture"
)

// Look is how the agency's brand has cards and packs drawn; the zero value is the program's own look.
type Look struct {
	Paper color.RGBA
	Tones [mist + 1]color.RGBA

	Logo, Display, Text []byte `json:"-"` // a PNG and two TrueType files, or nil; sent to the worker as they are
}

// LookOf is the look of a brand.
func LookOf(b *brand.Look) Look {
	return Look{
		Paper: b.Colour("paper"),
		Tones: [...]color.RGBA{ink: b.Colour("ink"), softInk: b.Colour("ink-2"), mist: b.Colour("mist")},
		Logo:  b.LogoPNG, Display: b.Display.TTF, Text: b.Text.TTF,
	}
}

// files are what a worker is sent of a look, in front of the pictures.
func (l Look) files() []picture.File {
	return []picture.File{bytes.NewReader(l.Logo), bytes.NewReader(l.Display), bytes.NewReader(l.Text)}
}

// lookFiles is how many files a look has.
const lookFiles = 3

// receive takes the files, as files sends them, from those of a task.
func (l *Look) receive(files [][]byte) { l.Logo, l.Display, l.Text = files[0], files[1], files[2] }

// withTypefaces draws what a look is part of, without the agency's typefaces if a PDF can't hold one.
func withTypefaces[T any](l *Look, draw func() (T, []string, error)) (made T, omitted []string, err error) {
	made, omitted, err = draw()
	if err != nil && len(l.Display)+len(l.Text) > 0 {
		l.Display, l.Text = nil, nil
		return draw()
	}
	return made, omitted, err
}

// style is a style with the agency's typeface in the place of the program's.
func (k *look) style(s style) style {
	if own := k.faces[s.face]; own != nil {
		s.face = own
	}
	return s
}

// look is a Look, ready to draw with.
type look struct {
	Look
	faces  map[*face]*face // the agency's, by the program's in whose place they stand
	logo   image.Image
	prints bool // its ink and its logo can be read on white, too
}

// open makes a look ready. A file that can't be used is left out.
func (l Look) open() *look {
	if l.Paper.A == 0 {
		l = LookOf(brand.New(nil))
	}
	k := &look{Look: l, faces: map[*face]*face{}}
	for _, own := range []struct {
		name   string
		data   []byte
		places []*face
	}{{"own-display", l.Display, []*face{display}}, {"own-text", l.Text, []*face{serif, sans, medium}}} {
		if parsed, err := sfnt.Parse(own.data); err == nil {
			for _, place := range own.places {
				k.faces[place] = &face{own.name, own.data, parsed}
			}
		}
	}
	if logo, err := png.Decode(bytes.NewReader(l.Logo)); err == nil {
		k.logo = logo
	}
	k.prints = brand.Contrast(l.Tones[ink], color.RGBA{255, 255, 255, 255}) >= brand.LeastContrast
	return k
}

// ratio of the logo's width to its height.
func (k *look) ratio() float64 {
	size := k.logo.Bounds().Size()
	return float64(size.X) / float64(size.Y)
}

// mark is the agency's logo on a side.
type mark struct {
	rect
	logo image.Image
}

// addLogo puts the logo above a baseline, its left at x, and returns its width; 0 if there is none.
func (s *side) addLogo(k *look, x, baseline, height, most float64) (width float64) {
	if k.logo == nil {
		return 0
	}
	width = height * k.ratio()
	if width > most {
		width, height = most, height*most/width
	}
	s.marks = append(s.marks, mark{rect{x, baseline - height, width, height}, k.logo})
	return width
}
