// Package photo makes the pictures that visitors send harmless: known by their content, turned upright, without any
// metadata (where they were taken above all), and made anew as JPEG. It
// also keeps them for a while, when the form around them has an error.
package photo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"runtime"
	"runtime/debug"
	"time"

	"golang.org/x/sync/semaphore"

	"zedcard/internal/picture"
)

// MaxBytes is the most that a photo may have.
const MaxBytes = 10 << 20

const maxSide = 3000 // pixels of what is made of it; prints 25 cm at 300 dpi

// Why a photo can't be taken, beside the errors of package picture. Key gives the message for each.
var (
	ErrTooLarge = errors.New("more than 10 MiB")
	ErrBusy     = errors.New("too many photos at once")
)

// Key is the text that tells a visitor the error of a Cleaner or of the waiting photos.
func Key(err error) string {
	switch {
	case errors.Is(err, picture.ErrFormat):
		return "error.photo.type"
	case errors.Is(err, picture.ErrHEIC):
		return "error.photo.heic"
	case errors.Is(err, ErrTooLarge):
		return "error.photo.large"
	case errors.Is(err, picture.ErrPixels):
		return "error.photo.pixels"
	case errors.Is(err, picture.ErrMemory):
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
	Preview       []byte // a small JPEG of it, of 60 KB at most
	Type          string // always image/jpeg
	Width, Height int    // as it is to be seen
}

// Cleaner makes photos clean, so many at once as fit into its memory. Cleaning takes a core. One core is left to the
// pages: while 20 applications came at once to two busy cores, the 99th percentile of other pages was 372 ms with both
// cores at the photos and 56 ms with one, and the applications took as long.
type Cleaner struct {
	cores  *semaphore.Weighted
	memory *semaphore.Weighted
}

const (
	// photoMemory is what a photo may take while it is decoded: the whole upload stays below 128 MB, with its file and
	// the one that is made of it.
	photoMemory  = 96 << 20
	freeMemory   = 32 << 20         // from which a photo's memory is given back at once
	maxWait      = 60 * time.Second // for a turn, before the visitor is told to try again
	cleanerTotal = 192 << 20
)

// NewCleaner makes a Cleaner.
func NewCleaner() *Cleaner {
	return &Cleaner{
		cores:  semaphore.NewWeighted(int64(max(1, runtime.GOMAXPROCS(0)-1))),
		memory: semaphore.NewWeighted(cleanerTotal),
	}
}

// Clean makes a new JPEG of a PNG, GIF (its first frame) or JPEG. Its errors wrap the ones above, those of package
// picture, or ctx's.
func (c *Cleaner) Clean(ctx context.Context, data []byte) (Photo, error) {
	clean, err := c.clean(ctx, data)
	if err != nil {
		return Photo{}, fmt.Errorf("photo: %w", err)
	}
	return clean, nil
}

func (c *Cleaner) clean(ctx context.Context, data []byte) (Photo, error) {
	if len(data) > MaxBytes {
		return Photo{}, ErrTooLarge
	}
	original, err := picture.Probe(bytes.NewReader(data), picture.JPEG, picture.PNG, picture.GIF)
	if err != nil {
		return Photo{}, err
	}
	w, h := original.Fit(maxSide, maxSide)
	plan, err := original.Plan(original.Bounds(), w, h, photoMemory)
	if err != nil {
		return Photo{}, err
	}
	done, err := c.takeTurn(ctx, plan.Memory)
	if err != nil {
		return Photo{}, err
	}
	defer done()
	upright, err := plan.Decode(ctx)
	if err != nil {
		return Photo{}, err
	}
	encoded, err := encode(upright, MaxBytes)
	if err != nil {
		return Photo{}, err
	}
	preview, err := encode(shrink(upright), previewBytes)
	return Photo{Data: encoded, Preview: preview, Type: "image/jpeg", Width: w, Height: h}, err
}

// A preview is shown beside the form, on slow lines too.
const (
	previewBytes = 60_000
	previewSide  = 480 // pixels
)

// shrink is a picture that fits into a preview, never enlarged.
func shrink(m image.Image) image.Image {
	w, h := m.Bounds().Dx(), m.Bounds().Dy()
	longer := max(w, h)
	if longer <= previewSide {
		return m
	}
	return picture.Scale(m, m.Bounds(), max(1, w*previewSide/longer), max(1, h*previewSide/longer))
}

// takeTurn waits until a core and so much memory are free.
func (c *Cleaner) takeTurn(ctx context.Context, needed int64) (done func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	if err = c.cores.Acquire(waiting, 1); err == nil {
		if err = c.memory.Acquire(waiting, needed); err != nil {
			c.cores.Release(1)
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, ErrBusy
	}
	return func() {
		if needed > freeMemory {
			debug.FreeOSMemory() // else the next one's memory comes on top of this one's
		}
		c.memory.Release(needed)
		c.cores.Release(1)
	}, nil
}

// qualities are tried until the photo is not larger than MaxBytes: the panel takes no more.
var qualities = []int{90, 80, 70, 60, 50, 30}

// encode gives the best JPEG of a picture that is not larger than limit, or the smallest.
func encode(m image.Image, limit int) ([]byte, error) {
	var out bytes.Buffer
	for _, quality := range qualities {
		out.Reset()
		if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: quality}); err != nil {
			return nil, err
		}
		if out.Len() <= limit {
			break
		}
	}
	return out.Bytes(), nil
}
