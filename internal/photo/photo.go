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
	"time"

	"golang.org/x/image/draw"
	"golang.org/x/sync/semaphore"
)

// The bounds of a photo (contract, section 7), and of what is made of it.
const (
	MaxBytes  = 10 << 20
	MaxPixels = 50_000_000

	maxSide = 3000 // pixels; prints 25 cm at 300 dpi
	quality = 90
)

// Why a photo can't be taken. Key gives the message for each.
var (
	ErrType     = errors.New("no png, gif or jpeg")
	ErrHEIC     = errors.New("heic is not read")
	ErrTooLarge = errors.New("more than 10 MiB")
	ErrPixels   = errors.New("more than 50 megapixels")
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
// and 56 ms with one, and the applications took as long. Huge pictures take more than one share of
// the memory.
const shareOfACore = 128 << 20

var (
	budget   = int64(max(1, runtime.GOMAXPROCS(0)-1)) * shareOfACore
	cleaning = semaphore.NewWeighted(budget)
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
	facts := kind.facts(data)

	share := min(max(pixels*facts.bytesPerPixel, shareOfACore), budget)
	waiting, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	if err := cleaning.Acquire(waiting, share); err != nil {
		if ctx.Err() != nil {
			return Photo{}, ctx.Err()
		}
		return Photo{}, ErrBusy
	}
	defer cleaning.Release(share)

	picture, err := kind.decode(bytes.NewReader(data))
	if err != nil {
		return Photo{}, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	upright := facts.orientation.apply(fit(picture))
	var out bytes.Buffer
	if err := jpeg.Encode(&out, upright, &jpeg.Options{Quality: quality}); err != nil {
		return Photo{}, err
	}
	size := upright.Bounds().Size()
	return Photo{Data: out.Bytes(), Type: "image/jpeg", Width: size.X, Height: size.Y}, nil
}

// kind is one of the formats that are read.
type kind struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
	facts  func([]byte) facts
}

// facts are what the decoder does not tell.
type facts struct {
	orientation   orientation
	bytesPerPixel int64 // memory that decoding takes, at most
}

var (
	jpegKind = kind{jpeg.DecodeConfig, jpeg.Decode, jpegFacts}
	pngKind  = kind{png.DecodeConfig, png.Decode, func(data []byte) facts { return facts{pngOrientation(data), 8} }}
	gifKind  = kind{gif.DecodeConfig, gif.Decode, func([]byte) facts { return facts{1, 4} }}
)

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
