package picture

// band is the content of a scan: the coefficients from first to last, with their bits from lowBit up, or only that
// bit if the scan refines an earlier one.
type band struct {
	first, last int
	lowBit      int
	refines     bool
}

// scan reads one scan; its header names the planes (T.81, B.2.3 and annex G).
func (d *jpegDecoder) scan(head []byte) bool {
	if len(head) < 6 || len(head) != 4+2*int(head[0]) {
		return false
	}
	tail := head[len(head)-3:]
	b := band{first: int(tail[0]), last: int(tail[1]), lowBit: int(tail[2] & 15), refines: tail[2]>>4 != 0}
	if !d.progressive {
		b = band{last: 63}
	} else if b.first > b.last || b.last > 63 || b.lowBit > 13 || b.first == 0 && b.last > 0 ||
		b.first > 0 && head[0] > 1 {
		return false
	}
	var planes []*plane
	for selectors := head[1 : len(head)-3]; len(selectors) > 0; selectors = selectors[2:] {
		if selectors[1]>>4 > 3 || selectors[1]&15 > 3 {
			return false
		}
		for i := range d.planes {
			if c := &d.planes[i]; c.id == selectors[0] {
				c.dc, c.ac = d.codes[0][selectors[1]>>4], d.codes[1][selectors[1]&15]
				planes = append(planes, c)
				break
			}
		}
	}
	if len(planes) != int(head[0]) {
		return false
	}
	if !d.progressive {
		for _, c := range planes {
			d.setQuantisation(c)
		}
	}
	d.resetState()
	if len(planes) == 1 {
		return d.nonInterleaved(planes[0], b)
	}
	return d.interleaved(planes, b)
}

// resetState resets the state that blocks depend on.
func (d *jpegDecoder) resetState() {
	d.eobRun = 0
	for i := range d.planes {
		d.planes[i].previousDC = 0
	}
}

// nonInterleaved reads a scan of one plane, which has no padding blocks.
func (d *jpegDecoder) nonInterleaved(c *plane, b band) bool {
	width := ceil(ceil(d.width*c.hSampling, d.maxSampling.X), 8)
	height := ceil(ceil(d.height*c.vSampling, d.maxSampling.Y), 8)
	for i := range width * height {
		if i%width == 0 && d.ctx.Err() != nil || !d.readRestart(i) ||
			!d.readBlock(c, i/width*c.blocksAcross+i%width, b) {
			return false
		}
	}
	return true
}

// interleaved reads a scan of several planes, unit by unit.
func (d *jpegDecoder) interleaved(planes []*plane, b band) bool {
	width, height := ceil(d.width, 8*d.maxSampling.X), ceil(d.height, 8*d.maxSampling.Y)
	for i := range width * height {
		if i%width == 0 && d.ctx.Err() != nil || !d.readRestart(i) {
			return false
		}
		for _, c := range planes {
			for k := range c.hSampling * c.vSampling {
				x, y := i%width*c.hSampling+k%c.hSampling, i/width*c.vSampling+k/c.hSampling
				if !d.readBlock(c, y*c.blocksAcross+x, b) {
					return false
				}
			}
		}
	}
	return true
}

// readRestart reads the restart marker before unit i, if there is one.
func (d *jpegDecoder) readRestart(i int) bool {
	if d.restartInterval == 0 || i == 0 || i%d.restartInterval != 0 {
		return true
	}
	marker, _, rest, ok := nextSegment(d.bits.data[d.bits.pos:])
	if !ok || marker < 0xd0 || marker > 0xd7 {
		return false
	}
	d.bits = bitReader{data: d.bits.data, pos: len(d.bits.data) - len(rest)}
	d.resetState()
	return true
}

// readBlock reads a scan's coefficients of the block with this index.
func (d *jpegDecoder) readBlock(c *plane, index int, b band) bool {
	if !d.progressive {
		return d.readBaselineBlock(c, index) && !d.bits.overrun()
	}
	target := block{
		coefficients: c.coefficients[index*d.scale*d.scale:][:d.scale*d.scale],
		nonzero:      &c.nonzero[index],
		positions:    &d.positions,
	}
	ok := true
	switch {
	case b.first == 0 && b.refines:
		target.coefficients[0] |= int16(d.bits.read(1) << b.lowBit) // #nosec G115 -- lowBit is 13 at most
	case b.first == 0:
		if ok = d.readDC(c); ok {
			target.coefficients[0] = int16(c.previousDC << b.lowBit) // #nosec G115 -- a damaged file is wrong anyway
		}
	case b.refines:
		ok = d.refineBand(c, target, b)
	default:
		ok = d.readBand(c, target, b)
	}
	return ok && !d.bits.overrun()
}

// readDC reads the difference of the DC coefficient from the previous one.
func (d *jpegDecoder) readDC(c *plane) bool {
	size, ok := d.bits.symbol(c.dc)
	if !ok || size > 16 {
		return false
	}
	c.previousDC += d.bits.readSigned(size)
	return true
}

// readBaselineBlock reads all coefficients of a block and transforms them to its samples.
func (d *jpegDecoder) readBaselineBlock(c *plane, index int) bool {
	coefficients := d.scratch[:d.scale*d.scale]
	clear(coefficients)
	if !d.readDC(c) {
		return false
	}
	coefficients[0] = int16(c.previousDC) // #nosec G115 -- a damaged file is wrong anyway
	for z := 1; z <= 63; z++ {
		symbol, ok := d.bits.symbol(c.ac)
		if !ok {
			return false
		}
		zeros, size := symbol>>4, symbol&15
		switch {
		case size > 0:
			if z += zeros; z > 63 {
				return false
			}
			value := d.bits.readSigned(size)
			if position := d.positions[z]; position >= 0 {
				coefficients[position] = int16(value) // #nosec G115 -- 15 bits and a sign
			}
		case zeros == 15:
			z += 15
		default:
			z = 64
		}
	}
	d.inverseTransform(c, index, coefficients)
	return true
}

// block is one of a progressive picture; see plane.
type block struct {
	coefficients []int16
	nonzero      *uint64
	positions    *[64]int8
}

// readBand reads a band of a block for the first time: runs of zeros, each followed by a coefficient.
func (d *jpegDecoder) readBand(c *plane, target block, b band) bool {
	if d.eobRun > 0 {
		d.eobRun--
		return true
	}
	for z := b.first; z <= b.last; z++ {
		symbol, ok := d.bits.symbol(c.ac)
		if !ok {
			return false
		}
		zeros, size := symbol>>4, symbol&15
		switch {
		case size > 0:
			if z += zeros; z > b.last {
				return false
			}
			target.set(z, d.bits.readSigned(size)<<b.lowBit)
		case zeros == 15:
			z += 15
		default:
			d.eobRun = 1<<zeros | d.bits.read(zeros)
			d.eobRun-- // this block
			return true
		}
	}
	return true
}

// refineBand reads one more bit of a band (T.81, G.1.2.3): new coefficients, which are 1 or -1 at this bit, and between
// them one bit for each existing coefficient.
func (d *jpegDecoder) refineBand(c *plane, target block, b band) bool {
	z := b.first
	for ; z <= b.last && d.eobRun == 0; z++ {
		symbol, ok := d.bits.symbol(c.ac)
		if !ok {
			return false
		}
		zeros, value := symbol>>4, 0
		switch {
		case symbol&15 == 1:
			value = (2*d.bits.read(1) - 1) << b.lowBit
		case symbol&15 > 1:
			return false
		case zeros < 15:
			d.eobRun = 1<<zeros | d.bits.read(zeros)
		}
		if d.eobRun > 0 {
			break
		}
		if z = d.skipZeros(target, z, zeros, b); z > b.last {
			return false
		}
		if value != 0 {
			target.set(z, value)
		}
	}
	if d.eobRun > 0 {
		d.eobRun--
		d.skipZeros(target, z, 64, b)
	}
	return true
}

// skipZeros skips a number of zeros from z on, refines the coefficients between them, and returns the index of the next
// zero.
func (d *jpegDecoder) skipZeros(target block, z, zeros int, b band) int {
	for ; z <= b.last; z++ {
		if *target.nonzero>>z&1 == 0 {
			if zeros == 0 {
				break
			}
			zeros--
			continue
		}
		if d.bits.read(1) == 0 || target.positions[z] < 0 {
			continue
		}
		if value := &target.coefficients[target.positions[z]]; *value < 0 {
			*value -= 1 << b.lowBit
		} else {
			*value += 1 << b.lowBit
		}
	}
	return z
}

// set sets the first value of the coefficient at z.
func (b block) set(z, value int) {
	*b.nonzero |= 1 << z
	if position := b.positions[z]; position >= 0 {
		b.coefficients[position] = int16(value) // #nosec G115 -- a damaged file is wrong anyway
	}
}
