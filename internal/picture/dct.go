package picture

import "math"

// cosinesFor are the factors of the k-point inverse transform: that of coefficient u in pixel x is at u*k+x. They are
// scaled by k/8, because the coefficients come from a transform of eight points.
func cosinesFor(k int) []float32 {
	cosines := make([]float32, k*k)
	for u := range k {
		factor := math.Sqrt(2 / float64(k))
		if u == 0 {
			factor = math.Sqrt(1 / float64(k))
		}
		factor *= math.Sqrt(float64(k) / 8) // applied twice, to rows and columns
		for x := range k {
			cosines[u*k+x] = float32(factor * math.Cos(float64((2*x+1)*u)*math.Pi/float64(2*k)))
		}
	}
	return cosines
}

// positionsFor maps the zigzag order to positions among k by k coefficients, -1 for those that are dropped. See T.81,
// figure A.6.
func positionsFor(k int) (positions [64]int8) {
	x, y := 0, 0
	for i := range positions {
		positions[i] = -1
		if x < k && y < k {
			positions[i] = int8(k*y + x) // #nosec G115 -- below 64
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
	return positions
}

// setQuantisation sets the quantisation steps of a plane's coefficients, in the order of a block.
func (d *jpegDecoder) setQuantisation(c *plane) {
	c.quantisationSteps = make([]float32, d.scale*d.scale)
	for z, position := range d.positions {
		if position >= 0 {
			c.quantisationSteps[position] = float32(d.quantisation[c.table][z])
		}
	}
}

// inverseTransform turns a block's lowest coefficients into the samples of the block with this index.
func (d *jpegDecoder) inverseTransform(c *plane, index int, coefficients []int16) {
	k, stride := d.scale, d.scale*c.blocksAcross
	dst := c.samples[index/c.blocksAcross*k*stride+index%c.blocksAcross*k:]
	var rowSums [8][8]float32
	lastRow := -1 // the last row with a coefficient that is not 0
	dcOnly := true
	for v := range k {
		for u, coefficient := range coefficients[v*k : v*k+k] {
			if coefficient == 0 {
				continue
			}
			lastRow, dcOnly = v, dcOnly && v == 0 && u == 0
			value := float32(coefficient) * c.quantisationSteps[v*k+u]
			for x, cosine := range d.cosines[u*k : u*k+k] {
				rowSums[v][x] += value * cosine
			}
		}
	}
	if dcOnly {
		value := sample(rowSums[0][0] * d.cosines[0])
		for y := range k {
			row := dst[y*stride:][:k]
			for x := range row {
				row[x] = value
			}
		}
		return
	}
	for y := range k {
		var sums [8]float32
		for v := 0; v <= lastRow; v++ {
			cosine := d.cosines[v*k+y]
			for x := range sums {
				sums[x] += rowSums[v][x] * cosine
			}
		}
		row := dst[y*stride:][:k]
		for x := range row {
			row[x] = sample(sums[x])
		}
	}
}

// sample is a value centred on 0 as a byte.
func sample(v float32) uint8 { return uint8(min(max(v+128.5, 0), 255)) }
