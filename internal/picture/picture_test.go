package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/testkit/picturetest"
)

// decode decodes an area of a picture to w by h pixels.
func decode(t testing.TB, data []byte, area image.Rectangle, w, h int) *image.RGBA {
	t.Helper()
	o, err := Probe(bytes.NewReader(data))
	require.NoError(t, err)
	m, err := o.Decode(area, w, h)
	require.NoError(t, err)
	return m
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
	exif := "Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00" +
		string(rune(held)) + "\x00\x00\x00"
	return picturetest.JPEG(t, picturetest.Draw(w, h, func(x, y int) color.Color {
		return upright(orientation(held).toUpright(x, y, w, h))
	}), picturetest.Segment(0xe1, []byte(exif)))
}

// TestWhatBrowsersShowIsRead: files as programs and cameras write them that are not quite right.
func TestWhatBrowsersShowIsRead(t *testing.T) {
	whole := quarters(t, 1)
	open := decode(t, whole[:len(whole)-2], image.Rect(0, 0, 160, 80), 16, 8)
	picturetest.Near(t, color.RGBA{200, 0, 0, 255}, open, 2, 2)

	cut, err := Probe(bytes.NewReader(whole[:len(whole)/2+200]))
	require.NoError(t, err)
	_, err = cut.Decode(cut.Bounds(), 16, 8)
	require.ErrorIs(t, err, ErrBroken, "half a picture is none")

	sof := bytes.Index(whole, []byte{0xff, 0xc0})
	for name, change := range map[string]func([]byte){
		"arithmetic coding": func(b []byte) { b[sof+1] = 0xc9 },
		"lossless":          func(b []byte) { b[sof+1] = 0xc3 },
		"3x1":               func(b []byte) { b[sof+11] = 0x31 },
		"2x2,1x1,1x2":       func(b []byte) { b[sof+11], b[sof+14], b[sof+17] = 0x22, 0x11, 0x12 },
	} {
		odd := bytes.Clone(whole)
		change(odd)
		o, err := Probe(bytes.NewReader(odd))
		if err == nil {
			_, err = o.Decode(o.Bounds(), 16, 8)
		}
		require.ErrorIs(t, err, ErrKind, name)
		require.NotErrorIs(t, err, ErrBroken, name)
	}
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
			for _, at := range []image.Point{{5, 5}, {45, 5}, {5, 20}, {45, 20}} {
				picturetest.Near(t, want.RGBAAt(at.X, at.Y), got, at.X, at.Y)
			}
		})
	}
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

// sized is a file whose header claims other dimensions.
func sized(t *testing.T, data []byte, w, h int) []byte {
	t.Helper()
	data = bytes.Clone(data)
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG")):
		binary.BigEndian.PutUint32(data[16:], uint32(w))
		binary.BigEndian.PutUint32(data[20:], uint32(h))
		binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	case bytes.HasPrefix(data, []byte("GIF")):
		binary.LittleEndian.PutUint16(data[6:], uint16(w))
		binary.LittleEndian.PutUint16(data[8:], uint16(h))
		frame := bytes.LastIndex(data, []byte{0x2c, 0, 0, 0, 0})
		copy(data[frame+5:], data[6:10])
	default:
		i := max(bytes.Index(data, []byte{0xff, 0xc0}), bytes.Index(data, []byte{0xff, 0xc2}))
		binary.BigEndian.PutUint16(data[i+5:], uint16(h))
		binary.BigEndian.PutUint16(data[i+7:], uint16(w))
	}
	return data
}

// kinds are files of every kind.
func kinds(t *testing.T) map[string][]byte {
	t.Helper()
	area := image.Rect(0, 0, 16, 16)
	files := map[string][]byte{}
	encode := func(name string, write func(w io.Writer) error) {
		var out bytes.Buffer
		require.NoError(t, write(&out))
		files[name] = out.Bytes()
	}
	palette := color.Palette{color.Black, color.White}
	opaque := image.NewRGBA(area)
	draw.Draw(opaque, area, image.White, image.Point{}, draw.Src)
	encode("baseline", func(w io.Writer) error { return jpeg.Encode(w, image.NewYCbCr(area, 0), nil) })
	encode("grey baseline", func(w io.Writer) error { return jpeg.Encode(w, image.NewGray(area), nil) })
	encode("gif", func(w io.Writer) error { return gif.Encode(w, image.NewPaletted(area, palette), nil) })
	for name, m := range map[string]image.Image{
		"png": image.NewNRGBA(area), "opaque png": opaque, "grey png": image.NewGray(area),
		"palette png": image.NewPaletted(area, palette), "16 bit png": image.NewNRGBA64(area),
		"grey 16 bit png": image.NewGray16(area),
	} {
		encode(name, func(w io.Writer) error { return png.Encode(w, m) })
	}
	for _, name := range []string{"420", "422", "444", "cmyk", "gray", "rgb"} {
		data, err := os.ReadFile("testdata/" + name + ".jpg")
		require.NoError(t, err)
		files["progressive "+name] = data
	}
	return files
}

// TestTheHeaderSaysWhatDecodingTakes: what the decoders allocate for a picture is what was expected of it.
func TestTheHeaderSaysWhatDecodingTakes(t *testing.T) {
	for name, data := range kinds(t) {
		t.Run(name, func(t *testing.T) {
			data := sized(t, data, 2048, 1024)
			o, err := Probe(bytes.NewReader(data))
			require.NoError(t, err)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _ = o.Decode(o.Bounds(), 1, 1) // the file has the pixels of a smaller picture
			runtime.ReadMemStats(&after)
			assert.InEpsilon(t, o.header.memory(), after.TotalAlloc-before.TotalAlloc, 0.5)
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(o.header.memory()+1<<20))
		})
	}
}

// TestPhotosAreReadAsFarAsMemoryAllows: whatever a phone writes is read up to 50 megapixels.
func TestPhotosAreReadAsFarAsMemoryAllows(t *testing.T) {
	files := kinds(t)
	for name, megapixels := range map[string]int{
		"baseline": 50, "grey baseline": 50, "gif": 50, "png": 50, "opaque png": 50, "palette png": 50,
		"16 bit png": 33, "progressive 420": 33, "progressive 444": 17, "progressive gray": 50,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Probe(bytes.NewReader(sized(t, files[name], 1000*megapixels/5, 5000)))
			require.NoError(t, err)
			_, err = Probe(bytes.NewReader(sized(t, files[name], 1200*megapixels/5, 5000)))
			if megapixels == 50 {
				require.ErrorIs(t, err, ErrPixels)
			} else {
				require.ErrorIs(t, err, ErrMemory)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob("testdata/*")
	require.NoError(f, err)
	for _, name := range files {
		if data, err := os.ReadFile(name); err == nil { // fuzz is a folder
			f.Add(data)
		}
	}
	f.Add([]byte("GIF89a"))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := Probe(bytes.NewReader(data))
		if err != nil || o.Width*o.Height > 1<<20 {
			return
		}
		w, h := o.Fit(100, 100)
		if m, err := o.Decode(o.Bounds(), w, h); err == nil && m.Rect.Size() != image.Pt(w, h) {
			t.Fatalf("decoded as %v, want %d x %d", m.Rect, w, h)
		}
	})
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
			picturetest.Near(t, left, m, 3, 3)
			picturetest.Near(t, left, m, width/2-6, 3)
			picturetest.Near(t, right, m, width/2+6, 3)
			picturetest.Near(t, right, m, width-4, m.Rect.Dy()-4)
		}
	}
	assert.Equal(t, source.Pix, Scale(source, source.Rect, 397, 601).Pix, "scaling to the same size changes no pixel")
}
