package intake_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/intake"
	"zedcard/internal/picture"
	"zedcard/internal/testkit/picturetest"
)

var (
	red   = color.RGBA{255, 0, 0, 255}
	blue  = color.RGBA{0, 0, 255, 255}
	green = color.RGBA{0, 255, 0, 255}
	white = color.RGBA{255, 255, 255, 255}
)

// quarters is a picture with a colour in each quarter, row by row.
func quarters(w, h int, colors ...color.RGBA) *image.RGBA {
	return picturetest.Draw(w, h, func(x, y int) color.Color {
		return colors[min(1, y/(h/2))*2+min(1, x/(w/2))]
	})
}

func corners(w, h int) *image.RGBA { return quarters(w, h, red, blue, green, green) }

// exif is a TIFF structure with an orientation and a text, as a camera's GPS data would be.
func exif(order binary.AppendByteOrder, mark string, orientation uint16, text string) []byte {
	b := []byte(mark)
	b = order.AppendUint16(b, 42)
	b = order.AppendUint32(b, 8)
	b = order.AppendUint16(b, 1)
	b = order.AppendUint16(b, 0x0112)
	b = order.AppendUint16(b, 3)
	b = order.AppendUint32(b, 1)
	b = order.AppendUint16(b, orientation)
	b = append(b, 0, 0, 0, 0, 0, 0)
	return append(b, text...)
}

// segment inserts a segment into a JPEG, right after its start.
func segment(jpg []byte, marker byte, body []byte) []byte {
	return slices.Concat(jpg[:2], picturetest.Segment(marker, body), jpg[2:])
}

// withChunk is corners as a PNG, with a chunk after its header.
func withChunk(t *testing.T, kind, body string) []byte {
	raw := picturetest.PNG(t, corners(64, 32))
	chunk := append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), kind+body...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	return slices.Concat(raw[:33], chunk, raw[33:])
}

func withExif(jpg, tiff []byte) []byte {
	return segment(jpg, 0xe1, append([]byte("Exif\x00\x00"), tiff...))
}

var worker = picture.NewWorker(os.Args[0])

func cleaned(t *testing.T, data []byte) (intake.Photo, error) {
	return intake.CleanPhoto(t.Context(), worker, io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))))
}

func clean(t *testing.T, data []byte) (intake.Photo, image.Image) {
	t.Helper()
	p, err := cleaned(t, data)
	require.NoError(t, err)
	m, err := jpeg.Decode(bytes.NewReader(p.Data))
	require.NoError(t, err)
	return p, m
}

// assertColors compares the colours at the middle of the four quarters, row by row.
func assertColors(t *testing.T, m image.Image, want ...color.RGBA) {
	t.Helper()
	w, h := m.Bounds().Dx(), m.Bounds().Dy()
	for i, expected := range want {
		picturetest.Near(t, expected, m, w/4+i%2*w/2, h/4+i/2*h/2)
	}
}

func TestEveryOrientationEndsUpright(t *testing.T) {
	// What a camera that is held so stores of the picture red, blue / green, green.
	for orientation, stored := range map[uint16][]color.RGBA{
		1: {red, blue, green, green},
		2: {blue, red, green, green},
		3: {green, green, blue, red},
		4: {green, green, red, blue},
		5: {red, green, blue, green},
		6: {blue, green, red, green},
		7: {green, blue, green, red},
		8: {green, red, green, blue},
	} {
		w, h := 64, 32
		if orientation >= 5 {
			w, h = 32, 64
		}
		m := quarters(w, h, stored...)
		for name, tiff := range map[string][]byte{
			"little": exif(binary.LittleEndian, "II", orientation, ""),
			"big":    exif(binary.BigEndian, "MM", orientation, ""),
		} {
			t.Run(fmt.Sprint(orientation, name), func(t *testing.T) {
				_, upright := clean(t, withExif(picturetest.JPEG(t, m), tiff))
				assert.Equal(t, image.Pt(64, 32), upright.Bounds().Size())
				assertColors(t, upright, red, blue, green, green)
			})
		}
	}
}

func TestNothingOfTheMetadataIsLeft(t *testing.T) {
	const canary = "CANARY 23.5505S 46.6333W"
	jpg := picturetest.JPEG(t, corners(64, 32))
	jpg = withExif(jpg, exif(binary.LittleEndian, "II", 1, canary))
	jpg = segment(jpg, 0xe1, []byte("http://ns.adobe.com/xap/1.0/\x00"+canary))
	jpg = segment(jpg, 0xed, []byte("Photoshop 3.0\x00"+canary))
	jpg = segment(jpg, 0xfe, []byte(canary))
	jpg = append(jpg, "<script>"+canary...)

	for name, data := range map[string][]byte{"jpeg": jpg, "png": withChunk(t, "tEXt", "Comment\x00"+canary)} {
		require.Contains(t, string(data), canary)
		p, m := clean(t, data)
		assert.NotContains(t, string(p.Data), "CANARY", name)
		assert.NotContains(t, string(p.Data), "Exif", name)
		assertColors(t, m, red, blue, green, green)
	}
}

func TestPNGandGIFBecomeJPEG(t *testing.T) {
	_, m := clean(t, picturetest.PNG(t, quarters(64, 32, color.RGBA{}, blue, green, green)))
	assertColors(t, m, white, blue, green, green)

	// An animation whose first picture covers a part of the screen only.
	frame := image.NewPaletted(image.Rect(4, 4, 28, 28), color.Palette{red, blue})
	second := image.NewPaletted(image.Rect(0, 0, 64, 64), color.Palette{blue, red})
	var animation bytes.Buffer
	require.NoError(t, gif.EncodeAll(&animation, &gif.GIF{
		Image: []*image.Paletted{frame, second}, Delay: []int{1, 1}, Config: image.Config{Width: 64, Height: 64},
	}))
	_, m = clean(t, animation.Bytes())
	assert.Equal(t, image.Pt(64, 64), m.Bounds().Size())
	assertColors(t, m, red, white, white, white)

	_, m = clean(t, withChunk(t, "eXIf", string(exif(binary.BigEndian, "MM", 3, ""))))
	assertColors(t, m, green, green, blue, red)
}

func TestLargePhotosBecomeSmaller(t *testing.T) {
	for size, want := range map[image.Point]image.Point{
		{3000, 2000}: {3000, 2000},
		{4000, 3000}: {3000, 2250},
		{1000, 6600}: {455, 3000},
		{12100, 3}:   {3000, 1},
	} {
		_, m := clean(t, picturetest.JPEG(t, corners(size.X, size.Y)))
		assert.Equal(t, want, m.Bounds().Size(), size)
	}
	_, m := clean(t, picturetest.JPEG(t, corners(6600, 800)))
	assertColors(t, m, red, blue, green, green)
}

// TestASmallFileDoesNotBecomeALargeOne: noise that repeats itself is small as a PNG, and as large as can be as a JPEG.
func TestASmallFileDoesNotBecomeALargeOne(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	m := image.NewGray(image.Rect(0, 0, 3000, 3000))
	for i := range m.Pix {
		m.Pix[i] = uint8(random.IntN(256))
		if i >= 8*m.Stride {
			m.Pix[i] = m.Pix[i-8*m.Stride]
		}
	}
	data := picturetest.PNG(t, m)
	require.Less(t, len(data), 400_000)
	p, small := clean(t, data)
	assert.LessOrEqual(t, len(p.Data), 3<<20)
	assert.GreaterOrEqual(t, small.Bounds().Dx(), 1000, "still of use in print")
	assert.LessOrEqual(t, len(p.Preview), 60_000)
	preview, err := jpeg.DecodeConfig(bytes.NewReader(p.Preview))
	require.NoError(t, err)
	assert.Equal(t, 480, preview.Width)
}

// TestScansThatTakeLongAreRefused: each scan of a progressive JPEG passes over the whole picture.
func TestScansThatTakeLongAreRefused(t *testing.T) {
	data, err := os.ReadFile("../picture/testdata/gray.jpg")
	require.NoError(t, err)
	frame := bytes.Index(data, []byte{0xff, 0xc2})
	binary.BigEndian.PutUint16(data[frame+5:], 7000)
	binary.BigEndian.PutUint16(data[frame+7:], 7000)
	last := bytes.LastIndex(data, []byte{0xff, 0xda})
	many := slices.Concat(data[:last], bytes.Repeat(data[last:len(data)-2], 100), data[len(data)-2:])
	_, err = cleaned(t, many)
	assert.Equal(t, "error.photo.memory", intake.PhotoMessage(err))
}

// rare is a JPEG with a sampling that no decoder here reads.
func rare(data []byte) []byte {
	data = bytes.Clone(data)
	data[bytes.Index(data, []byte{0xff, 0xc0})+11] = 0x31
	return data
}

func TestNonPhotosAreRefused(t *testing.T) {
	good := picturetest.JPEG(t, corners(64, 32))
	bomb := picturetest.PNG(t, corners(2, 2))
	binary.BigEndian.PutUint32(bomb[16:], 60_000)
	binary.BigEndian.PutUint32(bomb[20:], 60_000)
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	for name, test := range map[string]struct {
		data []byte
		key  string
	}{
		"nothing":                   {nil, "error.photo.type"},
		"html":                      {[]byte("<html><img src=x>"), "error.photo.type"},
		"webp":                      {[]byte("RIFF\x00\x00\x00\x00WEBPVP8 "), "error.photo.type"},
		"heic":                      {[]byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00"), "error.photo.heic"},
		"cut":                       {good[:len(good)/2], "error.photo.broken"},
		"truncated":                 {good[:3], "error.photo.broken"},
		"html after a magic number": {[]byte("\xff\xd8\xff<script>alert(1)</script>"), "error.photo.broken"},
		"a rare sampling":           {rare(good), "error.photo.kind"},
		"truncated png":             {bomb[:20], "error.photo.broken"},
		"above 10 MiB":              {append(good, make([]byte, agency.MaxPhoto)...), "error.photo.large"},
		"60,000 by 60,000":          {bomb, "error.photo.pixels"},
	} {
		_, err := cleaned(t, test.data)
		assert.Equal(t, test.key, intake.PhotoMessage(err), name)
	}
}
