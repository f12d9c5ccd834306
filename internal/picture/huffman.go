package picture

// bitReader reads the bits of a JPEG scan. It stops at a marker and returns zeros after it.
type bitReader struct {
	data    []byte
	pos     int    // of the next byte in data
	bits    uint64 // the lowest n are unread
	n       int
	padding int // how many of them are zeros from beyond the end
}

func (b *bitReader) fill() {
	for b.n <= 48 {
		var next byte
		rest := b.data[b.pos:]
		switch {
		case len(rest) > 0 && rest[0] != 0xff:
			next = rest[0]
			b.pos++
		case len(rest) > 1 && rest[1] == 0: // 0xff in the data is followed by 0
			next = 0xff
			b.pos += 2
		default:
			b.padding += 8
		}
		b.bits = b.bits<<8 | uint64(next)
		b.n += 8
	}
}

// peek is the next n bits, 16 at most.
func (b *bitReader) peek(n int) int {
	if b.n < n {
		b.fill()
	}
	return int(b.bits>>(b.n-n)) & (1<<n - 1) // #nosec G115 -- n bits are left
}

func (b *bitReader) read(n int) int {
	bits := b.peek(n)
	b.n -= n
	return bits
}

// readSigned reads a number of n bits that is negative if its first bit is 0 (T.81, F.2.2.1).
func (b *bitReader) readSigned(n int) int {
	value := b.read(n)
	if n > 0 && value < 1<<(n-1) {
		value += 1 - 1<<n
	}
	return value
}

// overrun reports whether bits beyond the end were read.
func (b *bitReader) overrun() bool { return b.n < b.padding }

// huffman is a table of codes (T.81, annex C). Codes of up to 8 bits are looked up, others searched by length.
type huffman struct {
	lookup  [256]uint16 // value and length of the code at the beginning of a byte; 0: longer than 8 bits
	maxCode [17]int     // by length: the greatest code, -1 for none
	offset  [17]int     // by length: what to subtract from a code for its index in values
	values  []byte
}

// newHuffman builds a table from the number of codes of each length from 1 to 16, and their values.
func newHuffman(counts, values []byte) (*huffman, bool) {
	h := &huffman{values: values}
	code, index := 0, 0
	for length := 1; length <= 16; length++ {
		h.offset[length], h.maxCode[length] = code-index, -1
		for range counts[length-1] {
			if index == len(values) || code >= 1<<length {
				return nil, false
			}
			if length <= 8 {
				for i := range 1 << (8 - length) {
					h.lookup[code<<(8-length)|i] = uint16(values[index])<<8 | uint16(length)
				}
			}
			h.maxCode[length] = code
			code++
			index++
		}
		code <<= 1
	}
	return h, index > 0
}

// symbol reads one code; false if it is invalid.
func (b *bitReader) symbol(h *huffman) (value int, ok bool) {
	if h == nil {
		return 0, false
	}
	if entry := h.lookup[b.peek(8)]; entry != 0 {
		b.n -= int(entry & 0xff)
		return int(entry >> 8), true
	}
	code := b.peek(16)
	for length := 9; length <= 16; length++ {
		if c := code >> (16 - length); c <= h.maxCode[length] {
			b.n -= length
			return int(h.values[c-h.offset[length]]), true
		}
	}
	return 0, false
}
