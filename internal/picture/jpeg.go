package picture

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"io"
)

// JPEGs are decoded here at 1/8 to 8/8 of their width and height, just large enough for the result: at k/8 only the k
// by k lowest of a block's 64 coefficients are kept. A progressive JPEG consists of scans that each refine the whole
// picture, so all coefficients are in memory until the last scan is read; the standard library keeps 4 bytes for each.
//
// Measured on two busy cores in November 2026, JPEGs of 48 megapixels scaled to a width of 3000 pixels (peak memory of
// the process and time; TestADecompressionBombTakesLittleMemory and BenchmarkDecode beside this file):
//
//	                                     progressive 4:4:4   progressive 4:2:0   baseline 4:4:4
//	image/jpeg, whole                    721 MB  4.0 s       368 MB  2.3 s       158 MB  3.8 s
//	gen2brain/jpegli 0.3.4, at a half    944 MB  9.7 s       752 MB  5.8 s       195 MB  1.6 s
//	here                                  95 MB  6.6 s        91 MB  2.9 s        83 MB  2.5 s
//
// jpegli also keeps all coefficients of a progressive picture, and the Go scheduler can't interrupt its WebAssembly:
// one garbage collection waited 9 s for it, and every goroutine of the program with it.

// jpegHeader is the header of a JPEG's frame.
type jpegHeader struct {
	progressive bool
	planes      []jpegPlane
}

// jpegPlane is one component of a frame. Its horizontal and vertical sampling factors are the number of its blocks in a
// unit (MCU), across and down.
type jpegPlane struct {
	id                   byte
	hSampling, vSampling int
	table                int // of quantisation
}

// readFrame reads a frame's header after its size; one without planes is damaged.
func readFrame(progressive bool, data []byte) jpegHeader {
	h := jpegHeader{progressive: progressive}
	for components := data; len(components) >= 3; components = components[3:] {
		sampling, table := int(components[1]), int(components[2])
		p := jpegPlane{id: components[0], hSampling: sampling >> 4, vSampling: sampling & 15, table: table}
		if len(data) == 3 { // a single plane always has one block in a unit
			p.hSampling, p.vSampling = 1, 1
		}
		h.planes = append(h.planes, p)
	}
	return h
}

// samples is the number of samples of all planes for 64 pixels.
func (h jpegHeader) samples() float64 {
	maxH, maxV, sum := 1, 1, 0
	for _, p := range h.planes {
		maxH, maxV = max(maxH, p.hSampling), max(maxV, p.vSampling)
		sum += p.hSampling * p.vSampling
	}
	return 64 * float64(sum) / float64(maxH*maxV)
}

// prefersStdlib reports whether the standard library decodes the picture at full size, because it is faster. For
// progressive pictures and those with four colours it takes too much memory.
func (h jpegHeader) prefersStdlib() bool {
	return !h.progressive && (len(h.planes) == 1 || len(h.planes) == 3 && h.samples() < 3*64)
}

// decodeMemory is how many bytes decoding at scale/8 takes: its samples, and of a progressive one its coefficients.
func (h jpegHeader) decodeMemory(pixels int64, scale int) int64 {
	perBlock := scale * scale
	if h.progressive {
		perBlock += 2*scale*scale + 8
	}
	return int64(h.samples() / 64 * float64(pixels) / 64 * float64(perBlock))
}

// plane is one component of a picture. At 4:2:0 a unit has two by two blocks of luma, and one block each of the two
// chroma planes.
type plane struct {
	jpegPlane
	blocksAcross, blocksDown int     // in blocks, including the padding of the last unit
	samples                  []uint8 // scale by scale samples of each block
	quantisationSteps        []float32

	// Of a progressive picture, until its last scan: the lowest coefficients of each block, by row and column, and for
	// all 64, in zigzag order, whether they are not 0, which later scans need.
	coefficients []int16
	nonzero      []uint64

	dc, ac     *huffman // of the current scan
	previousDC int      // the DC coefficient of the block before
}

type jpegDecoder struct {
	ctx             context.Context
	scale           int
	positions       [64]int8 // index in coefficients of each coefficient in zigzag order; -1: dropped
	cosines         []float32
	width, height   int
	progressive     bool
	maxSampling     image.Point // the largest factors of a plane
	planes          []plane
	quantisation    [4][64]uint16 // in zigzag order
	codes           [2][4]*huffman
	restartInterval int // units; 0: none
	jfif            bool
	adobe           int // Adobe's colour transform; -1: absent

	bits    bitReader
	eobRun  int       // EOBRUN: blocks without further coefficients in this band
	scratch [64]int16 // a block of a picture that is not progressive
}

// maxScans bounds the scans: each one, however short, passes over the whole picture, so a file with many could keep a
// core busy for hours. Encoders make 10, or 20 for print.
const maxScans = 100

var (
	errJPEG  = errors.New("a damaged or unknown segment")
	errScans = errors.New("more than 100 scans")
)

// jpegRows decodes a JPEG at the plan's scale.
func (p Plan) jpegRows(ctx context.Context, file *bufio.Reader) (image.Rectangle, rowReader, error) {
	data, err := io.ReadAll(io.LimitReader(file, p.original.fileSize))
	if err != nil {
		return image.Rectangle{}, nil, err
	}
	if scans(data) > maxScans {
		return image.Rectangle{}, nil, errScans
	}
	d := &jpegDecoder{
		ctx: ctx, scale: p.scale, positions: positionsFor(p.scale), cosines: cosinesFor(p.scale), adobe: -1,
	}
	if err := d.read(data); err != nil {
		return image.Rectangle{}, nil, err
	}
	area := scaledRect(p.area, p.scale, 8)
	area = area.Intersect(image.Rect(0, 0, ceil(d.width*d.scale, 8), ceil(d.height*d.scale, 8)))
	rows, err := d.rows(area)
	return area, rows, err
}

// scans counts a file's scans.
func scans(data []byte) (n int) {
	for rest := data[2:]; ; {
		marker, _, after, ok := nextSegment(rest)
		if !ok || marker == 0xd9 {
			return n
		}
		if rest = after; marker == 0xda {
			n++
		}
	}
}

func (d *jpegDecoder) read(data []byte) error {
	for rest := data[2:]; ; {
		marker, body, after, ok := nextSegment(rest)
		if !ok {
			return io.ErrUnexpectedEOF
		}
		rest = after
		switch {
		case marker == 0xd9:
			return d.finish()
		case marker >= 0xc0 && marker <= 0xc2:
			ok = d.frame(marker == 0xc2, body)
		case marker == 0xc4:
			ok = d.huffmanTables(body)
		case marker == 0xdb:
			ok = d.quantisationTables(body)
		case marker == 0xdd && len(body) == 2:
			d.restartInterval = int(binary.BigEndian.Uint16(body))
		case marker == 0xe0 && len(body) >= 5:
			d.jfif = string(body[:5]) == "JFIF\x00"
		case marker == 0xee && len(body) >= 12 && string(body[:5]) == "Adobe":
			d.adobe = int(body[11])
		case marker == 0xda:
			d.bits = bitReader{data: rest}
			ok = d.scan(body)
			rest = rest[d.bits.pos:]
		}
		if err := d.ctx.Err(); err != nil {
			return err
		}
		if !ok {
			return errJPEG
		}
	}
}

// nextSegment is the next marker and the body of its segment, without the length.
func nextSegment(data []byte) (marker byte, body, rest []byte, ok bool) {
	for {
		index := bytes.IndexByte(data, 0xff)
		if index < 0 || index+1 >= len(data) {
			return 0, nil, nil, false
		}
		if data = data[index:]; data[1] != 0 && data[1] != 0xff {
			break
		}
		data = data[1:]
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

func (d *jpegDecoder) frame(progressive bool, body []byte) bool {
	if d.planes != nil || len(body) < 6 || len(body) != 6+3*int(body[5]) || body[0] != 8 {
		return false
	}
	d.height, d.width = int(binary.BigEndian.Uint16(body[1:])), int(binary.BigEndian.Uint16(body[3:]))
	if count := body[5]; d.width == 0 || d.height == 0 || count != 1 && count != 3 && count != 4 {
		return false
	}
	d.progressive = progressive
	for _, p := range readFrame(progressive, body[6:]).planes {
		if p.hSampling < 1 || p.hSampling > 4 || p.vSampling < 1 || p.vSampling > 4 || p.table > 3 {
			return false
		}
		d.maxSampling = image.Pt(max(d.maxSampling.X, p.hSampling), max(d.maxSampling.Y, p.vSampling))
		d.planes = append(d.planes, plane{jpegPlane: p})
	}
	for i := range d.planes {
		c := &d.planes[i]
		if d.maxSampling.X%c.hSampling != 0 || d.maxSampling.Y%c.vSampling != 0 {
			return false
		}
		c.blocksAcross = c.hSampling * ceil(d.width, 8*d.maxSampling.X)
		c.blocksDown = c.vSampling * ceil(d.height, 8*d.maxSampling.Y)
		if progressive {
			c.coefficients = make([]int16, c.blocksAcross*c.blocksDown*d.scale*d.scale)
			c.nonzero = make([]uint64, c.blocksAcross*c.blocksDown)
		} else {
			c.samples = make([]uint8, c.blocksAcross*c.blocksDown*d.scale*d.scale)
		}
	}
	return true
}

func ceil(n, by int) int { return (n + by - 1) / by }

func (d *jpegDecoder) huffmanTables(body []byte) (ok bool) {
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
		if d.codes[body[0]>>4][body[0]&15], ok = newHuffman(body[1:17], body[17:size]); !ok {
			return false
		}
		body = body[size:]
	}
	return true
}

func (d *jpegDecoder) quantisationTables(body []byte) bool {
	for len(body) > 0 {
		size := 1 + 64*(1+int(body[0]>>4))
		if body[0]>>4 > 1 || body[0]&15 > 3 || len(body) < size {
			return false
		}
		table := &d.quantisation[body[0]&15]
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

// finish turns the coefficients of a progressive picture into samples, and frees them.
func (d *jpegDecoder) finish() error {
	if len(d.planes) == 0 || len(d.planes) == 4 && d.adobe < 0 {
		return errJPEG // the meaning of four planes is unknown without Adobe's segment
	}
	for i := range d.planes {
		c := &d.planes[i]
		if c.coefficients == nil {
			continue
		}
		c.samples = make([]uint8, len(c.coefficients))
		d.setQuantisation(c)
		for index := range c.nonzero {
			d.inverseTransform(c, index, c.coefficients[index*d.scale*d.scale:][:d.scale*d.scale])
		}
		c.coefficients, c.nonzero = nil, nil
	}
	return nil
}

// rows combines the planes of an area, row by row.
func (d *jpegDecoder) rows(area image.Rectangle) (rowReader, error) {
	toRGB := d.colours()
	return func(y int, dst []uint8) error {
		var rows [4][]uint8
		for i := range d.planes {
			c := &d.planes[i]
			rows[i] = c.samples[y*c.vSampling/d.maxSampling.Y*d.scale*c.blocksAcross:]
		}
		var values [4]uint8
		for i, x := 0, area.Min.X; x < area.Max.X; i, x = i+3, x+1 {
			for j := range d.planes {
				c := &d.planes[j]
				if c.hSampling == d.maxSampling.X {
					values[j] = rows[j][x]
				} else {
					values[j] = rows[j][x*c.hSampling/d.maxSampling.X]
				}
			}
			dst[i], dst[i+1], dst[i+2] = toRGB(values)
		}
		return nil
	}, nil
}

// colours converts the planes' values to RGB, like the standard library's decoder. Four planes are CMYK for print,
// which Adobe's programs store inverted.
func (d *jpegDecoder) colours() func([4]uint8) (r, g, b uint8) {
	asIs := func(v [4]uint8) (r, g, b uint8) { return v[0], v[1], v[2] }
	fromYCbCr := func(v [4]uint8) (r, g, b uint8) { return color.YCbCrToRGB(v[0], v[1], v[2]) }
	switch {
	case len(d.planes) == 1:
		return func(v [4]uint8) (r, g, b uint8) { return v[0], v[0], v[0] }
	case len(d.planes) == 4:
		toRGB := fromYCbCr
		if d.adobe == 0 {
			toRGB = asIs
		}
		return func(v [4]uint8) (uint8, uint8, uint8) {
			r, g, b := toRGB(v)
			if d.adobe == 0 {
				return color.CMYKToRGB(255-r, 255-g, 255-b, 255-v[3])
			}
			return color.CMYKToRGB(r, g, b, 255-v[3])
		}
	case !d.jfif && (d.adobe == 0 || string([]byte{d.planes[0].id, d.planes[1].id, d.planes[2].id}) == "RGB"):
		return asIs
	}
	return fromYCbCr
}
