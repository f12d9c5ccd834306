package compcard

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"math"

	"golang.org/x/image/draw"
)

const (
	maxPixels   = 50_000_000
	printDPI    = 300.0
	maxPictures = 4
)

// negative is a picture whose header could be read. Its size is as it is to be seen, after its
// orientation.
type negative struct {
	number        int // 0 is the cover, 1 the first of the book
	data          []byte
	orientation   orientation
	width, height int
}

func (n *negative) landscape() bool { return n.width > n.height }

// negatives are the usable pictures in order, the cover first where there is one.
type negatives []*negative

// inspect reads the headers of the card's pictures.
func inspect(ctx context.Context, card Card) negatives {
	var usable negatives
	for number, picture := range append([]Picture{card.Cover}, card.Pictures...) {
		if number == 0 && len(picture.Data) == 0 {
			continue
		}
		config, _, err := image.DecodeConfig(bytes.NewReader(picture.Data))
		if err == nil && (config.Width <= 0 || config.Height <= 0 || config.Width > maxPixels/config.Height) {
			err = fmt.Errorf("%d × %d pixels are not between 1 and %d", config.Width, config.Height, maxPixels)
		}
		if err != nil {
			card.leftOut(ctx, number, err)
			continue
		}
		n := &negative{number: number, data: picture.Data, orientation: orientationOf(picture.Data)}
		n.width, n.height = n.orientation.size(config.Width, config.Height)
		usable = append(usable, n)
	}
	return usable
}

// arrange takes the first picture for the front and the next for the back, so that no picture is
// on the card twice.
func (n negatives) arrange() (cover *negative, book []*negative) {
	if len(n) == 0 {
		return nil, nil
	}
	return n[0], n[1:min(len(n), 1+maxPictures)]
}

// frame is a place for a picture. develop fills in the print.
type frame struct {
	rect
	negative *negative
	print    *image.RGBA // what is to be seen in the frame, opaque
}

// develop fills the frames of the sides. When a picture is broken it is returned with the error.
func develop(ctx context.Context, sides ...side) (*negative, error) {
	for _, s := range sides {
		for _, f := range s.frames {
			var err error
			if f.print, err = f.negative.develop(ctx, f.w, f.h); err != nil {
				return f.negative, err
			}
		}
	}
	return nil, nil
}

// develop decodes the picture and cuts it to a frame of w × h mm, at 300 dpi or at what it has.
func (n *negative) develop(ctx context.Context, w, h float64) (*image.RGBA, error) {
	src, _, err := image.Decode(&contextReader{ctx, bytes.NewReader(n.data)})
	if err != nil {
		return nil, err
	}
	crop := cropTo(n.width, n.height, w/h)
	wide := min(crop.Dx(), int(math.Round(w/25.4*printDPI)))
	high := max(1, int(math.Round(float64(wide)*h/w)))
	wide, high = n.orientation.size(wide, high) // from here on as the file has it
	crop = n.orientation.source(crop, n.width, n.height).Add(src.Bounds().Min)

	for crop.Dx() >= 2*wide && crop.Dy() >= 2*high {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		src = halved(src, crop)
		crop = src.Bounds()
	}
	out := image.NewRGBA(image.Rect(0, 0, wide, high))
	draw.Draw(out, out.Bounds(), image.White, image.Point{}, draw.Src)
	draw.CatmullRom.Scale(out, out.Bounds(), src, crop, draw.Over, nil)
	return n.orientation.upright(out), nil
}

// halved is half of the crop's size, each pixel the mean of four: a bilinear look-up in the
// middle between them. CatmullRom alone would take gigabytes for a large picture.
func halved(src image.Image, crop image.Rectangle) image.Image {
	crop.Max = crop.Min.Add(image.Pt(crop.Dx()&^1, crop.Dy()&^1))
	half := image.NewRGBA(image.Rect(0, 0, crop.Dx()/2, crop.Dy()/2))
	draw.ApproxBiLinear.Scale(half, half.Bounds(), src, crop, draw.Src, nil)
	return half
}

// cropTo is the largest part of a w × h picture with the given aspect (width by height). It is in
// the middle from left to right, and as near as can be to the upper third, where faces are.
func cropTo(w, h int, aspect float64) image.Rectangle {
	cw, ch := w, int(math.Round(float64(w)/aspect))
	if ch > h {
		cw, ch = int(math.Round(float64(h)*aspect)), h
	}
	cw, ch = max(cw, 1), max(ch, 1)
	x := (w - cw) / 2
	y := min(max(h/3-ch/2, 0), h-ch)
	return image.Rect(x, y, x+cw, y+ch)
}

// contextReader ends the reading, and with it the decoding, with the context.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
