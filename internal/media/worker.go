package media

import (
	"bytes"
	"image"
	"image/jpeg"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"github.com/gen2brain/avif"

	"zedcard/internal/picture"
)

// Qualities, chosen by measurement: see TestPicturesAreSmallAndGood.
const (
	jpegQuality   = 75
	largeQuality  = 68 // of JPEGs from largeWidth on, whose pixels are small on every screen
	largeWidth    = 1080
	avifQuality   = 72 // below 70 the grain of a wall turns into blocks
	avifSpeed     = 7  // 10 is three times as fast, for files of the same quality that are 5 to 30 % larger
	masterQuality = 92
)

// maxMaster is what decoding an original may take that is a master as it is, in bytes: a phone's photo of 16
// megapixels, a progressive one of 4.
const maxMaster = 24 << 20

const (
	// maxAVIFPixels is the size of the largest AVIF: 1080 x 1640 takes 120 MB, 1600 x 2133 would take 300 MB.
	maxAVIFPixels = 1080 * 1640
	sizeMemory    = 60 << 20  // bytes for making a JPEG out of a master
	avifMemory    = 120 << 20 // bytes for making the largest AVIF
	convertLimit  = 60 * time.Second
)

// recipe is what the worker makes of a picture that it reads at Width by Height pixels.
type recipe struct {
	Width, Height int
	Outputs       []output
}

// output is an area of the picture in a size.
type output struct {
	Area          image.Rectangle
	Width, Height int
	Quality       int
	AVIF          bool
}

// output is the variant of a master.
func (v variant) output(rec record, format string) output {
	o := output{Area: v.shape.crop.rect(rec.Width, rec.Height, v.focus), Quality: jpegQuality}
	o.Width, o.Height = rec.size(v.shape)
	switch {
	case format == avifFormat:
		o.Quality, o.AVIF = avifQuality, true
	case o.Width >= largeWidth:
		o.Quality = largeQuality
	}
	return o
}

// convert makes the outputs of a recipe of a file.
func (s *Store) convert(file []byte, r recipe, memory int64) ([][]byte, error) {
	limits := picture.Limits{Time: convertLimit, Memory: memory}
	if len(r.Outputs) > 0 && r.Outputs[0].AVIF {
		limits.Memory, limits.Background = avifMemory, true
	}
	return convertTask.Run(s.ctx, s.config.Worker, limits, r, bytes.NewReader(file))
}

var convertTask = picture.NewTask("convert", func(r recipe, files [][]byte) (made [][]byte, err error) {
	original, err := picture.Probe(bytes.NewReader(files[0]))
	if err != nil {
		return nil, err
	}
	var whole *image.RGBA
	if len(r.Outputs) > 1 || r.Width != original.Width {
		if whole, err = original.Decode(original.Bounds(), r.Width, r.Height); err != nil {
			return nil, err
		}
	}
	for _, o := range r.Outputs {
		var m *image.RGBA
		if whole != nil {
			m = picture.Scale(whole, o.Area, o.Width, o.Height)
		} else if m, err = original.Decode(o.Area, o.Width, o.Height); err != nil { // cropped and scaled meanwhile
			return nil, err
		}
		var data bytes.Buffer
		if err := o.encode(&data, m); err != nil {
			return nil, err
		}
		made = append(made, data.Bytes())
	}
	return made, nil
})

func (o output) encode(to io.Writer, m *image.RGBA) error {
	if !o.AVIF {
		return jpeg.Encode(to, m, &jpeg.Options{Quality: o.Quality})
	}
	beginAVIF()
	return avif.Encode(to, m, avif.Options{
		Quality: o.Quality, QualityAlpha: 100, Speed: avifSpeed, ChromaSubsampling: image.YCbCrSubsampleRatio420,
	})
}

// beginAVIF compiles the encoder's WebAssembly.
var beginAVIF = sync.OnceFunc(func() {
	debug.SetGCPercent(25)
	debug.SetMemoryLimit(64 << 20) // below what it needs, so that unused memory is returned at once
	avif.InitEncoder()
	debug.FreeOSMemory() // compiling took more memory than running it
})
