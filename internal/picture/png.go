package picture

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"image"
	"io"
)

// PNGs are decoded row by row: a file of 286 KB can have 49 megapixels, for which the standard library's decoder takes
// 200 MB, or 400 MB with 16 bits.

// pngHeader is the format of a PNG's pixels.
type pngHeader struct {
	depth       int  // bits of a sample
	colour      byte // 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha
	palette     []byte
	transparent []byte // alpha for each entry of the palette, or the one transparent colour
}

// samples is the number of samples of a pixel, 0 for an unknown colour type.
func (p pngHeader) samples() int { return map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[p.colour] }

func (p pngHeader) valid() bool {
	switch p.depth {
	case 1, 2, 4:
		return p.colour == 0 || p.colour == 3
	case 8:
		return p.samples() > 0
	case 16:
		return p.samples() > 0 && p.colour != 3
	}
	return false
}

// pngPass is one of the seven passes of an interlaced PNG (PNG specification, 8.2).
type pngPass struct{ x, y, dx, dy int }

var pngPasses = []pngPass{
	{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2},
}

// pngRows starts decoding a PNG.
func (p Plan) pngRows(file *bufio.Reader) (image.Rectangle, rowReader, error) {
	h := p.original.header
	z, err := zlib.NewReader(&idat{file: file})
	if err != nil {
		return image.Rectangle{}, nil, err
	}
	rows := &pngRows{header: h.png, zlib: z}
	if h.interlaced {
		m, err := rows.decodeInterlaced(h.width, h.height, p.scale)
		if err != nil {
			return image.Rectangle{}, nil, err
		}
		area := scaledRect(p.area, 1, p.scale)
		return area, func(y int, dst []uint8) error {
			copy(dst, m[3*(y*ceil(h.width, p.scale)+area.Min.X):])
			return nil
		}, nil
	}
	rows.reset(h.width)
	row := make([]uint8, 3*h.width)
	next := 0
	return p.area, func(y int, dst []uint8) error {
		for ; next < y; next++ {
			if err := rows.readRow(); err != nil {
				return err
			}
		}
		next++
		if err := rows.readRow(); err != nil {
			return err
		}
		if err := rows.convertRow(row); err != nil {
			return err
		}
		copy(dst, row[3*p.area.Min.X:])
		return nil
	}, nil
}

// pngRows are the rows of a PNG, or of one of its passes.
type pngRows struct {
	header        pngHeader
	zlib          io.Reader
	row           []byte // beginning with its filter type
	previous      []byte
	bytesPerPixel int // at least 1
	width         int
}

func (r *pngRows) reset(width int) {
	bits := r.header.depth * r.header.samples()
	r.width, r.bytesPerPixel = width, max(1, bits/8)
	r.row, r.previous = make([]byte, 1+ceil(width*bits, 8)), make([]byte, 1+ceil(width*bits, 8))
}

var errFilter = errors.New("unknown filter")

// readRow reads a row and undoes its filter (PNG specification, 9).
func (r *pngRows) readRow() error {
	r.row, r.previous = r.previous, r.row
	if _, err := io.ReadFull(r.zlib, r.row); err != nil {
		return err
	}
	row, previous, bytesPerPixel := r.row[1:], r.previous[1:], r.bytesPerPixel
	switch r.row[0] {
	case 0:
	case 1:
		for i := bytesPerPixel; i < len(row); i++ {
			row[i] += row[i-bytesPerPixel]
		}
	case 2:
		for i := range row {
			row[i] += previous[i]
		}
	case 3:
		for i := range min(bytesPerPixel, len(row)) {
			row[i] += previous[i] / 2
		}
		for i := bytesPerPixel; i < len(row); i++ {
			row[i] += uint8((int(row[i-bytesPerPixel]) + int(previous[i])) / 2) // #nosec G115 -- the mean of two bytes
		}
	case 4:
		for i := range min(bytesPerPixel, len(row)) {
			row[i] += previous[i]
		}
		for i := bytesPerPixel; i < len(row); i++ {
			row[i] += paeth(int(row[i-bytesPerPixel]), int(previous[i]), int(previous[i-bytesPerPixel]))
		}
	default:
		return errFilter
	}
	return nil
}

// paeth is the one of the three that is nearest to left + up - upperLeft.
func paeth(left, up, upperLeft int) uint8 {
	a, b := up-upperLeft, left-upperLeft
	c := abs(a + b)
	a, b = abs(a), abs(b)
	switch {
	case a <= b && a <= c:
		return uint8(left) // #nosec G115 -- all three are bytes
	case b <= c:
		return uint8(up) // #nosec G115
	}
	return uint8(upperLeft) // #nosec G115
}

func abs(n int) int { return max(n, -n) }

var errPalette = errors.New("a colour that is not in the palette")

// convertRow converts the row to RGB on white.
func (r *pngRows) convertRow(dst []uint8) error {
	h, row := r.header, r.row[1:]
	sampleBytes := h.depth / 8 // of a sample; of 16 bits only the first byte is used
	for x := range r.width {
		pixel := dst[3*x : 3*x+3 : 3*x+3]
		alpha := 255
		switch h.colour {
		case 0, 3:
			value := int(row[x*h.depth/8])
			if h.depth < 8 {
				value = value >> (8 - h.depth - x*h.depth%8) & (1<<h.depth - 1)
			} else if sampleBytes == 2 {
				value = int(row[2*x])
			}
			if h.colour == 3 {
				if 3*value+3 > len(h.palette) {
					return errPalette
				}
				copy(pixel, h.palette[3*value:])
				if value < len(h.transparent) {
					alpha = int(h.transparent[value])
				}
				break
			}
			if h.isTransparent(row, x, value) {
				alpha = 0
			}
			grey := uint8(value) // #nosec G115 -- a byte, or replaced below
			if h.depth < 8 {
				grey = uint8(value * 255 / (1<<h.depth - 1)) // #nosec G115 -- value has depth bits
			}
			pixel[0], pixel[1], pixel[2] = grey, grey, grey
		case 4:
			grey := row[2*sampleBytes*x]
			pixel[0], pixel[1], pixel[2] = grey, grey, grey
			alpha = int(row[sampleBytes*(2*x+1)])
		default:
			samples := row[h.samples()*sampleBytes*x:]
			pixel[0], pixel[1], pixel[2] = samples[0], samples[sampleBytes], samples[2*sampleBytes]
			if h.colour == 6 {
				alpha = int(samples[3*sampleBytes])
			} else if len(h.transparent) == 6 && h.isTransparent(row, x, 0) {
				alpha = 0
			}
		}
		if alpha < 255 {
			for i, v := range pixel {
				pixel[i] = uint8((int(v)*alpha + 255*(255-alpha) + 127) / 255) // #nosec G115 -- between two bytes
			}
		}
	}
	return nil
}

// isTransparent reports whether a grey or RGB pixel has the one transparent colour. value is its value below 8 bits.
func (p pngHeader) isTransparent(row []byte, x, value int) bool {
	n := p.samples()
	switch {
	case len(p.transparent) != 2*n:
		return false
	case p.depth == 16:
		return bytes.Equal(row[2*n*x:2*n*(x+1)], p.transparent)
	case p.depth < 8:
		return value == int(binary.BigEndian.Uint16(p.transparent))
	}
	for i := range n {
		if int(row[n*x+i]) != int(binary.BigEndian.Uint16(p.transparent[2*i:])) {
			return false
		}
	}
	return true
}

// decodeInterlaced decodes an interlaced picture, the first pixel of each scale by scale pixels. Later passes, which
// only have the pixels in between, are not read.
func (r *pngRows) decodeInterlaced(w, h, scale int) ([]uint8, error) {
	outWidth, outHeight := ceil(w, scale), ceil(h, scale)
	m := make([]uint8, 3*outWidth*outHeight)
	row := make([]uint8, 3*w)
	for _, pass := range pngPasses {
		passWidth, passHeight := ceil(w-pass.x, pass.dx), ceil(h-pass.y, pass.dy)
		if passWidth <= 0 || passHeight <= 0 {
			continue
		}
		if pass.x%scale != 0 || pass.y%scale != 0 {
			return m, nil
		}
		r.reset(passWidth)
		for i := range passHeight {
			if err := r.readRow(); err != nil {
				return nil, err
			}
			if err := r.convertRow(row); err != nil {
				return nil, err
			}
			dst := m[3*((pass.y+i*pass.dy)/scale*outWidth+pass.x/scale):]
			for x := range passWidth {
				copy(dst[3*x*pass.dx/scale:][:3], row[3*x:])
			}
		}
	}
	return m, nil
}

// idat reads the data of all IDAT chunks.
type idat struct {
	file      *bufio.Reader
	remaining int  // bytes of the chunk to be read
	started   bool // the file's signature was skipped
}

func (d *idat) Read(p []byte) (int, error) {
	for d.remaining == 0 {
		skip := 4 // the checksum of the chunk before
		if !d.started {
			skip = 8
		}
		if err := d.nextChunk(skip); err != nil {
			return 0, err
		}
	}
	n, err := d.file.Read(p[:min(len(p), d.remaining)])
	d.remaining -= n
	return n, err
}

// nextChunk skips to the data of the next IDAT.
func (d *idat) nextChunk(skip int) error {
	for {
		if _, err := d.file.Discard(skip); err != nil {
			return err
		}
		var head [8]byte
		if _, err := io.ReadFull(d.file, head[:]); err != nil {
			return err
		}
		n, kind := int(binary.BigEndian.Uint32(head[:])), string(head[4:])
		switch {
		case kind == "IDAT":
			d.started, d.remaining = true, n
			return nil
		case kind == "IEND" || d.started || n > maxChunk:
			return io.ErrUnexpectedEOF
		}
		skip = n + 4
	}
}
