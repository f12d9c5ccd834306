package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/testkit/picturetest"
)

// icc makes a profile out of its primaries (XYZ under D50) and a tone curve's tag.
func icc(primaries [3][3]float64, curve []byte) []byte {
	var table, data []byte
	add := func(name string, tag []byte) {
		for len(tag)%4 != 0 {
			tag = append(tag, 0)
		}
		table = append(table, name...)
		table = binary.BigEndian.AppendUint32(table, uint32(132+6*12+len(data)))
		table = binary.BigEndian.AppendUint32(table, uint32(len(tag)))
		data = append(data, tag...)
	}
	for i, channel := range []string{"r", "g", "b"} {
		xyz := []byte("XYZ \x00\x00\x00\x00")
		for _, v := range primaries[i] {
			xyz = binary.BigEndian.AppendUint32(xyz, uint32(int32(math.Round(v*65536))))
		}
		add(channel+"XYZ", xyz)
		add(channel+"TRC", curve)
	}
	head := make([]byte, 128)
	copy(head[12:], "mntrRGB XYZ ")
	head = binary.BigEndian.AppendUint32(head, 6)
	return append(append(head, table...), data...)
}

var (
	displayP3 = [3][3]float64{{0.51512, 0.24120, -0.00105}, {0.29198, 0.69225, 0.04189}, {0.15710, 0.06657, 0.78407}}
	adobeRGB  = [3][3]float64{{0.60974, 0.31111, 0.01947}, {0.20528, 0.62567, 0.06087}, {0.14919, 0.06322, 0.74457}}
	sRGB      = [3][3]float64{{0.43607, 0.22249, 0.01392}, {0.38515, 0.71687, 0.09708}, {0.14307, 0.06061, 0.71410}}
	// The tone curve of sRGB and P3 as a formula, and the plain gamma of Adobe RGB.
	formula = []byte(
		"para\x00\x00\x00\x00\x00\x03\x00\x00\x00\x02\x66\x66" +
			"\x00\x00\xf2\xa7\x00\x00\x0d\x59\x00\x00\x13\xd0\x00\x00\x0a\x5b")
	gamma22 = []byte("curv\x00\x00\x00\x00\x00\x00\x00\x01\x02\x33")
)

// withProfile is a JPEG with a colour profile.
func withProfile(t *testing.T, m image.Image, icc []byte) []byte {
	return picturetest.JPEG(t, m, picturetest.Segment(0xe2, append([]byte("ICC_PROFILE\x00\x01\x01"), icc...)))
}

// TestColoursBecomeSRGB: the wanted values are LittleCMS's for Adobe RGB, and for P3 those of its published matrix.
func TestColoursBecomeSRGB(t *testing.T) {
	skin := color.RGBA{200, 150, 120, 255}
	for name, c := range map[string]struct {
		profile []byte
		want    color.RGBA
	}{
		"Display P3":    {icc(displayP3, formula), color.RGBA{209, 148, 115, 255}},
		"Adobe RGB":     {icc(adobeRGB, gamma22), color.RGBA{217, 151, 119, 255}},
		"sRGB":          {icc(sRGB, formula), skin},
		"damaged":       {icc(displayP3, formula)[:200], skin},
		"too many tags": {append(icc(displayP3, formula)[:128], 0xff, 0xff, 0xff, 0xff), skin},
		"tags out of bounds": {
			bytes.ReplaceAll(icc(displayP3, formula), []byte{0, 0, 0, 20}, []byte{0xff, 0xff, 0xff, 20}), skin,
		},
		"unknown formula": {icc(displayP3, bytes.Replace(formula, []byte{0, 3}, []byte{0, 9}, 1)), skin},
		"empty curve":     {icc(displayP3, []byte("curv\x00\x00\x00\x00\x7f\xff\xff\xff")), skin},
	} {
		t.Run(name, func(t *testing.T) {
			plain, area := picturetest.Plain(32, 32, skin), image.Rect(0, 0, 32, 32)
			picturetest.Near(t, c.want, decode(t, withProfile(t, plain, c.profile), area, 32, 32), 16, 16)

			var packed bytes.Buffer
			z := zlib.NewWriter(&packed)
			_, err := z.Write(c.profile)
			require.NoError(t, err)
			require.NoError(t, z.Close())
			file := picturetest.PNG(t, plain)
			tag := append([]byte("iCCPname\x00\x00"), packed.Bytes()...)
			whole := bytes.Clone(file[:33]) // up to the first chunk's end
			whole = binary.BigEndian.AppendUint32(whole, uint32(len(tag)-4))
			whole = binary.BigEndian.AppendUint32(append(whole, tag...), crc32.ChecksumIEEE(tag))
			picturetest.Near(t, c.want, decode(t, append(whole, file[33:]...), area, 32, 32), 16, 16)
		})
	}
}

// TestAGreyProfileIsApplied: a scan for print, whose dots grow, is lighter than its numbers say.
func TestAGreyProfileIsApplied(t *testing.T) {
	greyProfile := func(pcs string, curve []byte) []byte {
		head := make([]byte, 128)
		copy(head[12:], "prtrGRAY"+pcs)
		head = binary.BigEndian.AppendUint32(head, 1)
		head = append(head, "kTRC"...)
		head = binary.BigEndian.AppendUint32(head, 144)
		head = binary.BigEndian.AppendUint32(head, uint32(len(curve)))
		return append(head, curve...)
	}
	m := image.NewGray(image.Rect(0, 0, 32, 32))
	for i := range m.Pix {
		m.Pix[i] = 128
	}
	for name, c := range map[string]struct {
		icc  []byte
		want int
	}{
		"gamma 1.8":  {greyProfile("XYZ ", []byte("curv\x00\x00\x00\x00\x00\x00\x00\x01\x01\xcc")), 145},
		"sRGB":       {greyProfile("XYZ ", formula), 128},
		"lightness":  {greyProfile("Lab ", []byte("curv\x00\x00\x00\x00\x00\x00\x00\x00")), 119},
		"of nothing": {greyProfile("XYZ ", []byte("mft2")), 128},
	} {
		got := decode(t, withProfile(t, m, c.icc), m.Rect, 32, 32).RGBAAt(16, 16)
		assert.InDelta(t, c.want, got.R, 2, name)
		assert.Equal(t, got.R, got.B, name)
	}
}
