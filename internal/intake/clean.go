package intake

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
)

// A photo that visitors upload is made anew: its format is told by the content, it is turned upright, loses all
// metadata (the location above all) and is encoded again as JPEG.

// Limits of the cleaned photo.
const (
	maxSide    = 3000    // pixels; prints 25 cm at 300 dpi
	cleanBytes = 3 << 20 // so that a small file does not become a large one; photos of phones take some 2 MB
)

// ErrPhotoTooLarge is an error of CleanPhoto, beside those of package picture. PhotoMessage has the message for each.
var ErrPhotoTooLarge = errors.New("more than 10 MiB")

// PhotoMessage is the key of the message for an error of CleanPhoto.
func PhotoMessage(err error) string {
	switch {
	case errors.Is(err, picture.ErrFormat):
		return "error.photo.type"
	case errors.Is(err, picture.ErrHEIC):
		return "error.photo.heic"
	case errors.Is(err, ErrPhotoTooLarge):
		return "error.photo.large"
	case errors.Is(err, picture.ErrPixels):
		return "error.photo.pixels"
	case errors.Is(err, picture.ErrMemory), errors.Is(err, picture.ErrSlow):
		return "error.photo.memory"
	case errors.Is(err, picture.ErrKind):
		return "error.photo.kind"
	case errors.Is(err, picture.ErrBusy):
		return "error.photo.busy"
	}
	return "error.photo.broken"
}

// Photo is a cleaned photo: a JPEG, and a small one of it, of 60 KB at most.
type Photo struct{ Data, Preview []byte }

const (
	// cleanLimit is the processor time that cleaning one photo may take; 48 megapixels of a phone take two seconds.
	cleanLimit = 5 * time.Second
	// maxScanned bounds the pixels of all scans of a progressive JPEG, however short each is in the file. Encoders make
	// ten scans.
	maxScanned = 1 << 30
)

// CleanPhoto makes a new JPEG from a PNG, GIF (its first frame) or JPEG, in the worker. Its errors wrap
// ErrPhotoTooLarge, those of package picture, or ctx's.
func CleanPhoto(ctx context.Context, worker *picture.Worker, file *io.SectionReader) (Photo, error) {
	if file.Size() > agency.MaxPhoto {
		return Photo{}, fmt.Errorf("photo: %w", ErrPhotoTooLarge)
	}
	if _, err := probe(file); err != nil { // before it waits for its turn
		return Photo{}, fmt.Errorf("photo: %w", err)
	}
	limits := picture.Limits{Time: cleanLimit}
	files, err := cleanTask.Run(ctx, worker, limits, struct{}{}, file)
	if err != nil {
		return Photo{}, fmt.Errorf("photo: %w", err)
	}
	return Photo{Data: files[0], Preview: files[1]}, nil
}

func probe(file io.ReadSeeker) (*picture.Original, error) {
	return picture.Probe(file, picture.JPEG, picture.PNG, picture.GIF)
}

var cleanTask = picture.NewTask("clean", clean)

// clean makes the photo and its preview.
func clean(_ struct{}, files [][]byte) (made [][]byte, err error) {
	original, err := probe(bytes.NewReader(files[0]))
	if err != nil {
		return nil, err
	}
	if scans := bytes.Count(files[0], []byte{0xff, 0xda}); scans*original.Width*original.Height > maxScanned {
		return nil, fmt.Errorf("%d scans: %w", scans, picture.ErrSlow)
	}
	w, h := original.Fit(maxSide, maxSide)
	upright, err := original.Decode(original.Bounds(), w, h)
	if err != nil {
		return nil, err
	}
	upright, data, err := encode(upright, cleanBytes)
	if err != nil {
		return nil, err
	}
	_, preview, err := encode(shrink(upright, previewSide), previewBytes)
	return [][]byte{data, preview}, err
}

// Limits of a preview, which must load fast on slow connections, too.
const (
	previewBytes = 60_000
	previewSide  = 480 // pixels
)

// shrink scales a picture down to fit into a square.
func shrink(m *image.RGBA, side int) *image.RGBA {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	longer := max(w, h)
	if longer <= side {
		return m
	}
	return picture.Scale(m, m.Rect, max(1, w*side/longer), max(1, h*side/longer))
}

// qualities are tried until the file is small enough; then the picture shrinks.
var qualities = []int{90, 75, 55}

// encode encodes a picture as the best JPEG of at most limit bytes, and returns what was encoded.
func encode(m *image.RGBA, limit int) (*image.RGBA, []byte, error) {
	var out bytes.Buffer
	for {
		for _, quality := range qualities {
			out.Reset()
			if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: quality}); err != nil {
				return nil, nil, err
			}
			if out.Len() <= limit {
				return m, out.Bytes(), nil
			}
		}
		m = shrink(m, max(m.Rect.Dx(), m.Rect.Dy())*2/3)
	}
}
