package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
)

// decode decodes an area of a picture to w by h pixels.
func decode(t testing.TB, data []byte, area image.Rectangle, w, h int) *image.RGBA {
	t.Helper()
	o, err := Probe(bytes.NewReader(data))
	require.NoError(t, err)
	plan, err := o.Plan(area, w, h, 1<<30)
	require.NoError(t, err)
	m, err := plan.Decode(t.Context())
	require.NoError(t, err)
	return m
}

// withExif puts an Exif segment with an orientation into a JPEG.
func withExif(data []byte, orientation uint16) []byte {
	tiff := append([]byte("II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00"),
		byte(orientation), 0, 0, 0)
	body := append([]byte("Exif\x00\x00"), tiff...)
	out := binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, 0xe1}, uint16(len(body)+2))
	return append(append(out, body...), data[2:]...)
}

// quarters is a picture of 160 x 80 pixels with a colour in each quarter, as a camera stores it that is held so.
func quarters(t testing.TB, held uint16) []byte {
	t.Helper()
	upright := func(x, y int) color.Color {
		return []color.Color{
			color.RGBA{200, 0, 0, 255}, color.RGBA{0, 200, 0, 255},
			color.RGBA{0, 0, 200, 255}, color.RGBA{200, 200, 0, 255},
		}[x/80+y/40*2]
	}
	w, h := orientation(held).size(160, 80)
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.Set(x, y, upright(orientation(held).toUpright(x, y, w, h)))
		}
	}
	var out bytes.Buffer
	require.NoError(t, jpeg.Encode(&out, m, &jpeg.Options{Quality: 95}))
	return withExif(out.Bytes(), held)
}

func TestAnAreaDoesNotDependOnTheOrientation(t *testing.T) {
	area := image.Rect(60, 30, 160, 80)
	want := decode(t, quarters(t, 1), area, 50, 25)
	for held := uint16(2); held <= 8; held++ {
		t.Run(fmt.Sprint(held), func(t *testing.T) {
			o, err := Probe(bytes.NewReader(quarters(t, held)))
			require.NoError(t, err)
			assert.Equal(t, image.Rect(0, 0, 160, 80), o.Bounds())
			got := decode(t, quarters(t, held), area, 50, 25)
			require.Equal(t, want.Rect, got.Rect)
			assert.Less(t, difference(want, got), 3.0)
		})
	}
}

func TestTheFirstFrameOfAnAnimationKeepsItsPosition(t *testing.T) {
	red := color.RGBA{200, 0, 0, 255}
	frame := image.NewPaletted(image.Rect(8, 8, 40, 40), color.Palette{red})
	var file bytes.Buffer
	require.NoError(t, gif.EncodeAll(&file,
		&gif.GIF{Image: []*image.Paletted{frame}, Delay: []int{1}, Config: image.Config{Width: 64, Height: 64}}))
	m := decode(t, file.Bytes(), image.Rect(0, 0, 64, 64), 64, 64)
	assert.Equal(t, color.RGBA{255, 255, 255, 255}, m.At(7, 7))
	assert.Equal(t, red, m.At(8, 8))
	assert.Equal(t, red, m.At(39, 39))
	assert.Equal(t, color.RGBA{255, 255, 255, 255}, m.At(40, 40))
}

func TestCropKeepsItsFocalPoint(t *testing.T) {
	const card, share = 3.0 / 4, 1200.0 / 630
	none := agency.Focus{}
	assert.Equal(t, image.Rect(0, 0, 1000, 1333), Crop(image.Pt(1000, 1600), card, none),
		"a portrait is cut at the bottom")
	assert.Equal(t, image.Rect(375, 0, 1125, 1000), Crop(image.Pt(1500, 1000), card, none),
		"a landscape is cut at both sides")
	assert.Equal(t, image.Rect(0, 71, 1000, 596), Crop(image.Pt(1000, 1000), share, none))
	assert.Equal(t, image.Rect(0, 267, 1000, 1600),
		Crop(image.Pt(1000, 1600), card, agency.Focus{X: 50, Y: 90}), "the crop moves down to the focal point")
	assert.Equal(t, image.Rect(0, 134, 1000, 1467), Crop(image.Pt(1000, 1600), card, agency.Focus{X: 50, Y: 50}))
	assert.Equal(t, image.Rect(750, 0, 1500, 1000),
		Crop(image.Pt(1500, 1000), card, agency.Focus{X: 100, Y: 50}), "the crop stays within the picture")
	assert.Equal(t, image.Rect(0, 0, 1, 1), Crop(image.Pt(1, 1), share, none))
}

// TestFiftyMegapixelsOfEveryKindHaveAPlan: photos of 50 megapixels are taken, whatever format they are in.
func TestFiftyMegapixelsOfEveryKindHaveAPlan(t *testing.T) {
	const budget = 96 << 20
	planes := func(across, down, count int) []jpegPlane {
		list := []jpegPlane{{hSampling: across, vSampling: down}}
		for range count - 1 {
			list = append(list, jpegPlane{hSampling: 1, vSampling: 1})
		}
		return list
	}
	for name, o := range map[string]Original{
		"JPEG": {Format: JPEG, header: header{jpeg: jpegHeader{planes: planes(2, 2, 3)}}},
		"progressive JPEG": {
			Format: JPEG, header: header{jpeg: jpegHeader{progressive: true, planes: planes(2, 2, 3)}},
		},
		"progressive JPEG, not subsampled": {
			Format: JPEG, header: header{jpeg: jpegHeader{progressive: true, planes: planes(1, 1, 3)}},
		},
		"progressive CMYK JPEG": {
			Format: JPEG, header: header{jpeg: jpegHeader{progressive: true, planes: planes(1, 1, 4)}},
		},
		"CMYK JPEG":      {Format: JPEG, header: header{jpeg: jpegHeader{planes: planes(1, 1, 4)}}},
		"PNG of 16 bits": {Format: PNG, header: header{png: pngHeader{depth: 16, colour: 6}}},
		"interlaced PNG of 16 bits": {
			Format: PNG, header: header{interlaced: true, png: pngHeader{depth: 16, colour: 6}},
		},
		"GIF": {Format: GIF},
		"CMYK JPEG of 10 MiB": {
			Format: JPEG, fileSize: 10 << 20, header: header{jpeg: jpegHeader{planes: planes(1, 1, 4)}},
		},
		"progressive CMYK JPEG of 10 MiB": {
			Format: JPEG, fileSize: 10 << 20,
			header: header{jpeg: jpegHeader{progressive: true, planes: planes(1, 1, 4)}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			o.Width, o.Height, o.header.width, o.header.height = 8000, 6000, 8000, 6000
			w, h := o.Fit(3000, 3000)
			plan, err := o.Plan(o.Bounds(), w, h, budget)
			require.NoError(t, err)
			assert.LessOrEqual(t, plan.Memory, int64(budget))
		})
	}
	o := Original{Format: WebP, Width: 8000, Height: 6000, header: header{width: 8000, height: 6000}}
	_, err := o.Plan(o.Bounds(), 100, 100, budget)
	require.ErrorIs(t, err, ErrMemory)
}

// TestScaleKeepsAPicturesContent: plain areas stay as they are, edges where they are.
func TestScaleKeepsAPicturesContent(t *testing.T) {
	left, right := color.RGBA{200, 0, 0, 255}, color.RGBA{0, 0, 200, 255}
	source := image.NewRGBA(image.Rect(0, 0, 397, 601))
	for i := range 397 * 601 {
		source.SetRGBA(i%397, i/397, left)
		if i%397 >= 198 {
			source.SetRGBA(i%397, i/397, right)
		}
	}
	for _, width := range []int{1, 7, 160, 240, 396, 397} {
		m := Scale(source, source.Rect, width, max(1, width*601/397))
		assert.Equal(t, width, m.Rect.Dx())
		if width > 100 {
			near(t, left, m, 3, 3)
			near(t, left, m, width/2-6, 3)
			near(t, right, m, width/2+6, 3)
			near(t, right, m, width-4, m.Rect.Dy()-4)
		}
	}
	assert.Equal(t, source.Pix, Scale(source, source.Rect, 397, 601).Pix, "scaling to the same size changes no pixel")
}
