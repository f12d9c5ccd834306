package media

import (
	"bufio"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/webp"
)

// sniff names the format that the first 12 bytes of a file belong to, empty for every other.
func sniff(head []byte) string {
	begins := func(s string) bool { return len(head) >= len(s) && string(head[:len(s)]) == s }
	switch {
	case begins("\xff\xd8\xff"):
		return "jpeg"
	case begins("\x89PNG\r\n\x1a\n"):
		return "png"
	case begins("GIF87a"), begins("GIF89a"):
		return "gif"
	case begins("RIFF") && len(head) >= 12 && string(head[8:12]) == "WEBP":
		return "webp"
	}
	return ""
}

type codec struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error) // of an animation the first frame
}

var codecs = map[string]codec{
	"jpeg": {jpeg.DecodeConfig, jpeg.Decode},
	"png":  {png.DecodeConfig, png.Decode},
	"gif":  {gif.DecodeConfig, gif.Decode},
	"webp": {webp.DecodeConfig, webp.Decode},
}

// original is a file that passed the limits and was not decoded yet.
type original struct {
	file   io.ReadSeeker
	codec  codec
	width  int
	height int
	about  metadata
	memory int64 // bytes that decoding needs, about
}

// probe looks at a file's header only, so that a bomb costs nothing. Errors wrap errRefused.
func probe(file io.ReadSeeker) (original, error) {
	head := make([]byte, 16)
	n, _ := io.ReadFull(file, head)
	format := sniff(head[:n])
	o := original{file: file, codec: codecs[format]}
	if format == "" {
		return o, fmt.Errorf("no picture: %w", errRefused)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return o, err
	}
	config, err := o.codec.config(bufio.NewReader(file))
	if err != nil {
		return o, fmt.Errorf("%s: %w: %w", format, errRefused, err)
	}
	o.width, o.height = config.Width, config.Height
	if o.width < 1 || o.height < 1 || o.width > maxPixels || o.height > maxPixels/o.width {
		return o, fmt.Errorf("%s of %d x %d pixels: %w", format, o.width, o.height, errRefused)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return o, err
	}
	o.about = readMetadata(format, bufio.NewReader(file))
	if w, h := max(o.width, o.about.width), max(o.height, o.about.height); w*h > maxPixels {
		return o, fmt.Errorf("%s with a frame of %d x %d pixels: %w", format, w, h, errRefused)
	}
	o.memory = int64(o.width*o.height) * bytesPerPixel(config.ColorModel, o.about)
	if o.memory > maxMemory {
		return o, fmt.Errorf("%s of %d x %d pixels needs %d MB to decode: %w", format, o.width, o.height, o.memory>>20, errRefused)
	}
	return o, nil
}

// bytesPerPixel is what decoding needs. A progressive JPEG keeps 4 bytes more for each sample until its end.
func bytesPerPixel(model color.Model, about metadata) int64 {
	var n int64 = 4
	switch model {
	case color.GrayModel:
		n = 1
	case color.YCbCrModel:
		n = 3
		if about.halfColour {
			n = 2
		}
	case color.RGBA64Model, color.NRGBA64Model:
		n = 8
	}
	if _, paletted := model.(color.Palette); paletted {
		n = 1
	}
	if about.progressive {
		n *= 5
	}
	return n
}

// pixels decodes the original into a picture that is upright, sRGB, opaque, and no larger than a master.
func (o original) pixels() (_ *image.RGBA, err error) {
	defer func() { // a decoder's fault must not end the site
		if fault := recover(); fault != nil {
			err = fmt.Errorf("decoder: %v: %w", fault, errRefused)
		}
	}()
	if _, err := o.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	decoded, err := o.codec.decode(bufio.NewReaderSize(o.file, 64<<10))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errRefused, err)
	}
	bounds := decoded.Bounds()
	if bounds.Dx() < 1 || bounds.Dy() < 1 || bounds.Dx()*bounds.Dy() > maxPixels {
		return nil, fmt.Errorf("%v: %w", bounds, errRefused)
	}
	w, h := masterSize(bounds.Dx(), bounds.Dy(), o.about.turned())
	small := scale(decoded, bounds, w, h)
	o.about.profile.convert(small)
	return upright(small, o.about.orientation), nil
}

// masterSize is the size, before it is turned upright, to which an original of w by h pixels is reduced: upright
// at most masterWidth wide and twice as high, never larger than it is.
func masterSize(w, h int, turned bool) (int, int) {
	widest, highest := masterWidth, 2*masterWidth
	if turned {
		widest, highest = highest, widest
	}
	f := min(1, float64(widest)/float64(w), float64(highest)/float64(h))
	return max(1, int(math.Round(float64(w)*f))), max(1, int(math.Round(float64(h)*f)))
}

// upright turns a picture by its EXIF orientation, 1 to 8 (anything else: as it is).
func upright(m *image.RGBA, orientation int) *image.RGBA {
	if orientation < 2 || orientation > 8 {
		return m
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	if orientation >= 5 {
		out = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			to := [2]int{x, y}
			switch orientation {
			case 2:
				to = [2]int{w - 1 - x, y}
			case 3:
				to = [2]int{w - 1 - x, h - 1 - y}
			case 4:
				to = [2]int{x, h - 1 - y}
			case 5:
				to = [2]int{y, x}
			case 6:
				to = [2]int{h - 1 - y, x}
			case 7:
				to = [2]int{h - 1 - y, w - 1 - x}
			case 8:
				to = [2]int{y, w - 1 - x}
			}
			copy(out.Pix[out.PixOffset(to[0], to[1]):][:4], m.Pix[m.PixOffset(x, y):][:4])
		}
	}
	return out
}

// rows gives a picture's rows as RGB bytes, laid over white where it is transparent.
func rows(m image.Image, area image.Rectangle) func(y int, to []uint8) {
	switch m := m.(type) {
	case *image.YCbCr:
		return func(y int, to []uint8) {
			for i, x := 0, area.Min.X; x < area.Max.X; i, x = i+3, x+1 {
				c := m.COffset(x, y)
				to[i], to[i+1], to[i+2] = color.YCbCrToRGB(m.Y[m.YOffset(x, y)], m.Cb[c], m.Cr[c])
			}
		}
	case *image.Gray:
		return func(y int, to []uint8) {
			row := m.Pix[m.PixOffset(area.Min.X, y):]
			for x := range area.Dx() {
				to[3*x], to[3*x+1], to[3*x+2] = row[x], row[x], row[x]
			}
		}
	case *image.CMYK:
		return func(y int, to []uint8) {
			row := m.Pix[m.PixOffset(area.Min.X, y):]
			for x := range area.Dx() {
				to[3*x], to[3*x+1], to[3*x+2] = color.CMYKToRGB(row[4*x], row[4*x+1], row[4*x+2], row[4*x+3])
			}
		}
	}
	line := image.NewRGBA(image.Rect(0, 0, area.Dx(), 1))
	return func(y int, to []uint8) {
		draw.Draw(line, line.Rect, image.White, image.Point{}, draw.Src)
		draw.Draw(line, line.Rect, m, image.Pt(area.Min.X, y), draw.Over)
		for x := range area.Dx() {
			copy(to[3*x:3*x+3], line.Pix[4*x:])
		}
	}
}
