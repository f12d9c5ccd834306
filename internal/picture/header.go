package picture

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"math"
)

// header is the part of a file's metadata that matters. The rest (location, camera, names) is never read and never
// copied. bep/imagemeta 1.0.1 reads the orientation, but no colour profile, no size of a WebP's frame and no scans, so
// the files would still have to be parsed here.
type header struct {
	width, height int // pixels as stored; 0 if the header is damaged
	orientation   orientation
	profile       profile
	pixelBytes    float64 // that the decoder keeps for each pixel, at most
	converted     bool    // by the decoder from RGB or CMYK, into a second picture
	grey          bool
	inks          bool // CMYK
	unread        bool // a JPEG of a kind that no decoder here reads
	icc           []byte
}

const (
	maxProfile = 1 << 20 // bytes
	maxPart    = 40 << 20
	maxParts   = 4096
)

// memory is how many bytes the decoder of a format takes at most, according to its source.
func (h header) memory() int64 {
	bytes := h.pixelBytes
	if h.converted {
		bytes += 4
	}
	return int64(bytes * float64(h.width) * float64(h.height))
}

// signatures are how many bytes precede a file's first part.
var signatures = map[Format]int{JPEG: 2, PNG: 8, WebP: 12}

// wanted is how many bytes are read of a part at most: of a JPEG's segments by their marker, of others by their name.
var wanted = map[string]int{
	"\xc0": 32, "\xc1": 32, "\xc2": 32, "\xe1": maxProfile, "\xe2": maxProfile, "\xee": 12,
	"IHDR": 13, "eXIf": maxProfile, "iCCP": maxProfile,
	"VP8 ": 10, "VP8L": 5, "EXIF": maxProfile, "ICCP": maxProfile,
}

// readHeader reads a file's header as far as it is valid; damaged parts count as absent.
func readHeader(format Format, r *bufio.Reader) (h header) {
	if format == GIF {
		h.readGIF(r)
		return h
	}
	if _, err := r.Discard(signatures[format]); err != nil {
		return h
	}
	for range maxParts {
		kind, size, padding, err := nextPart(format, r)
		if err != nil || size < 0 || size > maxPart {
			break
		}
		data := make([]byte, min(size, wanted[kind]))
		if _, err := io.ReadFull(r, data); err != nil {
			break
		}
		h.read(kind, data)
		if _, err := r.Discard(size - len(data) + padding); err != nil {
			break
		}
	}
	h.profile, h.icc = readProfile(h.icc), nil
	return h
}

// nextPart is the next segment of a JPEG or chunk of another file, and how many bytes come after it. It fails where the
// pixels begin.
func nextPart(format Format, r *bufio.Reader) (kind string, size, padding int, err error) {
	if format == JPEG {
		kind, size, err = nextSegment(r)
		return kind, size, 0, err
	}
	var head [8]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return "", 0, 0, err
	}
	if format == WebP {
		size = int(binary.LittleEndian.Uint32(head[4:]))
		return string(head[:4]), size, size % 2, nil
	}
	kind = string(head[4:])
	if kind == "IDAT" || kind == "IEND" {
		err = io.EOF
	}
	return kind, int(binary.BigEndian.Uint32(head[:])), 4, err // a checksum
}

func nextSegment(r *bufio.Reader) (kind string, size int, err error) {
	b, err := r.ReadByte()
	if err != nil || b != 0xff {
		return "", 0, io.EOF
	}
	for b == 0xff && err == nil { // fill bytes
		b, err = r.ReadByte()
	}
	if err != nil || b == 0xda || b == 0xd9 { // start of scan, or end of image
		return "", 0, io.EOF
	}
	var length [2]byte
	_, err = io.ReadFull(r, length[:])
	return string([]byte{b}), int(binary.BigEndian.Uint16(length[:])) - 2, err
}

// read reads a part.
func (h *header) read(kind string, data []byte) {
	switch kind {
	case "\xc3", "\xc5", "\xc6", "\xc7", "\xc9", "\xca", "\xcb", "\xcd", "\xce", "\xcf": // arithmetic coding and others
		h.unread = h.width == 0
	case "\xc0", "\xc1", "\xc2":
		if len(data) > 5 && h.width == 0 {
			h.inks = data[5] == 4
			h.height, h.width = int(binary.BigEndian.Uint16(data[1:])), int(binary.BigEndian.Uint16(data[3:]))
			h.pixelBytes = jpegPixelBytes(kind == "\xc2", data[6:])
		}
	case "\xe1":
		if tiff, ok := bytes.CutPrefix(data, []byte("Exif\x00\x00")); ok && h.orientation == 0 {
			h.orientation = exifOrientation(tiff)
		}
	case "\xe2":
		if bytes.HasPrefix(data, []byte("ICC_PROFILE\x00")) && len(data) > 14 && len(h.icc) < maxProfile {
			h.icc = append(h.icc, data[14:]...) // the parts are in order
		}
	case "\xee":
		h.converted = bytes.HasPrefix(data, []byte("Adobe")) && len(data) > 11 && data[11] == 0
	case "IHDR":
		h.readIHDR(data)
	case "tRNS":
		if h.grey { // decoded with an alpha channel
			h.pixelBytes *= 4
		}
	case "eXIf", "EXIF":
		h.orientation = exifOrientation(bytes.TrimPrefix(data, []byte("Exif\x00\x00")))
	case "iCCP":
		if _, compressed, ok := bytes.Cut(data, []byte{0}); ok && len(compressed) > 1 {
			h.icc = inflate(compressed[1:])
		}
	case "ICCP":
		h.icc = data
	case "ALPH": // with a palette, converted into a second picture
		h.pixelBytes += 8
	case "VP8 ", "VP8L":
		h.readVP8(kind, data)
	}
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

func (h *header) readIHDR(data []byte) {
	if len(data) != 13 {
		return
	}
	width, height := binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:])
	if width > math.MaxInt32 || height > math.MaxInt32 {
		return
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
	h.width, h.height, h.grey = int(width), int(height), colour == 0
}

func (h *header) readGIF(r *bufio.Reader) {
	var screen [13]byte
	if _, err := io.ReadFull(r, screen[:]); err == nil {
		h.width, h.height = int(binary.LittleEndian.Uint16(screen[6:])), int(binary.LittleEndian.Uint16(screen[8:]))
		h.pixelBytes = 2 // an interlaced frame is put in order in a second picture
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

// readVP8 reads the size of a WebP's frame, which may differ from its canvas; the largest of several counts.
func (h *header) readVP8(kind string, data []byte) {
	if len(data) < wanted[kind] {
		return
	}
	if kind == "VP8L" {
		bits := int(binary.LittleEndian.Uint32(data[1:]))
		h.width, h.height = max(h.width, bits&0x3fff+1), max(h.height, bits>>14&0x3fff+1)
		h.pixelBytes += 8 // with a palette, converted into a second picture
		return
	}
	h.width = max(h.width, int(binary.LittleEndian.Uint16(data[6:])&0x3fff))
	h.height = max(h.height, int(binary.LittleEndian.Uint16(data[8:])&0x3fff))
	h.pixelBytes += 1.5
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
