package picture

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"math"
	"strings"
)

// header is the part of a file's metadata that matters. The rest (location, camera, names) is never read and never
// copied. bep/imagemeta 1.0.1 reads the orientation, but no colour profile, no size of a WebP's frame and no scans, so
// the files would still have to be parsed here.
type header struct {
	width, height int // pixels as stored; 0 if the header is damaged
	orientation   orientation
	profile       profile
	pixelBytes    float64 // that the decoder keeps for each pixel, at most
}

const (
	maxProfile  = 1 << 20 // bytes
	maxChunk    = 40 << 20
	maxSegments = 4096
)

// memory is how many bytes the decoder of a format takes at most, according to its source.
func (h header) memory() int64 { return int64(h.pixelBytes * float64(h.width) * float64(h.height)) }

// readHeader reads a file's header as far as it is valid; damaged parts count as absent.
func readHeader(format Format, r *bufio.Reader) (h header) {
	switch format {
	case JPEG:
		h.readJPEG(r)
	case PNG:
		h.readPNG(r)
	case GIF:
		h.readGIF(r)
	case WebP:
		h.readWebP(r)
	}
	return h
}

func (h *header) readJPEG(r *bufio.Reader) {
	var icc []byte
	converted := false
	if _, err := r.Discard(2); err != nil {
		return
	}
	for range maxSegments {
		marker, err := nextMarker(r)
		if err != nil || marker == 0xda || marker == 0xd9 { // start of scan, or end of image
			break
		}
		var size [2]byte
		if _, err := io.ReadFull(r, size[:]); err != nil {
			break
		}
		n := int(binary.BigEndian.Uint16(size[:])) - 2
		if n < 0 {
			break
		}
		data := make([]byte, n)
		if _, err := io.ReadFull(r, data); err != nil {
			break
		}
		switch {
		case marker == 0xe1 && bytes.HasPrefix(data, []byte("Exif\x00\x00")) && h.orientation == 0:
			h.orientation = exifOrientation(data[6:])
		case marker == 0xe2 && bytes.HasPrefix(data, []byte("ICC_PROFILE\x00")) && n > 14 && len(icc) < maxProfile:
			icc = append(icc, data[14:]...) // the parts are in order
		case marker >= 0xc0 && marker <= 0xc2 && n > 5 && h.width == 0:
			h.height, h.width = int(binary.BigEndian.Uint16(data[1:])), int(binary.BigEndian.Uint16(data[3:]))
			h.pixelBytes = jpegPixelBytes(marker == 0xc2, data[6:])
		case marker == 0xee && bytes.HasPrefix(data, []byte("Adobe")) && n > 11:
			converted = data[11] == 0
		}
	}
	if converted { // from RGB or CMYK, into a second picture
		h.pixelBytes += 4
	}
	h.profile = readProfile(icc)
}

// jpegPixelBytes is a byte for each sample of the components, and of a progressive picture four more, because its
// coefficients are kept until the last scan is read.
func jpegPixelBytes(progressive bool, components []byte) float64 {
	samples, most, count := 0, 1, len(components)/3
	for i := range count {
		across, down := int(components[3*i+1]>>4), int(components[3*i+1]&15)
		samples += across * down
		most = max(most, across*down)
	}
	bytes := float64(samples) / float64(most)
	if count == 1 {
		bytes = 1
	}
	if progressive {
		bytes *= 5
	}
	if count == 4 || count == 3 && components[0] == 'R' { // converted into a second picture
		bytes += 4
	}
	return bytes
}

// nextMarker skips fill bytes before a marker.
func nextMarker(r *bufio.Reader) (byte, error) {
	b, err := r.ReadByte()
	if err != nil || b != 0xff {
		return 0xd9, err
	}
	for b == 0xff && err == nil {
		b, err = r.ReadByte()
	}
	return b, err
}

func (h *header) readPNG(r *bufio.Reader) {
	if _, err := r.Discard(8); err != nil {
		return
	}
	grey := false
	for range maxSegments {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return
		}
		n, kind := int(binary.BigEndian.Uint32(head[:])), string(head[4:])
		if kind == "IDAT" || kind == "IEND" || n > maxChunk {
			return
		}
		data, err := readChunk(r, n, strings.Contains("IHDR eXIf iCCP", kind))
		if err != nil {
			return
		}
		switch kind {
		case "IHDR":
			if !h.readIHDR(data) {
				return
			}
			grey = data[9] == 0
		case "tRNS":
			if grey { // decoded with an alpha channel
				h.pixelBytes *= 4
			}
		case "eXIf":
			h.orientation = exifOrientation(data)
		case "iCCP":
			if _, compressed, ok := bytes.Cut(data, []byte{0}); ok && len(compressed) > 1 {
				h.profile = readProfile(inflate(compressed[1:]))
			}
		}
		if _, err := r.Discard(4); err != nil { // its checksum
			return
		}
	}
}

func (h *header) readIHDR(data []byte) bool {
	if len(data) != 13 {
		return false
	}
	width, height := binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:])
	if width > math.MaxInt32 || height > math.MaxInt32 {
		return false
	}
	depth, colour, interlaced := data[8], data[9], data[12] != 0
	h.pixelBytes = 4
	if colour == 0 || colour == 3 { // grey, or a palette
		h.pixelBytes = 1
	}
	if depth == 16 {
		h.pixelBytes *= 2
	}
	if interlaced { // half of the pixels come in the last pass, as a picture of their own
		h.pixelBytes *= 1.5
	}
	h.width, h.height = int(width), int(height)
	return true
}

// readGIF reads as far as the first frame.
func (h *header) readGIF(r *bufio.Reader) {
	var screen [13]byte
	if _, err := io.ReadFull(r, screen[:]); err != nil {
		return
	}
	if screen[10]&0x80 != 0 { // a colour table
		if _, err := r.Discard(3 << (screen[10]&7 + 1)); err != nil {
			return
		}
	}
	for range maxSegments {
		kind, err := r.ReadByte()
		if err != nil || kind != 0x21 && kind != 0x2c {
			return
		}
		if kind == 0x2c {
			var frame [9]byte
			if _, err := io.ReadFull(r, frame[:]); err == nil {
				h.width = int(binary.LittleEndian.Uint16(screen[6:]))
				h.height = int(binary.LittleEndian.Uint16(screen[8:]))
				h.pixelBytes = 1
				if frame[8]&0x40 != 0 { // deinterlaced into a second picture
					h.pixelBytes = 2
				}
			}
			return
		}
		_, err = r.ReadByte() // an extension: its label, then blocks until an empty one
		for size := byte(1); size > 0 && err == nil; {
			if size, err = r.ReadByte(); err == nil {
				_, err = r.Discard(int(size))
			}
		}
	}
}

func inflate(compressed []byte) []byte {
	z, err := zlib.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil
	}
	defer z.Close()
	data, err := io.ReadAll(io.LimitReader(z, maxProfile))
	if err != nil {
		return nil
	}
	return data
}

func (h *header) readWebP(r *bufio.Reader) {
	if _, err := r.Discard(12); err != nil {
		return
	}
	for range maxSegments {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return
		}
		kind, n := string(head[:4]), int(binary.LittleEndian.Uint32(head[4:]))
		if n > maxChunk {
			return
		}
		switch kind {
		case "VP8 ":
			h.pixelBytes += 1.5
		case "VP8L", "ALPH": // with a palette, converted into a second picture
			h.pixelBytes += 8
		}
		if kind == "VP8 " || kind == "VP8L" {
			if frame, err := r.Peek(10); err == nil {
				h.readVP8(kind, frame)
			}
		}
		data, err := readChunk(r, n+n%2, kind == "EXIF" || kind == "ICCP")
		if err != nil {
			return
		}
		switch kind {
		case "EXIF":
			h.orientation = exifOrientation(bytes.TrimPrefix(data, []byte("Exif\x00\x00")))
		case "ICCP":
			h.profile = readProfile(data)
		}
	}
}

// readVP8 reads the size of a WebP's frame, which may differ from its canvas; the largest of several counts.
func (h *header) readVP8(kind string, head []byte) {
	width := int(binary.LittleEndian.Uint16(head[6:]) & 0x3fff)
	height := int(binary.LittleEndian.Uint16(head[8:]) & 0x3fff)
	if kind == "VP8L" {
		bits := binary.LittleEndian.Uint32(head[1:])
		width, height = int(bits&0x3fff)+1, int(bits>>14&0x3fff)+1
	}
	h.width, h.height = max(h.width, width), max(h.height, height)
}

// readChunk reads or skips n bytes.
func readChunk(r *bufio.Reader, n int, keep bool) ([]byte, error) {
	if !keep || n > maxProfile {
		_, err := r.Discard(n)
		return nil, err
	}
	data := make([]byte, n)
	_, err := io.ReadFull(r, data)
	return data, err
}

// exifOrientation finds tag 0x0112 in the first directory of EXIF data (a TIFF header); 0 if there is none.
func exifOrientation(tiff []byte) orientation {
	if len(tiff) < 8 {
		return 0
	}
	var order binary.ByteOrder = binary.LittleEndian
	if string(tiff[:2]) == "MM" {
		order = binary.BigEndian
	}
	offset := int64(order.Uint32(tiff[4:]))
	if offset+2 > int64(len(tiff)) {
		return 0
	}
	entries := tiff[offset+2:]
	for range order.Uint16(tiff[offset:]) {
		if len(entries) < 12 {
			return 0
		}
		if order.Uint16(entries) == 0x0112 {
			return orientation(order.Uint16(entries[8:]))
		}
		entries = entries[12:]
	}
	return 0
}
