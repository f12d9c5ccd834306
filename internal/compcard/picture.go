package compcard

import (
	"bytes"
	"image"
	"math"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
)

const (
	printDPI    = 300.0
	maxPictures = 4
)

// source is a picture with a readable header.
type source struct {
	*picture.Original
	number int // from 1
	focus  agency.Focus
}

func (s *source) landscape() bool { return s.Width > s.Height }

// sources are the usable pictures in order.
type sources []*source

// inspect reads the headers of the card's pictures.
func inspect(card Card) (usable sources, omitted []omission) {
	for i, p := range card.Pictures {
		found, err := picture.Probe(bytes.NewReader(p.Data))
		if err != nil {
			omitted = append(omitted, omission{i + 1, err.Error()})
			continue
		}
		usable = append(usable, &source{Original: found, number: i + 1, focus: p.Focus})
	}
	return usable, omitted
}

// arrange takes the first picture for the front and the next for the back, so that no picture is on the card twice.
func (s sources) arrange() (cover *source, book []*source) {
	if len(s) == 0 {
		return nil, nil
	}
	return s[0], s[1:min(len(s), 1+maxPictures)]
}

// frame is the place of a picture on a side; render fills in its image.
type frame struct {
	rect
	source *source
	image  *image.RGBA // opaque
}

// render fills the frames of the sides. When a picture is broken it is returned with the error.
func render(sides ...side) (*source, error) {
	for _, s := range sides {
		for _, f := range s.frames {
			var err error
			if f.image, err = f.source.render(f.w, f.h); err != nil {
				return f.source, err
			}
		}
	}
	return nil, nil
}

// render crops and scales the picture to w by h mm, at 300 dpi or its own lower resolution.
func (s *source) render(w, h float64) (*image.RGBA, error) {
	area := picture.Crop(image.Pt(s.Width, s.Height), w/h, s.focus)
	width := min(area.Dx(), int(math.Round(w/25.4*printDPI)))
	return s.Decode(area, width, max(1, int(math.Round(float64(width)*h/w))))
}
