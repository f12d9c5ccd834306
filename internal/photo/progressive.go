package photo

import (
	"encoding/binary"
	"image"
)

// A progressive JPEG comes in scans, each a little of the whole picture, so that everything is in memory until the
// last one is read. The standard library keeps 4 bytes for each coefficient: 1.2 GB for 50 megapixels. What will
// be made smaller anyway is read here at half its width and height. That needs only the 4 x 4 lowest of a block's
// 64 coefficients, and of the others a bit that says whether they are 0, which the later scans depend on: 0.6
// bytes a pixel and colour.
type block struct {
	low  [16]int16 // by row and column
	seen uint64    // by place in the zigzag: not 0
}

// zigzag is where in low the coefficients of a scan's order belong, -1: nowhere. See T.81, figure A.6.
var zigzag = func() (places [64]int8) {
	x, y := 0, 0
	for i := range places {
		places[i] = -1
		if x < 4 && y < 4 {
			places[i] = int8(4*y + x)
		}
		switch up := (x+y)%2 == 0; {
		case up && x == 7, !up && y != 7 && x == 0:
			y++
		case !up && y == 7, up && y == 0:
			x++
		case up:
			x, y = x+1, y-1
		default:
			x, y = x-1, y+1
		}
	}
	return places
}()

// plane is one colour of the picture: so many of its blocks lie in a unit of the scan, across and down.
type plane struct {
	id         byte
	across     int
	down       int
	table      int // of quantisation
	wide, high int // in blocks, with what fills up the last unit
	blocks     []block

	dc, ac *huffman // of the scan that is read
	before int      // the DC coefficient of the block before
}

type progressive struct {
	width, height int
	most          image.Point // the most blocks that a plane has in a unit
	planes        []plane
	quantisation  [4][64]uint16 // in the scan's order
	codes         [2][4]*huffman
	restart       int // units; 0: none
	jfif          bool
	adobe         int // its transform; -1: not said

	bits bitReader
	run  int // blocks that have nothing more in this band
}

// decodeHalf reads a progressive JPEG at half its width and height. Errors wrap ErrBroken.
func decodeHalf(data []byte) (image.Image, error) {
	p := &progressive{adobe: -1}
	for rest := data[2:]; ; {
		marker, body, after, ok := nextSegment(rest)
		if !ok {
			return nil, ErrBroken
		}
		rest = after
		switch {
		case marker == 0xd9:
			return p.picture()
		case marker == 0xc2:
			ok = p.frame(body)
		case marker == 0xc4:
			ok = p.huffmanTables(body)
		case marker == 0xdb:
			ok = p.quantisationTables(body)
		case marker == 0xdd && len(body) == 2:
			p.restart = int(binary.BigEndian.Uint16(body))
		case marker == 0xe0 && len(body) >= 5:
			p.jfif = string(body[:5]) == "JFIF\x00"
		case marker == 0xee && len(body) >= 12 && string(body[:5]) == "Adobe":
			p.adobe = int(body[11])
		case marker == 0xda:
			p.bits = bitReader{data: rest}
			ok = p.scan(body)
			rest = rest[p.bits.at:]
		}
		if !ok {
			return nil, ErrBroken
		}
	}
}

// nextSegment is the next marker and what belongs to it, without its length.
func nextSegment(data []byte) (marker byte, body, rest []byte, ok bool) {
	for len(data) >= 2 && (data[0] != 0xff || data[1] == 0 || data[1] == 0xff) {
		data = data[1:]
	}
	if len(data) < 2 {
		return 0, nil, nil, false
	}
	marker = data[1]
	if marker == 0xd9 || marker >= 0xd0 && marker <= 0xd7 {
		return marker, nil, data[2:], true
	}
	if len(data) < 4 {
		return 0, nil, nil, false
	}
	size := 2 + int(binary.BigEndian.Uint16(data[2:]))
	if size < 4 || len(data) < size {
		return 0, nil, nil, false
	}
	return marker, data[4:size], data[size:], true
}

func (p *progressive) frame(body []byte) bool {
	if p.planes != nil || len(body) < 6 || len(body) != 6+3*int(body[5]) || body[0] != 8 {
		return false
	}
	p.height, p.width = int(binary.BigEndian.Uint16(body[1:])), int(binary.BigEndian.Uint16(body[3:]))
	if count := body[5]; p.width == 0 || p.height == 0 || count != 1 && count != 3 && count != 4 {
		return false
	}
	for about := body[6:]; len(about) > 0; about = about[3:] {
		c := plane{id: about[0], across: int(about[1] >> 4), down: int(about[1] & 15), table: int(about[2])}
		if c.across < 1 || c.across > 4 || c.down < 1 || c.down > 4 || c.table > 3 {
			return false
		}
		if len(body) == 9 { // one plane alone has one block in a unit, whatever it says
			c.across, c.down = 1, 1
		}
		p.most = image.Pt(max(p.most.X, c.across), max(p.most.Y, c.down))
		p.planes = append(p.planes, c)
	}
	for i := range p.planes {
		c := &p.planes[i]
		if p.most.X%c.across != 0 || p.most.Y%c.down != 0 {
			return false
		}
		c.wide, c.high = c.across*ceil(p.width, 8*p.most.X), c.down*ceil(p.height, 8*p.most.Y)
		c.blocks = make([]block, c.wide*c.high)
	}
	return true
}

func ceil(n, by int) int { return (n + by - 1) / by }

func (p *progressive) huffmanTables(body []byte) (ok bool) {
	for len(body) > 0 {
		if len(body) < 17 || body[0]>>4 > 1 || body[0]&15 > 3 {
			return false
		}
		size := 17
		for _, count := range body[1:17] {
			size += int(count)
		}
		if len(body) < size {
			return false
		}
		if p.codes[body[0]>>4][body[0]&15], ok = newHuffman(body[1:17], body[17:size]); !ok {
			return false
		}
		body = body[size:]
	}
	return true
}

func (p *progressive) quantisationTables(body []byte) bool {
	for len(body) > 0 {
		size := 1 + 64*(1+int(body[0]>>4))
		if body[0]>>4 > 1 || body[0]&15 > 3 || len(body) < size {
			return false
		}
		table := &p.quantisation[body[0]&15]
		for i := range table {
			if size == 65 {
				table[i] = uint16(body[1+i])
			} else {
				table[i] = binary.BigEndian.Uint16(body[1+2*i:])
			}
		}
		body = body[size:]
	}
	return true
}
