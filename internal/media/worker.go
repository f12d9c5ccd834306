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
	convertLimit  = 60 * time.Second
)

// output is an area of a picture in a size.
type output struct {
	Of            image.Point // the size in pixels that the area is one of; the picture may be larger
	Area          image.Rectangle
	Width, Height int
	Quality       int
	AVIF          bool
}

// output is the variant of a master.
func (v variant) output(rec record, format string) output {
	o := output{Of: image.Pt(rec.Width, rec.Height), Quality: jpegQuality}
	o.Area = cropped(v.shape.crop, rec.Width, rec.Height, v.focus)
	o.Width, o.Height = rec.size(v.shape)
	switch {
	case format == avifFormat:
		o.Quality, o.AVIF = avifQuality, true
	case o.Width >= largeWidth:
		o.Quality = largeQuality
	}
	return o
}

// convert makes the output of a file in a worker.
func (s *Store) convert(file picture.File, o output, background bool) ([]byte, error) {
	limits := picture.Limits{Time: convertLimit, Background: background}
	made, err := convertTask.Run(s.ctx, s.config.Worker, limits, o, file)
	if err != nil {
		return nil, err
	}
	return made[0], nil
}

var convertTask = picture.NewTask("convert", func(o output, files [][]byte) ([][]byte, error) {
	original, err := picture.Probe(bytes.NewReader(files[0]))
	if err != nil {
		return nil, err
	}
	at := func(p image.Point) image.Point {
		return image.Pt(p.X*original.Width/o.Of.X, p.Y*original.Height/o.Of.Y)
	}
	m, err := original.Decode(image.Rectangle{at(o.Area.Min), at(o.Area.Max)}, o.Width, o.Height)
	if err != nil {
		return nil, err
	}
	var made bytes.Buffer
	err = o.encode(&made, m)
	return [][]byte{made.Bytes()}, err
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
