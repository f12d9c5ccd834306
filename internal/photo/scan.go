package photo

// band is what a scan carries: the coefficients from first to last, their bits from low up; the bit low alone
// where it refines what an earlier scan began.
type band struct {
	first, last int
	low         int
	refines     bool
}

// scan reads one scan; its head says of which planes (T.81, B.2.3 and annex G).
func (p *progressive) scan(head []byte) bool {
	if len(head) < 6 || len(head) != 4+2*int(head[0]) {
		return false
	}
	tail := head[len(head)-3:]
	b := band{first: int(tail[0]), last: int(tail[1]), low: int(tail[2] & 15), refines: tail[2]>>4 != 0}
	if b.first > b.last || b.last > 63 || b.low > 13 || b.first == 0 && b.last > 0 || b.first > 0 && head[0] > 1 {
		return false
	}
	var taking []*plane
	for about := head[1 : len(head)-3]; len(about) > 0; about = about[2:] {
		if about[1]>>4 > 3 || about[1]&15 > 3 {
			return false
		}
		for i := range p.planes {
			if c := &p.planes[i]; c.id == about[0] {
				c.dc, c.ac = p.codes[0][about[1]>>4], p.codes[1][about[1]&15]
				taking = append(taking, c)
				break
			}
		}
	}
	if len(taking) != int(head[0]) {
		return false
	}
	p.begin()
	if len(taking) == 1 {
		return p.alone(taking[0], b)
	}
	return p.together(taking, b)
}

// begin forgets what the blocks before said.
func (p *progressive) begin() {
	p.run = 0
	for i := range p.planes {
		p.planes[i].before = 0
	}
}

// alone reads a scan of one plane, which leaves out the blocks that only fill up a unit.
func (p *progressive) alone(c *plane, b band) bool {
	wide, high := ceil(ceil(p.width*c.across, p.most.X), 8), ceil(ceil(p.height*c.down, p.most.Y), 8)
	for i := range wide * high {
		if !p.restarted(i) || !p.block(c, &c.blocks[i/wide*c.wide+i%wide], b) {
			return false
		}
	}
	return true
}

// together reads a scan of several planes, unit by unit.
func (p *progressive) together(taking []*plane, b band) bool {
	wide, high := ceil(p.width, 8*p.most.X), ceil(p.height, 8*p.most.Y)
	for i := range wide * high {
		if !p.restarted(i) {
			return false
		}
		for _, c := range taking {
			for k := range c.across * c.down {
				x, y := i%wide*c.across+k%c.across, i/wide*c.down+k/c.across
				if !p.block(c, &c.blocks[y*c.wide+x], b) {
					return false
				}
			}
		}
	}
	return true
}

// restarted passes the marker that stands before unit i where restarts are used.
func (p *progressive) restarted(i int) bool {
	if p.restart == 0 || i == 0 || i%p.restart != 0 {
		return true
	}
	marker, _, rest, ok := nextSegment(p.bits.data[p.bits.at:])
	if !ok || marker < 0xd0 || marker > 0xd7 {
		return false
	}
	p.bits = bitReader{data: p.bits.data, at: len(p.bits.data) - len(rest)}
	p.begin()
	return true
}

// block reads what a scan says of one block.
func (p *progressive) block(c *plane, to *block, b band) bool {
	ok := true
	switch {
	case b.first == 0 && b.refines:
		to.low[0] |= int16(p.bits.take(1) << b.low)
	case b.first == 0:
		var size int
		if size, ok = p.bits.symbol(c.dc); ok && size <= 16 {
			c.before += p.bits.extended(size)
			to.low[0] = int16(c.before << b.low) //nolint:gosec // a damaged file is wrong anyway
		}
	case b.refines:
		ok = p.refine(c, to, b)
	default:
		ok = p.coefficients(c, to, b)
	}
	return ok && !p.bits.over()
}

// coefficients reads a band of a block for the first time: runs of zeros and what stands behind each.
func (p *progressive) coefficients(c *plane, to *block, b band) bool {
	if p.run > 0 {
		p.run--
		return true
	}
	for z := b.first; z <= b.last; z++ {
		symbol, ok := p.bits.symbol(c.ac)
		if !ok {
			return false
		}
		zeros, size := symbol>>4, symbol&15
		switch {
		case size > 0:
			if z += zeros; z > b.last {
				return false
			}
			to.set(z, p.bits.extended(size)<<b.low)
		case zeros == 15:
			z += 15
		default:
			p.run = 1<<zeros | p.bits.take(zeros)
			p.run-- // this block
			return true
		}
	}
	return true
}

// refine reads one more bit of a band (T.81, G.1.2.3): new coefficients, which are 1 or -1 at this bit, and between
// them a bit for each that was there.
func (p *progressive) refine(c *plane, to *block, b band) bool {
	z := b.first
	for ; z <= b.last && p.run == 0; z++ {
		symbol, ok := p.bits.symbol(c.ac)
		if !ok {
			return false
		}
		zeros, value := symbol>>4, 0
		switch {
		case symbol&15 == 1:
			value = (2*p.bits.take(1) - 1) << b.low
		case symbol&15 > 1:
			return false
		case zeros < 15:
			p.run = 1<<zeros | p.bits.take(zeros)
		}
		if p.run > 0 {
			break
		}
		if z = p.pass(to, z, zeros, b); z > b.last {
			return false
		}
		if value != 0 {
			to.set(z, value)
		}
	}
	if p.run > 0 {
		p.run--
		p.pass(to, z, 64, b)
	}
	return true
}

// pass goes over so many zeros from z on, refines what stands between them, and gives the place of the next zero.
func (p *progressive) pass(to *block, z, zeros int, b band) int {
	for ; z <= b.last; z++ {
		if to.seen>>z&1 == 0 {
			if zeros == 0 {
				break
			}
			zeros--
			continue
		}
		if p.bits.take(1) == 0 || zigzag[z] < 0 {
			continue
		}
		if value := &to.low[zigzag[z]]; *value < 0 {
			*value -= 1 << b.low
		} else {
			*value += 1 << b.low
		}
	}
	return z
}

// set is the first value of the coefficient at z.
func (b *block) set(z, value int) {
	b.seen |= 1 << z
	if zigzag[z] >= 0 {
		b.low[zigzag[z]] = int16(value) //nolint:gosec // a damaged file is wrong anyway
	}
}
