package media

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
	"zedcard/internal/testkit/picturetest"
)

var (
	red   = color.RGBA{220, 30, 30, 255}
	blue  = color.RGBA{30, 30, 220, 255}
	green = color.RGBA{30, 200, 30, 255}
	white = color.RGBA{255, 255, 255, 255}
)

// corners is a picture that shows how it was turned: red top left, blue top right, green bottom left, white.
func corners(w, h int) *image.RGBA {
	return picturetest.Draw(w, h, func(x, y int) color.Color {
		return [2][2]color.RGBA{{red, blue}, {green, white}}[2*y/h][2*x/w]
	})
}

// exif is a segment with an orientation, a place and a camera's owner.
func exif(orientation uint16) []byte {
	tiff := []byte("MM\x00*\x00\x00\x00\x08\x00\x02")
	tiff = binary.BigEndian.AppendUint16(append(tiff, 0x01, 0x12, 0, 3, 0, 0, 0, 1), orientation)
	tiff = append(tiff, 0, 0, 0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0x26, 0, 0, 0, 0)
	return picturetest.Segment(0xe1, append([]byte("Exif\x00\x00"), append(tiff, "GPS 52.5200N OWNER-NAME"...)...))
}

func TestOriginalsOfEveryKindAreShownUprightWithoutMetadata(t *testing.T) {
	half := image.NewNRGBA(image.Rect(0, 0, 40, 40)) // transparent below
	for i := range 20 * 40 {
		half.Set(i%40, i/40, red)
	}
	var transparent, animation bytes.Buffer
	require.NoError(t, png.Encode(&transparent, half))
	frame := func(c color.Color) *image.Paletted {
		return image.NewPaletted(image.Rect(0, 0, 60, 40), color.Palette{c})
	}
	require.NoError(t,
		gif.EncodeAll(&animation, &gif.GIF{Image: []*image.Paletted{frame(red), frame(blue)}, Delay: []int{10, 10}}))
	camera := image.NewRGBA(image.Rect(0, 0, 120, 80)) // held upright: the picture lies on its side
	upright := corners(80, 120)
	for i := range 80 * 120 {
		x, y := i%80, i/80
		camera.Set(y, 79-x, upright.At(x, y))
	}
	for name, kind := range map[string]struct {
		original     []byte
		above, below color.RGBA // at 8, 8 and 8, 24
	}{
		"transparent PNG":               {transparent.Bytes(), red, white},
		"animated GIF":                  {animation.Bytes(), red, red},
		"CMYK with inverted Adobe inks": {stored(t, "cmyk.jpg"), color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 0, 0}},
		"WebP":                          {stored(t, "corners.webp"), red, green},
		"progressive JPEG":              {stored(t, "progressive.jpg"), red, green},
		"camera's JPEG": {
			picturetest.JPEG(t, camera, exif(6), picturetest.Segment(0xfe, []byte("COMMENT"))), red, red,
		},
	} {
		from := &storage{}
		from.put("a.jpg", kind.original)
		s := open(t, from)
		data := get(s, sourceOf(s, "a.jpg", 360).Src).Body.Bytes()
		m := decoded(t, data)
		assert.Equal(t, "\xff\xd8\xff", string(data[:3]), "%s becomes a JPEG", name)
		picturetest.Near(t, kind.above, m, 8, 8)
		if kind.below.A > 0 {
			picturetest.Near(t, kind.below, m, 8, 24)
		}
		if name == "camera's JPEG" {
			assert.Equal(t, image.Pt(80, 120), m.Bounds().Size())
			picturetest.Near(t, blue, m, 70, 10)
			picturetest.Near(t, green, m, 10, 110)
		}
		for _, secret := range []string{"Exif", "GPS", "OWNER", "COMMENT"} {
			assert.NotContains(t, string(data), secret, name)
		}
	}
}

func stored(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return data
}

func TestWithABrokenEncoderPicturesAreJPEG(t *testing.T) {
	from := &storage{}
	from.put("a.jpg", picturetest.JPEG(t, photo(400, 400)))
	s := open(t, from, withAVIF)
	get(s, sourceOf(s, "a.jpg", 360).Src)
	s.config.Worker = picture.NewWorker(os.Args[0] + "-not-there")
	p, _ := s.resolve("a.jpg", "")
	require.Error(t, s.makeFile(variant{original: p, shape: shape{agency.Whole, 360}}, avifFormat, true))
	answer := get(s, links(sourceOf(s, "a.jpg", 360).AVIF)["360w"])
	assert.Equal(t, "image/jpeg", answer.Header().Get("Content-Type"))
	assert.Equal(t, cacheSubstitute, answer.Header().Get("Cache-Control"))
}

// Texts of a back end have pictures with their full path: <img src="/storage/blog/1.jpg">.
func TestPictureMayBeNamedByItsPathOnTheHost(t *testing.T) {
	s := open(t, &storage{})
	assert.Equal(t, sourceOf(s, "blog/1.jpg"), sourceOf(s, "/storage/blog/1.jpg"))
	assert.Equal(t, sourceOf(s, "blog/1.jpg"), sourceOf(s, "storage/blog/1.jpg"), "as Laravel writes it")
}
