// Package picturetest draws pictures and looks at them, for the tests of every package.
package picturetest

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Draw is a picture of w by h pixels.
func Draw(w, h int, at func(x, y int) color.Color) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		m.Set(i%w, i/w, at(i%w, i/w))
	}
	return m
}

// Plain is a picture of one colour.
func Plain(w, h int, c color.Color) *image.RGBA {
	return Draw(w, h, func(int, int) color.Color { return c })
}

// JPEG is a picture as a good JPEG, with segments behind its first two bytes.
func JPEG(t testing.TB, m image.Image, segments ...[]byte) []byte {
	t.Helper()
	var data bytes.Buffer
	require.NoError(t, jpeg.Encode(&data, m, &jpeg.Options{Quality: 95}))
	return bytes.Join([][]byte{data.Bytes()[:2], bytes.Join(segments, nil), data.Bytes()[2:]}, nil)
}

// Segment is a segment of a JPEG.
func Segment(marker byte, data []byte) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(data)+2)), data...)
}

// PNG is a picture as a PNG.
func PNG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var data bytes.Buffer
	require.NoError(t, png.Encode(&data, m))
	return data.Bytes()
}

// Near looks at a pixel, whose colour is what a JPEG leaves of it.
func Near(t testing.TB, want color.Color, m image.Image, x, y int) {
	t.Helper()
	a, b := color.RGBAModel.Convert(want).(color.RGBA), color.RGBAModel.Convert(m.At(x, y)).(color.RGBA)
	for _, pair := range [][2]uint8{{a.R, b.R}, {a.G, b.G}, {a.B, b.B}} {
		assert.InDelta(t, pair[0], pair[1], 6, "%d, %d is %v, want %v", x, y, b, a)
	}
}
