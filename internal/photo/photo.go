// Package photo makes the pictures that visitors send harmless: known by their content, turned
// upright, without any metadata (where they were taken above all), and made anew as JPEG. It also
// keeps them for a while, when the form around them has an error.
package photo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"runtime"
	"runtime/debug"
	"time"

	"golang.org/x/image/draw"
	"golang.org/x/sync/semaphore"
)

// The bounds of a photo (contract, section 7), and of what is made of it.
const (
	MaxBytes  = 10 << 20
	MaxPixels = 50_000_000

	maxSide = 3000 // pixels; prints 25 cm at 300 dpi
)

// qualities are tried until the photo is not larger than MaxBytes: the panel takes no more.
var qualities = []int{90, 80, 70, 60, 50, 30}

// Why a photo can't be taken. Key gives the message for each.
var (
	ErrType     = errors.New("no png, gif or jpeg")
	ErrHEIC     = errors.New("heic is not read")
	ErrTooLarge = errors.New("more than 10 MiB")
	ErrPixels   = errors.New("more than 50 megapixels")
	ErrMemory   = errors.New("takes too much memory")
	ErrBroken   = errors.New("picture is damaged")
	ErrBusy     = errors.New("too many photos at once")
)

// Key is the message for the error of Clean or of the waiting photos.
func Key(err error) string {
	switch {
	case errors.Is(err, ErrType):
		return "error.photo.type"
	case errors.Is(err, ErrHEIC):
		return "error.photo.heic"
	case errors.Is(err, ErrTooLarge):
		return "error.photo.large"
	case errors.Is(err, ErrPixels):
		return "error.photo.pixels"
	case errors.Is(err, ErrMemory):
		return "error.photo.memory"
	case errors.Is(err, ErrBusy):
		return "error.photo.busy"
	case errors.Is(err, ErrGone):
		return "error.photo.gone"
	}
	return "error.photo.broken"
}

// Photo is a picture that is fit to be passed on.
type Photo struct {
	Data          []byte
	Type          string // always image/jpeg
	Width, Height int    // as it is to be seen
}

// Cleaning takes a core and much memory. One core is left to the pages: while 20 applications came at
// once to two busy cores, the 99th percentile of other pages was 372 ms with both cores at the photos
// and 56 ms with one, and the applications took as long.
const (
	usualMemory = 128 << 20 // a photo of 12 megapixels takes less
	maxMemory   = 448 << 20 // for the worst that is taken: 50 megapixels as PNG of 16 bits
	fitMemory   = 64 << 20  // for making the result, at most, beside the decoded picture
)

var (
	turns  = semaphore.NewWeighted(int64(max(1, runtime.GOMAXPROCS(0)-1)))
	memory = semaphore.NewWeighted(max(maxMemory, int64(max(1, runtime.GOMAXPROCS(0)-1))*usualMemory))
)

// maxWait is how long a photo waits for its turn before the visitor is told to try again.
const maxWait = 60 * time.Second

// Clean makes a new JPEG of a png, gif (its first picture) or jpeg. Its errors wrap the ones above,
// or ctx's.
func Clean(ctx context.Context, data []byte) (Photo, error) {
	clean, err := cleanOne(ctx, data)
	if err != nil {
		return Photo{}, fmt.Errorf("photo: %w", err)
	}
	return clean, nil
}

func cleanOne(ctx context.Context, data []byte) (Photo, error) {
	if len(data) > MaxBytes {
		return Photo{}, ErrTooLarge
	}
	kind, err := kindOf(data)
	if err != nil {
		return Photo{}, err
	}
	config, err := kind.config(bytes.NewReader(data))
	if err != nil {
		return Photo{}, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	pixels := int64(config.Width) * int64(config.Height)
	if config.Width <= 0 || config.Height <= 0 {
		return Photo{}, ErrBroken
	}
	if pixels > MaxPixels {
		return Photo{}, ErrPixels
	}
	facts, err := kind.facts(data)
	if err != nil {
		return Photo{}, err
	}
	half := facts.progressive && pixels > maxProgressive
	needed := pixels*facts.bytesPerPixel(config.ColorModel, half) + fitMemory
	if needed > maxMemory {
		return Photo{}, ErrMemory
	}
	done, err := takeTurn(ctx, needed)
	if err != nil {
		return Photo{}, err
	}
	defer done()
	return remake(data, kind, facts, half)
}

// takeTurn waits until a core and so much memory are free.
func takeTurn(ctx context.Context, needed int64) (done func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	if err = turns.Acquire(waiting, 1); err == nil {
		if err = memory.Acquire(waiting, needed); err != nil {
			turns.Release(1)
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, ErrBusy
	}
	return func() {
		if needed > usualMemory {
			debug.FreeOSMemory() // else the next one's memory comes on top of this one's
		}
		memory.Release(needed)
		turns.Release(1)
	}, nil
}

// remake makes the new JPEG.
func remake(data []byte, kind kind, facts facts, half bool) (Photo, error) {
	decode := kind.decode
	if half {
		decode = decodeHalf
	}
	picture, err := decode(data)
	if err != nil {
		return Photo{}, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	upright := facts.orientation.apply(fit(picture))
	encoded, err := encode(upright, MaxBytes)
	size := upright.Bounds().Size()
	return Photo{Data: encoded, Type: "image/jpeg", Width: size.X, Height: size.Y}, err
}

// encode gives the best JPEG of a picture that is not larger than limit, or the smallest.
func encode(picture image.Image, limit int) ([]byte, error) {
	var out bytes.Buffer
	for _, quality := range qualities {
		out.Reset()
		if err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: quality}); err != nil {
			return nil, err
		}
		if out.Len() <= limit {
			break
		}
	}
	return out.Bytes(), nil
}

// kind is one of the formats that are read.
type kind struct {
	config func(io.Reader) (image.Config, error)
	decode func([]byte) (image.Image, error)
	facts  func([]byte) (facts, error)
}

var (
	jpegKind = kind{jpeg.DecodeConfig, reading(jpeg.Decode), jpegFacts}
	pngKind  = kind{png.DecodeConfig, reading(png.Decode), pngFacts}
	gifKind  = kind{gif.DecodeConfig, reading(gif.Decode), func([]byte) (facts, error) { return facts{orientation: 1}, nil }}
)

func reading(decode func(io.Reader) (image.Image, error)) func([]byte) (image.Image, error) {
	return func(data []byte) (image.Image, error) { return decode(bytes.NewReader(data)) }
}

// kindOf tells the format by the first bytes; what the browser or the file's name says plays no part.
func kindOf(data []byte) (kind, error) {
	begins := func(with string) bool { return bytes.HasPrefix(data, []byte(with)) }
	switch {
	case begins("\xff\xd8\xff"):
		return jpegKind, nil
	case begins("\x89PNG\r\n\x1a\n"):
		return pngKind, nil
	case begins("GIF87a"), begins("GIF89a"):
		return gifKind, nil
	case len(data) > 12 && string(data[4:8]) == "ftyp":
		switch string(data[8:12]) {
		case "heic", "heix", "hevc", "heim", "heis", "mif1", "msf1":
			return kind{}, ErrHEIC
		}
	}
	return kind{}, ErrType
}

// fit makes a picture no larger than maxSide, on white where it is transparent. A photo of the right
// size is left as it is. Halving first keeps fine patterns, hair for one, from turning into others:
// the quick scaler looks at four pixels only, which is right up to a half. The thorough scalers take
// 300 MB for a photo of 12 megapixels.
func fit(picture image.Image) image.Image {
	width, height := picture.Bounds().Dx(), picture.Bounds().Dy()
	if _, photo := picture.(*image.YCbCr); photo && max(width, height) <= maxSide {
		return picture
	}
	for {
		longest := max(width, height)
		if longest > 2*maxSide {
			width, height = max(1, width/2), max(1, height/2)
		} else if longest > maxSide {
			width, height = max(1, width*maxSide/longest), max(1, height*maxSide/longest)
		}
		smaller := image.NewRGBA(image.Rect(0, 0, width, height))
		draw.Draw(smaller, smaller.Rect, image.White, image.Point{}, draw.Src)
		draw.ApproxBiLinear.Scale(smaller, smaller.Rect, picture, picture.Bounds(), draw.Over, nil)
		if max(width, height) <= maxSide {
			return smaller
		}
		picture = smaller
	}
}
