// Package sharecard draws the preview picture of a page for social networks: 1200 by 630 pixels, with a name in the
// site's typeface and pictures beside or below it, never behind it.
package sharecard

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"strings"
	"time"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"zedcard/internal/agency"
	"zedcard/internal/brand"
	"zedcard/internal/picture"
)

// The size of every card in pixels.
const (
	Width  = 1200
	Height = 630
)

const (
	margin      = 64
	stripHeight = 388 // of a row of pictures
	perRow      = 4   // pictures in a row
	quality     = 85
)

var (
	ink     = color.RGBA{0x14, 0x14, 0x14, 0xff}
	softInk = color.RGBA{0x57, 0x57, 0x57, 0xff}
)

// Card is the content of a card: a single picture is on the right in full height, several are in a row above the name.
type Card struct {
	Name     string
	Line     string // below the name; may be empty
	Agency   string
	Pictures [][]byte `json:"-"` // JPEGs
}

var (
	display = loadFont(brand.Display)
	text    = loadFont(brand.Text) // for letters that display lacks
	sans    = loadFont(brand.Sans)
)

func loadFont(name string) *sfnt.Font {
	_, loaded := brand.MustLoad(name)
	return loaded
}

// limits are generous: drawing takes a tenth of a second.
var limits = picture.Limits{Time: 10 * time.Second, Memory: 16 << 20}

// JPEG draws a card in the worker. A name with letters that the typefaces lack is replaced by the agency's.
func JPEG(ctx context.Context, worker *picture.Worker, c Card) ([]byte, error) {
	var files []picture.File
	for _, data := range c.Pictures {
		files = append(files, bytes.NewReader(data))
	}
	_, drawn, err := drawTask.Run(ctx, worker, limits, c, files...)
	if err != nil {
		return nil, fmt.Errorf("share picture: %w", err)
	}
	return drawn[0], nil
}

var drawTask = picture.NewTask("share picture", func(c Card, files [][]byte) (_ struct{}, _ [][]byte, err error) {
	pictures := make([]image.Image, len(files))
	for i, file := range files {
		if pictures[i], err = jpeg.Decode(bytes.NewReader(file)); err != nil {
			return struct{}{}, nil, err
		}
	}
	drawn, err := c.draw(pictures)
	return struct{}{}, [][]byte{drawn}, err
})

func (c Card) draw(pictures []image.Image) ([]byte, error) {
	canvas := image.NewRGBA(image.Rect(0, 0, Width, Height))
	draw.Draw(canvas, canvas.Bounds(), image.White, image.Point{}, draw.Src)

	textWidth := Width - 2*margin
	name := c.Name
	if brand.Missing(text, name) >= 0 {
		name = c.Agency
	}
	maxSize, baseline, maxLines := 148.0, Height-margin, 3
	switch {
	case len(pictures) == 1:
		width := Height * 3 / 4
		drawCropped(canvas, image.Rect(Width-width, 0, Width, Height), pictures[0])
		textWidth, maxSize = Width-width-2*margin, 112
	case len(pictures) > 1:
		for i, m := range pictures[:min(len(pictures), perRow)] {
			drawCropped(canvas, image.Rect(i*Width/perRow, 0, (i+1)*Width/perRow, stripHeight), m)
		}
		textWidth, maxSize, maxLines = Width-2*margin-360, 112, 1
	}
	if c.Line != "" && brand.Missing(sans, c.Line) < 0 {
		w, err := newWriter(sans, 28, 0)
		if err != nil {
			return nil, err
		}
		w.write(canvas, softInk, c.Line, margin, baseline)
		baseline -= 60
	}
	if err := writeName(canvas, name, textWidth, baseline, maxSize, maxLines); err != nil {
		return nil, err
	}
	if name != c.Agency && brand.Missing(display, c.Agency) < 0 {
		w, err := newWriter(display, 40, -0.03)
		if err != nil {
			return nil, err
		}
		x, y := margin, margin+28
		if len(pictures) > 1 {
			x, y = Width-margin-w.width(c.Agency).Ceil(), Height-margin
		}
		w.write(canvas, ink, c.Agency, x, y)
	}
	var out bytes.Buffer
	err := jpeg.Encode(&out, canvas, &jpeg.Options{Quality: quality})
	return out.Bytes(), err
}

// writeName sets a name as large as it fits into a width and a number of lines; baseline is that of the last one.
func writeName(canvas draw.Image, name string, width, baseline int, size float64, maxLines int) error {
	face := display
	if brand.Missing(display, name) >= 0 {
		face = text
	}
	for ; ; size -= 4 {
		w, err := newWriter(face, size, -0.03)
		if err != nil {
			return err
		}
		wrapped := w.wrap(name, width)
		if (len(wrapped) > maxLines || w.widest(wrapped) > width) && size > 28 {
			continue
		}
		for i, line := range wrapped {
			w.write(canvas, ink, line, margin, baseline-int(size*0.98)*(len(wrapped)-1-i))
		}
		return nil
	}
}

// drawCropped draws the part of a picture that fits a frame.
func drawCropped(canvas draw.Image, frame image.Rectangle, m image.Image) {
	size := m.Bounds().Size()
	area := picture.Crop(size, float64(frame.Dx())/float64(frame.Dy()), agency.Focus{}).Add(m.Bounds().Min)
	draw.Draw(canvas, frame, picture.Scale(m, area, frame.Dx(), frame.Dy()), image.Point{}, draw.Src)
}

// writer sets lines in a typeface of a size in pixels. Tracking is added between letters.
type writer struct {
	face     font.Face
	tracking fixed.Int26_6
}

func newWriter(f *sfnt.Font, size, tracking float64) (writer, error) {
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72})
	return writer{face, fixed.Int26_6(tracking * size * 64)}, err
}

// eachLetter calls visit for every letter with its distance from the line's beginning, and returns the line's width.
func (w writer) eachLetter(line string, visit func(r rune, offset fixed.Int26_6)) fixed.Int26_6 {
	var offset fixed.Int26_6
	previous := rune(-1)
	for _, r := range line {
		if previous >= 0 {
			offset += w.face.Kern(previous, r) + w.tracking
		}
		visit(r, offset)
		advance, _ := w.face.GlyphAdvance(r)
		offset += advance
		previous = r
	}
	return offset
}

func (w writer) width(line string) fixed.Int26_6 {
	return w.eachLetter(line, func(rune, fixed.Int26_6) {})
}

func (w writer) widest(lines []string) (widest int) {
	for _, line := range lines {
		widest = max(widest, w.width(line).Ceil())
	}
	return widest
}

func (w writer) write(canvas draw.Image, colour color.Color, line string, x, y int) {
	w.eachLetter(line, func(r rune, offset fixed.Int26_6) {
		brand.DrawLetter(canvas, w.face, colour, r, fixed.Point26_6{X: fixed.I(x) + offset, Y: fixed.I(y)})
	})
}

// wrap breaks a text at its spaces into lines of at most width pixels; a longer word gets its own line.
func (w writer) wrap(text string, width int) []string {
	var lines []string
	for _, word := range strings.Fields(text) {
		if n := len(lines); n > 0 {
			if longer := lines[n-1] + " " + word; w.width(longer).Ceil() <= width {
				lines[n-1] = longer
				continue
			}
		}
		lines = append(lines, word)
	}
	return lines
}
