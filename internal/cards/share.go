package cards

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"zedcard/internal/picture"
)

// Share is the content of a share picture, with the name in the site's typeface and pictures beside or above it, never
// behind it: one or two are on the right in full height, more are in a row.
type Share struct {
	Name     string
	Line     string // below the name; may be empty
	Agency   string
	Look     Look
	Pictures []Picture
}

// The size of share pictures in mm, of which each has 10 pixels.
const shareW, shareH = 120.0, 63.0

// JPEG draws the picture in a worker. A name with letters that the typefaces lack is replaced by the agency's.
func (s Share) JPEG(ctx context.Context, worker *picture.Worker) ([]byte, error) {
	limits := picture.Limits{Time: 10 * time.Second, Memory: 16 << 20} // it takes a tenth of a second
	data := s.Look.files()
	for _, p := range s.Pictures {
		data = append(data, bytes.NewReader(p.Data))
	}
	drawn, err := shareTask.Run(ctx, worker, limits, s, data...)
	if err != nil {
		return nil, fmt.Errorf("share picture: %w", err)
	}
	return drawn[0], nil
}

func files(pictures [][]byte) (files []picture.File) {
	for _, data := range pictures {
		files = append(files, bytes.NewReader(data))
	}
	return files
}

var shareTask = picture.NewTask("share picture", func(s Share, files [][]byte) ([][]byte, error) {
	s.Look.receive(files)
	k := s.Look.open()
	for i := range s.Pictures {
		s.Pictures[i].Data = files[lookFiles+i]
	}
	usable, _ := inspect(s.Pictures)
	laid := layShare(k, s, usable)
	if _, err := render(printDPI, laid); err != nil {
		return nil, err
	}
	drawn, err := writeJPEG(k, laid, shareW, shareH)
	return [][]byte{drawn}, err
})

func layShare(k *look, c Share, pictures []*source) side {
	const edge, perRow, beside = 6.4, 4, 36.0
	var s side
	name, ok := printable(c.Name)
	if !ok {
		name = c.Agency
	}
	width, size, lines, baseline := shareW-2*edge, 14.8, 3, shareH-edge
	switch n := len(pictures); {
	case n == 1, n == 2:
		w := shareH * (1 - .25*float64(n)) // two are half as wide as high
		for i, p := range pictures {
			s.frames = append(s.frames, &frame{rect: rect{shareW - float64(n-i)*w, 0, w, shareH}, source: p})
		}
		width, size = width-float64(n)*w, 11.2
	case n > 2:
		n = min(n, perRow)
		w, row := shareW/float64(n), 38.8
		width, size, lines = width-beside, 11.2, 1
		if n == 3 { // they are wider, and would end at the mouths
			row, size = 46, 8.4
		}
		for i, p := range pictures[:n] {
			s.frames = append(s.frames, &frame{rect: rect{float64(i) * w, 0, w, row}, source: p})
		}
	}
	if line := k.style(style{face: sans, size: 2.8 / pointMM, tone: softInk}).typeset(c.Line); c.Line != "" {
		s.addLeft(line, edge, baseline)
		baseline -= 6
	}
	agency := k.style(style{face: display, size: 4 / pointMM, tracking: -.03, tone: ink}).typeset(c.Agency)
	switch {
	case name == c.Agency && k.logo != nil:
		s.addLogo(k, edge, baseline, 13, width)
		return s
	case name == c.Agency:
	case k.logo != nil && len(pictures) > 2:
		s.addLogo(k, shareW-edge-min(k.ratio()*6, beside-2), shareH-edge, 6, beside-2)
	case k.logo != nil:
		s.addLogo(k, edge, edge+6, 6, width)
	case !serif.hasGlyphs(c.Agency):
	case len(pictures) > 2:
		s.addRight(agency, shareW-edge, shareH-edge)
	default:
		s.addLeft(agency, edge, edge+2.8)
	}
	wrapped := k.style(style{face: display, tracking: -.03, tone: ink}).wrap(name, width, size, 2.8, lines)
	for i, l := range wrapped {
		s.addLeft(l, edge, baseline-.98*l.size*pointMM*float64(len(wrapped)-1-i))
	}
	return s
}

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
