package picture

import "math"

// cosinesFor are the factors of the k-point inverse transform: that of coefficient u in pixel x is at u*k+x. They are
// scaled by k/8, because the coefficients come from a transform of eight points.
func cosinesFor(k int) []float32 {
	t := make([]float32, k*k)
	for u := range k {
		share := math.Sqrt(2 / float64(k))
		if u == 0 {
			share = math.Sqrt(1 / float64(k))
		}
		share *= math.Sqrt(float64(k) / 8) // applied twice, to rows and columns
		for x := range k {
			t[u*k+x] = float32(share * math.Cos(float64((2*x+1)*u)*math.Pi/float64(2*k)))
		}
	}
	return t
}

// placesFor maps the zigzag order to positions among k by k coefficients, -1 for those that are dropped. See T.81,
// figure A.6.
func placesFor(k int) (places [64]int8) {
	x, y := 0, 0
	for i := range places {
		places[i] = -1
		if x < k && y < k {
			places[i] = int8(k*y + x)
		}
		switch up := (x+y)%2 == 0; {
		case up && x == 7, !up && y != 7 && x == 0:
			y++
		case !up && y == 7, up && y == 0:
			x++
		case up:
			x++
			y--
		default:
			x--
			y++
		}
	}
	return places
}

// quantify sets the factors of a plane's coefficients, in the order of a block.
func (d *jpegDecoder) quantify(c *plane) {
	c.quantities = make([]float32, d.scale*d.scale)
	for z, place := range d.places {
		if place >= 0 {
			c.quantities[place] = float32(d.quantisation[c.table][z])
		}
	}
}

// transform turns a block's lowest coefficients into the samples of block number at.
func (d *jpegDecoder) transform(c *plane, at int, low []int16) {
	k, stride := d.scale, d.scale*c.wide
	to := c.samples[at/c.wide*k*stride+at%c.wide*k:]
	var across [8][8]float32
	last := -1 // the last row with a coefficient that is not 0
	flat := true
	for v := range k {
		for u, coefficient := range low[v*k : v*k+k] {
			if coefficient == 0 {
				continue
			}
			last, flat = v, flat && v == 0 && u == 0
			value := float32(coefficient) * c.quantities[v*k+u]
			for x, cosine := range d.cosines[u*k : u*k+k] {
				across[v][x] += value * cosine
			}
		}
	}
	if flat {
		value := sample(across[0][0] * d.cosines[0])
		for y := range k {
			row := to[y*stride:][:k]
			for x := range row {
				row[x] = value
			}
		}
		return
	}
	for y := range k {
		var sums [8]float32
		for v := 0; v <= last; v++ {
			cosine := d.cosines[v*k+y]
			for x := range sums {
				sums[x] += across[v][x] * cosine
			}
		}
		row := to[y*stride:][:k]
		for x := range row {
			row[x] = sample(sums[x])
		}
	}
}

// sample is a value centred on 0 as a byte.
func sample(v float32) uint8 { return uint8(min(max(v+128.5, 0), 255)) }
