package picture

import (
	"bytes"
	"encoding/binary"
	"image"
	"math"
)

// profile is an ICC profile of the matrix kind (Display P3, Adobe RGB, ProPhoto and what cameras write), a curve for
// each channel and a matrix to CIE XYZ under D50, or of grey pictures, a curve alone. Profiles with lookup tables
// (printers' CMYK) are ignored: they need a colour engine, and the site's storage holds photos for screens.
type profile struct {
	curves *[3][256]float64
	matrix [3][3]float64 // linear light of the profile to linear light of sRGB
	tones  *[toneSteps]uint8
}

// toSRGB converts XYZ under D50 to linear sRGB (Bradford; brucelindbloom.com).
var toSRGB = [3][3]float64{
	{3.1338561, -1.6168667, -0.4906146},
	{-0.9787684, 1.9161415, 0.0334540},
	{0.0719453, -0.2289914, 1.4052427},
}

// readProfile reads a profile. It returns the zero one, which changes nothing, if the profile is damaged or of another
// kind.
func readProfile(icc []byte) profile {
	if len(icc) < 132 {
		return profile{}
	}
	tags := map[string][]byte{}
	count := binary.BigEndian.Uint32(icc[128:])
	for i := range min(count, 100) {
		entry := 132 + 12*int(i)
		if entry+12 > len(icc) {
			return profile{}
		}
		offset, size := int64(binary.BigEndian.Uint32(icc[entry+4:])), int64(binary.BigEndian.Uint32(icc[entry+8:]))
		if offset+size > int64(len(icc)) {
			return profile{}
		}
		tags[string(icc[entry:entry+4])] = icc[offset : offset+size]
	}
	switch string(icc[16:24]) {
	case "RGB XYZ ":
	case "GRAYXYZ ", "GRAYLab ":
		return greyProfile(readCurve(tags["kTRC"]), string(icc[20:24]) == "Lab ")
	default:
		return profile{}
	}
	p := profile{curves: new([3][256]float64), tones: srgbTones()}
	var columns [3][3]float64
	for channel, name := range []string{"r", "g", "b"} {
		xyz, curve := tags[name+"XYZ"], readCurve(tags[name+"TRC"])
		if len(xyz) < 20 || !bytes.HasPrefix(xyz, []byte("XYZ ")) || curve == nil {
			return profile{}
		}
		for row := range 3 {
			columns[row][channel] = fixed(xyz[8+4*row:])
		}
		for v := range 256 {
			p.curves[channel][v] = curve(float64(v) / 255)
		}
	}
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				p.matrix[i][j] += toSRGB[i][k] * columns[k][j]
			}
		}
	}
	return p
}

// greyProfile is the profile of grey pictures, as of paper on which dots of ink grow. Where isLightness the curve leads
// to lightness instead of light.
func greyProfile(curve func(float64) float64, isLightness bool) profile {
	if curve == nil {
		return profile{}
	}
	p := profile{curves: new([3][256]float64), tones: srgbTones()}
	p.matrix = [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	for v := range 256 {
		y := curve(float64(v) / 255)
		if isLightness {
			y = math.Pow((y+.16)/1.16, 3)
		}
		for channel := range p.curves {
			p.curves[channel][v] = y
		}
	}
	return p
}

// fixed reads a fixed-point number with 16 fractional bits.
func fixed(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) / 65536 } // #nosec G115 -- signed

// readCurve reads the two kinds of tone curves: a gamma or samples, and formulas.
func readCurve(tag []byte) func(float64) float64 {
	if len(tag) < 12 {
		return nil
	}
	switch string(tag[:4]) {
	case "curv":
		n := int(binary.BigEndian.Uint32(tag[8:]))
		switch {
		case n == 0:
			return func(x float64) float64 { return x }
		case n > 1<<16 || len(tag) < 12+2*n:
			return nil
		case n == 1:
			gamma := float64(binary.BigEndian.Uint16(tag[12:])) / 256
			return func(x float64) float64 { return math.Pow(x, gamma) }
		}
		sample := func(i int) float64 { return float64(binary.BigEndian.Uint16(tag[12+2*i:])) / 65535 }
		return func(x float64) float64 {
			position := x * float64(n-1)
			i := min(int(position), n-2)
			fraction := position - float64(i)
			return sample(i)*(1-fraction) + sample(i+1)*fraction
		}
	case "para":
		return readFormula(tag)
	}
	return nil
}

// readFormula reads the two parametric curves that cameras and editors write: x^g, and sRGB's kind, which is (ax+b)^g
// from d on and cx below.
func readFormula(tag []byte) func(float64) float64 {
	kind, count := binary.BigEndian.Uint16(tag[8:]), 5
	if kind == 0 {
		count = 1
	}
	if kind != 0 && kind != 3 || len(tag) < 12+4*count {
		return nil
	}
	v := [5]float64{1, 1} // g a b c d
	for i := range count {
		v[i] = fixed(tag[12+4*i:])
	}
	g, a, b, c, d := v[0], v[1], v[2], v[3], v[4]
	return func(x float64) float64 {
		y := c * x
		if x >= d {
			y = math.Pow(max(a*x+b, 0), g)
		}
		if math.IsNaN(y) {
			return x
		}
		return min(max(y, 0), 1)
	}
}

// convert converts a picture to sRGB; colours outside of sRGB are clipped by channel.
func (p profile) convert(m *image.RGBA) {
	if p.curves == nil {
		return
	}
	for i := 0; i+4 <= len(m.Pix); i += 4 {
		m.Pix[i], m.Pix[i+1], m.Pix[i+2] = p.colour(m.Pix[i], m.Pix[i+1], m.Pix[i+2])
	}
}

func (p profile) colour(r, g, b uint8) (uint8, uint8, uint8) {
	in := [3]float64{p.curves[0][r], p.curves[1][g], p.curves[2][b]}
	var out [3]uint8
	for i, row := range p.matrix {
		linear := row[0]*in[0] + row[1]*in[1] + row[2]*in[2]
		out[i] = p.tones[int(min(max(linear, 0), 1)*(toneSteps-1)+0.5)]
	}
	return out[0], out[1], out[2]
}

// toneSteps is enough to distinguish the darkest tones.
const toneSteps = 1 << 14

// srgbTones are the tones of sRGB by linear light.
func srgbTones() *[toneSteps]uint8 {
	var tones [toneSteps]uint8
	for i := range tones {
		x := float64(i) / (toneSteps - 1)
		if x <= 0.0031308 {
			x *= 12.92
		} else {
			x = 1.055*math.Pow(x, 1/2.4) - 0.055
		}
		tones[i] = uint8(x*255 + 0.5)
	}
	return &tones
}
