// Package picture reads untrusted pictures: photos of visitors, originals of the site and the pictures of composite
// cards. The result is upright, in sRGB, opaque, cropped and scaled, without metadata. The memory for decoding is known
// before it begins.
package picture

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"io"
	"math"
	"slices"
	"sync"

	"golang.org/x/image/webp"
)

// Bounds of what is read.
const (
	MaxPixels = 50_000_000
	maxSide   = 1<<16 - 1 // pixels; the limit of JPEG and GIF
)

// Errors of Probe, Plan and Decode.
var (
	ErrFormat = errors.New("no JPEG, PNG, GIF or WebP")
	ErrHEIC   = errors.New("HEIC is not read")
	ErrPixels = errors.New("more than 50 megapixels")
	ErrMemory = errors.New("takes too much memory to decode")
	ErrBroken = errors.New("the picture is damaged")
)

// Format is a picture's format.
type Format string

// The supported formats. Of an animation only the first frame is read.
const (
	JPEG Format = "jpeg"
	PNG  Format = "png"
	GIF  Format = "gif"
	WebP Format = "webp"
)

// sniff detects the format from a file's first bytes; its name and declared type are ignored.
func sniff(head []byte) (Format, error) {
	hasPrefix := func(s string) bool { return len(head) >= len(s) && string(head[:len(s)]) == s }
	switch {
	case hasPrefix("\xff\xd8\xff"):
		return JPEG, nil
	case hasPrefix("\x89PNG\r\n\x1a\n"):
		return PNG, nil
	case hasPrefix("GIF87a"), hasPrefix("GIF89a"):
		return GIF, nil
	case len(head) < 12:
	case hasPrefix("RIFF") && string(head[8:12]) == "WEBP":
		return WebP, nil
	case string(head[4:8]) == "ftyp":
		switch string(head[8:12]) {
		case "heic", "heix", "hevc", "heim", "heis", "mif1", "msf1":
			return "", ErrHEIC
		}
	}
	return "", ErrFormat
}

// IsSupported reports whether a file that begins with these 16 bytes is in a supported format.
func IsSupported(head []byte) bool {
	_, err := sniff(head)
	return err == nil
}

// Original is a picture whose header was read, but not its pixels.
type Original struct {
	Format        Format
	Width, Height int // pixels of the upright picture

	file     io.ReadSeeker
	fileSize int64
	header   header
}

// headerReaders are pooled: the built-in content has hundreds of pictures.
var headerReaders = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

// Probe reads the header of a picture in one of these formats (none: any), so that a decompression bomb costs nothing.
// Its errors wrap the ones above, or are the file's.
func Probe(file io.ReadSeeker, formats ...Format) (*Original, error) {
	head := make([]byte, 16)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	format, err := sniff(head[:n])
	if err != nil {
		return nil, err
	}
	if len(formats) > 0 && !slices.Contains(formats, format) {
		return nil, fmt.Errorf("%s: %w", format, ErrFormat)
	}
	o := &Original{Format: format, file: file}
	if o.fileSize, err = file.Seek(0, io.SeekEnd); err != nil {
		return nil, err
	}
	if err := o.rewind(); err != nil {
		return nil, err
	}
	r := headerReaders.Get().(*bufio.Reader)
	r.Reset(file)
	o.header = readHeader(format, r)
	r.Reset(nil)
	headerReaders.Put(r)
	w, h := o.header.width, o.header.height
	if w < 1 || h < 1 {
		return nil, fmt.Errorf("%s: %w", format, ErrBroken)
	}
	if w > maxSide || h > maxSide || w*h > MaxPixels {
		return nil, fmt.Errorf("%s of %d x %d pixels: %w", format, w, h, ErrPixels)
	}
	o.Width, o.Height = o.header.orientation.size(w, h)
	return o, nil
}

func (o *Original) rewind() error {
	_, err := o.file.Seek(0, io.SeekStart)
	return err
}

// Fit is the size in pixels of the whole picture, scaled down if it is wider or higher than given.
func (o *Original) Fit(width, height int) (w, h int) {
	factor := min(1, float64(width)/float64(o.Width), float64(height)/float64(o.Height))
	return max(1, int(math.Round(float64(o.Width)*factor))), max(1, int(math.Round(float64(o.Height)*factor)))
}

// Bounds is the whole upright picture.
func (o *Original) Bounds() image.Rectangle { return image.Rect(0, 0, o.Width, o.Height) }

// Plan is how a part of a picture will be decoded.
type Plan struct {
	Memory int64 // approximate number of bytes that Decode needs

	original *Original
	area     image.Rectangle // as stored
	w, h     int             // of the result, as stored
	scale    int             // JPEG: decoded at scale/8; interlaced PNG: every scale-th pixel
}

// Plan plans to decode an area of the upright picture to w by h pixels. JPEGs and interlaced PNGs are decoded at the
// smallest scale that has as many pixels as the result, or at a smaller one to stay within budget bytes. The error is
// ErrMemory if no scale does.
func (o *Original) Plan(area image.Rectangle, w, h int, budget int64) (Plan, error) {
	orientation := o.header.orientation
	p := Plan{original: o, area: orientation.toStored(area, o.Width, o.Height), scale: 1}
	p.w, p.h = orientation.size(w, h)
	reduceScale := func() bool { return false }
	switch o.Format {
	case JPEG:
		for p.scale = 8; p.scale > 1 && p.area.Dx()*(p.scale-1) >= 8*p.w && p.area.Dy()*(p.scale-1) >= 8*p.h; {
			p.scale--
		}
		reduceScale = func() bool { p.scale--; return p.scale > 0 }
	case PNG:
		if o.header.interlaced {
			for p.scale < 8 && p.area.Dx() >= 2*p.scale*p.w && p.area.Dy() >= 2*p.scale*p.h {
				p.scale *= 2
			}
			reduceScale = func() bool { p.scale *= 2; return p.scale <= 8 }
		}
	}
	for {
		p.Memory = 4*int64(w*h) + o.decodeMemory(p.scale)
		if p.Memory <= budget {
			return p, nil
		}
		if !reduceScale() {
			return p, fmt.Errorf("%s of %d x %d pixels: %d MB: %w",
				o.Format, o.Width, o.Height, p.Memory>>20, ErrMemory)
		}
	}
}

// decodeMemory is how many bytes decoding takes beside the result, according to the decoders' sources.
func (o *Original) decodeMemory(scale int) int64 {
	pixels := int64(o.header.width * o.header.height)
	switch {
	case o.Format == JPEG:
		return o.fileSize + o.header.jpeg.decodeMemory(pixels, scale)
	case o.Format == PNG && o.header.interlaced:
		return 3 * pixels / int64(scale*scale)
	case o.Format == PNG:
		return 16 * int64(o.header.width) // decoded row by row
	case o.Format == GIF && o.header.interlaced:
		return 2 * pixels // deinterlaced into a second image
	case o.Format == GIF:
		return pixels
	default:
		return 4 * pixels // lossless WebP
	}
}

// Decode decodes the planned area, upright, in sRGB, and on white if the picture is transparent. Its errors wrap
// ErrBroken, or are the context's or the file's.
func (p Plan) Decode(ctx context.Context) (_ *image.RGBA, err error) {
	defer func() { // a decoder's panic must not end the site
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("decoder: %v: %w", panicked, ErrBroken)
		}
	}()
	o := p.original
	if err := o.rewind(); err != nil {
		return nil, err
	}
	area, readRow, err := p.rows(ctx, bufio.NewReaderSize(&contextReader{ctx, o.file}, 64<<10))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", o.Format, ErrBroken, err)
	}
	m, err := scale(readRow, area, p.w, p.h, o.header.orientation)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", o.Format, ErrBroken, err)
	}
	o.header.profile.convert(m)
	return m, nil
}

// rows starts decoding. area is the planned area within the rows.
func (p Plan) rows(ctx context.Context, file *bufio.Reader) (area image.Rectangle, readRow rowReader, err error) {
	o := p.original
	var m image.Image
	switch {
	case o.Format == PNG:
		return p.pngRows(file)
	case o.Format == JPEG && p.scale == 8 && o.header.jpeg.prefersStdlib():
		m, err = jpeg.Decode(file)
	case o.Format == JPEG:
		return p.jpegRows(ctx, file)
	case o.Format == GIF:
		m, err = gif.Decode(file)
	default:
		m, err = webp.Decode(file)
	}
	if err != nil {
		return area, nil, err
	}
	if size := m.Bounds(); o.Format != GIF && size.Size() != image.Pt(o.header.width, o.header.height) {
		return area, nil, fmt.Errorf("%v instead of %d x %d pixels", size, o.header.width, o.header.height)
	}
	return p.area, imageRows(m, p.area), nil
}

// scaledRect is a rectangle in a picture that is scaled by down/up.
func scaledRect(r image.Rectangle, down, up int) image.Rectangle {
	lo, hi := r.Min.Mul(down).Div(up), r.Max.Mul(down).Add(image.Pt(up-1, up-1)).Div(up)
	return image.Rectangle{Min: lo, Max: hi}
}

// contextReader fails when the context ends, which also ends the decoding.
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
