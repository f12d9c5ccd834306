package photo

import (
	"image"
	"image/color"
	"math"
)

// cosines are the 4-point transform's: coefficient u's share in pixel x.
var cosines = func() (t [4][4]float32) {
	for u := range t {
		scale := math.Sqrt(0.5)
		if u == 0 {
			scale = 0.5
		}
		for x := range t[u] {
			t[u][x] = float32(scale * math.Cos(float64((2*x+1)*u)*math.Pi/8))
		}
	}
	return t
}()

// pixels are a block's 8 x 8 pixels as 4 x 4. A transform of half the length takes half of each coefficient.
func (b *block) pixels(table *[16]float32, to []uint8, stride int) {
	var across [4][4]float32
	for v := range 4 {
		for u := range 4 {
			coefficient := float32(b.low[4*v+u]) * table[4*v+u]
			if coefficient == 0 {
				continue
			}
			for x := range 4 {
				across[v][x] += coefficient * cosines[u][x]
			}
		}
	}
	for y := range 4 {
		for x := range 4 {
			sum := across[0][x]*cosines[0][y] + across[1][x]*cosines[1][y] + across[2][x]*cosines[2][y] + across[3][x]*cosines[3][y]
			to[y*stride+x] = uint8(min(max(sum/2+128.5, 0), 255))
		}
	}
}

// samples turns a plane's blocks into its pixels, and lets the blocks go.
func (p *progressive) samples(c *plane) []uint8 {
	var table [16]float32
	for z, place := range zigzag {
		if place >= 0 {
			table[place] = float32(p.quantisation[c.table][z])
		}
	}
	stride := 4 * c.wide
	pixels := make([]uint8, stride*4*c.high)
	for i := range c.blocks {
		c.blocks[i].pixels(&table, pixels[i/c.wide*4*stride+i%c.wide*4:], stride)
	}
	c.blocks = nil
	return pixels
}

// picture puts the planes together.
func (p *progressive) picture() (image.Image, error) {
	if len(p.planes) == 0 || len(p.planes) == 4 && p.adobe < 0 {
		return nil, ErrBroken // of four planes nobody knows what they mean unless Adobe's segment says it
	}
	samples := make([][]uint8, len(p.planes))
	for i := range p.planes {
		samples[i] = p.samples(&p.planes[i])
	}
	out := image.NewRGBA(image.Rect(0, 0, ceil(p.width, 2), ceil(p.height, 2)))
	opaque := p.colours()
	var values [4]uint8
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			for i := range p.planes {
				c := &p.planes[i]
				values[i] = samples[i][y*c.down/p.most.Y*4*c.wide+x*c.across/p.most.X]
			}
			to := out.Pix[y*out.Stride+4*x:][:4]
			to[0], to[1], to[2] = opaque(values)
			to[3] = 255
		}
	}
	return out, nil
}

// colours says what the planes' values mean, as the standard library's decoder takes them. Where there are four,
// the picture is meant for print, and Adobe's programs write its inks the other way round.
func (p *progressive) colours() func([4]uint8) (r, g, b uint8) {
	asIs := func(v [4]uint8) (r, g, b uint8) { return v[0], v[1], v[2] }
	fromYCbCr := func(v [4]uint8) (r, g, b uint8) { return color.YCbCrToRGB(v[0], v[1], v[2]) }
	switch {
	case len(p.planes) == 1:
		return func(v [4]uint8) (r, g, b uint8) { return v[0], v[0], v[0] }
	case len(p.planes) == 4:
		light := fromYCbCr
		if p.adobe == 0 {
			light = asIs
		}
		return func(v [4]uint8) (uint8, uint8, uint8) {
			r, g, b := light(v)
			if p.adobe == 0 {
				return color.CMYKToRGB(255-r, 255-g, 255-b, 255-v[3])
			}
			return color.CMYKToRGB(r, g, b, 255-v[3])
		}
	case !p.jfif && (p.adobe == 0 || string([]byte{p.planes[0].id, p.planes[1].id, p.planes[2].id}) == "RGB"):
		return asIs
	}
	return fromYCbCr
}
