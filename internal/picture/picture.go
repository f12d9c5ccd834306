// Package picture reads untrusted pictures: photos of visitors, originals of the site and the pictures of composite
// cards. The result is upright, in sRGB, opaque, cropped and scaled, without metadata. The header says what
// the standard library's decoders will need, before they begin; a Worker keeps the pixels out of the process that
// serves.
package picture

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"

	"golang.org/x/image/webp"
)

// Bounds of what is read.
const (
	MaxPixels = 50_000_000
	maxSide   = 1<<16 - 1 // pixels; the limit of JPEG and GIF
	maxMemory = 256 << 20 // bytes that a decoder may take
)

// Errors of Probe and Decode.
var (
	ErrFormat = errors.New("no JPEG, PNG, GIF or WebP")
	ErrHEIC   = errors.New("HEIC is not read")
	ErrPixels = errors.New("more than 50 megapixels")
	ErrMemory = errors.New("takes too much memory to decode")
	ErrBroken = errors.New("the picture is damaged")
	// ErrKind is of a picture that browsers may show: one of a kind that the decoders don't know.
	ErrKind = errors.New("a kind of JPEG that is not read")
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

// Original is a picture whose header was read, but not its pixels.
type Original struct {
	Format        Format
	Width, Height int // pixels of the upright picture

	file   io.ReadSeeker
	header header
}

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
	if err := o.rewind(); err != nil {
		return nil, err
	}
	o.header = readHeader(format, bufio.NewReader(file))
	w, h := o.header.width, o.header.height
	if o.header.unread {
		return nil, fmt.Errorf("%s: %w", format, ErrKind)
	}
	if w < 1 || h < 1 {
		return nil, fmt.Errorf("%s: %w", format, ErrBroken)
	}
	if w > maxSide || h > maxSide || w*h > MaxPixels {
		return nil, fmt.Errorf("%s of %d x %d pixels: %w", format, w, h, ErrPixels)
	}
	if needed := o.header.memory(); needed > maxMemory {
		return nil, fmt.Errorf("%s of %d x %d pixels, %d MB: %w", format, w, h, needed>>20, ErrMemory)
	}
	o.Width, o.Height = o.header.orientation.size(w, h)
	return o, nil
}

func (o *Original) rewind() error {
	_, err := o.file.Seek(0, io.SeekStart)
	return err
}

// Version tells the file from others, in 24 bits of hex: it is a hash of its size, its beginning and its end.
func (o *Original) Version() (string, error) {
	const begin, end = 64 << 10, 4 << 10
	hash := sha256.New()
	size, err := o.file.Seek(0, io.SeekEnd)
	if err != nil {
		return "", err
	}
	fmt.Fprintln(hash, size)
	for _, part := range [][2]int64{{0, begin}, {max(0, size-end), end}} {
		if _, err := o.file.Seek(part[0], io.SeekStart); err != nil {
			return "", err
		}
		if _, err := io.Copy(hash, io.LimitReader(o.file, part[1])); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(hash.Sum(nil)[:3]), nil
}

// Fit is the size in pixels of the whole picture, scaled down if it is wider or higher than given.
func (o *Original) Fit(width, height int) (w, h int) {
	factor := min(1, float64(width)/float64(o.Width), float64(height)/float64(o.Height))
	return max(1, int(math.Round(float64(o.Width)*factor))), max(1, int(math.Round(float64(o.Height)*factor)))
}

// Memory is how many bytes it takes to decode the picture to w by h pixels.
func (o *Original) Memory(w, h int) int64 { return o.header.memory() + 4*int64(w*h) }

// CMYK reports whether the picture has the colours of a printing press, whose profile is not read.
func (o *Original) CMYK() bool { return o.header.inks }

// Bounds is the whole upright picture.
func (o *Original) Bounds() image.Rectangle { return image.Rect(0, 0, o.Width, o.Height) }

// Decode decodes an area of the upright picture to w by h pixels, upright, in sRGB, and on white if the picture is
// transparent. Its errors wrap ErrBroken, or are the file's.
func (o *Original) Decode(area image.Rectangle, w, h int) (_ *image.RGBA, err error) {
	defer func() { // a fault of a decoder is the picture's
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("decoder: %v: %w", panicked, ErrBroken)
		}
	}()
	if err := o.rewind(); err != nil {
		return nil, err
	}
	m, err := decoders[o.Format](bufio.NewReaderSize(o.file, 64<<10))
	if unread := jpeg.UnsupportedError(""); errors.As(err, &unread) {
		return nil, fmt.Errorf("%w: %w", ErrKind, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", o.Format, ErrBroken, err)
	}
	if size := m.Bounds(); o.Format != GIF && size != image.Rect(0, 0, o.header.width, o.header.height) {
		return nil, fmt.Errorf("%s: %v instead of %d x %d pixels: %w",
			o.Format, size, o.header.width, o.header.height, ErrBroken)
	}
	orientation := o.header.orientation
	w, h = orientation.size(w, h)
	result := scale(m, orientation.toStored(area, o.Width, o.Height), w, h, orientation)
	o.header.profile.convert(result)
	return result, nil
}

var decoders = map[Format]func(io.Reader) (image.Image, error){
	JPEG: func(r io.Reader) (image.Image, error) { // browsers don't need the end marker
		return jpeg.Decode(io.MultiReader(r, strings.NewReader("\xff\xd9")))
	},
	PNG: png.Decode, GIF: gif.Decode, WebP: webp.Decode,
}
