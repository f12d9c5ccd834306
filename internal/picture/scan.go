package picture

// band is the content of a scan: the coefficients from first to last, with their bits from low up, or only bit low if
// the scan refines an earlier one.
type band struct {
	first, last int
	low         int
	refines     bool
}

// scan reads one scan; its header names the planes (T.81, B.2.3 and annex G).
func (d *jpegDecoder) scan(head []byte) bool {
	if len(head) < 6 || len(head) != 4+2*int(head[0]) {
		return false
	}
	tail := head[len(head)-3:]
	b := band{first: int(tail[0]), last: int(tail[1]), low: int(tail[2] & 15), refines: tail[2]>>4 != 0}
	if !d.progressive {
		b = band{last: 63}
	} else if b.first > b.last || b.last > 63 || b.low > 13 || b.first == 0 && b.last > 0 ||
		b.first > 0 && head[0] > 1 {
		return false
	}
	var taking []*plane
	for about := head[1 : len(head)-3]; len(about) > 0; about = about[2:] {
		if about[1]>>4 > 3 || about[1]&15 > 3 {
			return false
		}
		for i := range d.planes {
			if c := &d.planes[i]; c.id == about[0] {
				c.dc, c.ac = d.codes[0][about[1]>>4], d.codes[1][about[1]&15]
				taking = append(taking, c)
				break
			}
		}
	}
	if len(taking) != int(head[0]) {
		return false
	}
	if !d.progressive {
		for _, c := range taking {
			d.quantify(c)
		}
	}
	d.begin()
	if len(taking) == 1 {
		return d.alone(taking[0], b)
	}
	return d.interleaved(taking, b)
}

// begin resets the state that blocks depend on.
func (d *jpegDecoder) begin() {
	d.run = 0
	for i := range d.planes {
		d.planes[i].before = 0
	}
}

// alone reads a scan of one plane, which has no padding blocks.
func (d *jpegDecoder) alone(c *plane, b band) bool {
	wide, high := ceil(ceil(d.width*c.across, d.most.X), 8), ceil(ceil(d.height*c.down, d.most.Y), 8)
	for i := range wide * high {
		if i%wide == 0 && d.ctx.Err() != nil || !d.restarted(i) || !d.block(c, i/wide*c.wide+i%wide, b) {
			return false
		}
	}
	return true
}

// interleaved reads a scan of several planes, unit by unit.
func (d *jpegDecoder) interleaved(taking []*plane, b band) bool {
	wide, high := ceil(d.width, 8*d.most.X), ceil(d.height, 8*d.most.Y)
	for i := range wide * high {
		if i%wide == 0 && d.ctx.Err() != nil || !d.restarted(i) {
			return false
		}
		for _, c := range taking {
			for k := range c.across * c.down {
				x, y := i%wide*c.across+k%c.across, i/wide*c.down+k/c.across
				if !d.block(c, y*c.wide+x, b) {
					return false
				}
			}
		}
	}
	return true
}

// restarted reads the restart marker before unit i, if there is one.
func (d *jpegDecoder) restarted(i int) bool {
	if d.restart == 0 || i == 0 || i%d.restart != 0 {
		return true
	}
	marker, _, rest, ok := nextSegment(d.bits.data[d.bits.at:])
	if !ok || marker < 0xd0 || marker > 0xd7 {
		return false
	}
	d.bits = bitReader{data: d.bits.data, at: len(d.bits.data) - len(rest)}
	d.begin()
	return true
}

// block reads a scan's coefficients of block number at.
func (d *jpegDecoder) block(c *plane, at int, b band) bool {
	if !d.progressive {
		return d.wholeBlock(c, at) && !d.bits.over()
	}
	to := block{low: c.low[at*d.scale*d.scale:][:d.scale*d.scale], seen: &c.seen[at], places: &d.places}
	ok := true
	switch {
	case b.first == 0 && b.refines:
		to.low[0] |= int16(d.bits.take(1) << b.low)
	case b.first == 0:
		if ok = d.difference(c); ok {
			to.low[0] = int16(c.before << b.low) // a damaged file is wrong anyway
		}
	case b.refines:
		ok = d.refine(c, to, b)
	default:
		ok = d.coefficients(c, to, b)
	}
	return ok && !d.bits.over()
}

// difference reads the difference of the DC coefficient from the previous one.
func (d *jpegDecoder) difference(c *plane) bool {
	size, ok := d.bits.symbol(c.dc)
	if !ok || size > 16 {
		return false
	}
	c.before += d.bits.extended(size)
	return true
}

// wholeBlock reads all coefficients of a block and makes its samples.
func (d *jpegDecoder) wholeBlock(c *plane, at int) bool {
	low := d.scratch[:d.scale*d.scale]
	clear(low)
	if !d.difference(c) {
		return false
	}
	low[0] = int16(c.before) // a damaged file is wrong anyway
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
			value := d.bits.extended(size)
			if place := d.places[z]; place >= 0 {
				low[place] = int16(value)
			}
		case zeros == 15:
			z += 15
		default:
			z = 64
		}
	}
	d.transform(c, at, low)
	return true
}

// block is one of a progressive picture; see plane.
type block struct {
	low    []int16
	seen   *uint64
	places *[64]int8
}

// coefficients reads a band of a block for the first time: runs of zeros, each followed by a coefficient.
func (d *jpegDecoder) coefficients(c *plane, to block, b band) bool {
	if d.run > 0 {
		d.run--
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
			to.set(z, d.bits.extended(size)<<b.low)
		case zeros == 15:
			z += 15
		default:
			d.run = 1<<zeros | d.bits.take(zeros)
			d.run-- // this block
			return true
		}
	}
	return true
}

// refine reads one more bit of a band (T.81, G.1.2.3): new coefficients, which are 1 or -1 at this bit, and between
// them one bit for each existing coefficient.
func (d *jpegDecoder) refine(c *plane, to block, b band) bool {
	z := b.first
	for ; z <= b.last && d.run == 0; z++ {
		symbol, ok := d.bits.symbol(c.ac)
		if !ok {
			return false
		}
		zeros, value := symbol>>4, 0
		switch {
		case symbol&15 == 1:
			value = (2*d.bits.take(1) - 1) << b.low
		case symbol&15 > 1:
			return false
		case zeros < 15:
			d.run = 1<<zeros | d.bits.take(zeros)
		}
		if d.run > 0 {
			break
		}
		if z = d.pass(to, z, zeros, b); z > b.last {
			return false
		}
		if value != 0 {
			to.set(z, value)
		}
	}
	if d.run > 0 {
		d.run--
		d.pass(to, z, 64, b)
	}
	return true
}

// pass skips a number of zeros from z on, refines the coefficients between them, and returns the place of the next
// zero.
func (d *jpegDecoder) pass(to block, z, zeros int, b band) int {
	for ; z <= b.last; z++ {
		if *to.seen>>z&1 == 0 {
			if zeros == 0 {
				break
			}
			zeros--
			continue
		}
		if d.bits.take(1) == 0 || to.places[z] < 0 {
			continue
		}
		if value := &to.low[to.places[z]]; *value < 0 {
			*value -= 1 << b.low
		} else {
			*value += 1 << b.low
		}
	}
	return z
}

// set sets the first value of the coefficient at z.
func (b block) set(z, value int) {
	*b.seen |= 1 << z
	if place := b.places[z]; place >= 0 {
		b.low[place] = int16(value) // a damaged file is wrong anyway
	}
}
