package media

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
)

// metadata is what matters of all that a file says about its picture. The rest (place, camera, names) is
// never read, and nothing of it is in what we make.
type metadata struct {
	orientation int // EXIF, 1 to 8; 0 where none is given
	profile     profile
	// progressive and halfColour say how a JPEG is coded.
	progressive, halfColour bool
	// width and height are those of a WebP's frame, which its header may belie; else 0.
	width, height int
}

// turned reports whether width and height change places when the picture is turned upright.
func (m metadata) turned() bool { return m.orientation >= 5 && m.orientation <= 8 }

const (
	maxProfile  = 1 << 20 // bytes
	maxSegments = 4096
)

// readMetadata reads a file's header as far as it makes sense; what is damaged counts as not there.
func readMetadata(format string, r *bufio.Reader) metadata {
	var m metadata
	switch format {
	case "jpeg":
		m.readJPEG(r)
	case "png":
		m.readPNG(r)
	case "webp":
		m.readWebP(r)
	}
	return m
}

func (m *metadata) readJPEG(r *bufio.Reader) {
	var icc []byte
	if _, err := r.Discard(2); err != nil {
		return
	}
	for range maxSegments {
		marker, err := nextMarker(r)
		if err != nil || marker == 0xda || marker == 0xd9 { // the picture, or its end
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
		case marker == 0xe1 && bytes.HasPrefix(data, []byte("Exif\x00\x00")) && m.orientation == 0:
			m.orientation = orientation(data[6:])
		case marker == 0xe2 && bytes.HasPrefix(data, []byte("ICC_PROFILE\x00")) && n > 14 && len(icc) < maxProfile:
			icc = append(icc, data[14:]...) // the parts stand in order
		case marker == 0xc0 || marker == 0xc1 || marker == 0xc2:
			m.progressive = marker == 0xc2
			m.halfColour = n > 7 && data[5] == 3 && data[7] == 0x22
		}
	}
	m.profile = readProfile(icc)
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

func (m *metadata) readPNG(r *bufio.Reader) {
	if _, err := r.Discard(8); err != nil {
		return
	}
	for range maxSegments {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return
		}
		n, kind := int(binary.BigEndian.Uint32(head[:])), string(head[4:])
		if kind == "IDAT" || kind == "IEND" || n > maxBody {
			return
		}
		data, err := chunk(r, n, kind == "eXIf" || kind == "iCCP")
		if err != nil {
			return
		}
		switch kind {
		case "eXIf":
			m.orientation = orientation(data)
		case "iCCP":
			if _, packed, ok := bytes.Cut(data, []byte{0}); ok && len(packed) > 1 {
				m.profile = readProfile(inflate(packed[1:]))
			}
		}
		if _, err := r.Discard(4); err != nil { // its checksum
			return
		}
	}
}

func inflate(packed []byte) []byte {
	z, err := zlib.NewReader(bytes.NewReader(packed))
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

func (m *metadata) readWebP(r *bufio.Reader) {
	if _, err := r.Discard(12); err != nil {
		return
	}
	for range maxSegments {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return
		}
		kind, n := string(head[:4]), int(binary.LittleEndian.Uint32(head[4:]))
		if n > maxBody {
			return
		}
		if kind == "VP8 " || kind == "VP8L" {
			if frame, err := r.Peek(10); err == nil {
				m.frame(kind, frame)
			}
		}
		data, err := chunk(r, n+n%2, kind == "EXIF" || kind == "ICCP")
		if err != nil {
			return
		}
		switch kind {
		case "EXIF":
			m.orientation = orientation(bytes.TrimPrefix(data, []byte("Exif\x00\x00")))
		case "ICCP":
			m.profile = readProfile(data)
		}
	}
}

// frame reads the size of a WebP's frame; the largest of several counts.
func (m *metadata) frame(kind string, head []byte) {
	w := int(binary.LittleEndian.Uint16(head[6:]) & 0x3fff)
	h := int(binary.LittleEndian.Uint16(head[8:]) & 0x3fff)
	if kind == "VP8L" {
		bits := binary.LittleEndian.Uint32(head[1:])
		w, h = int(bits&0x3fff)+1, int(bits>>14&0x3fff)+1
	}
	m.width, m.height = max(m.width, w), max(m.height, h)
}

// chunk reads or skips n bytes.
func chunk(r *bufio.Reader, n int, keep bool) ([]byte, error) {
	if !keep || n > maxProfile {
		_, err := r.Discard(n)
		return nil, err
	}
	data := make([]byte, n)
	_, err := io.ReadFull(r, data)
	return data, err
}

// orientation finds tag 0x0112 in the first directory of EXIF data (a TIFF header).
func orientation(tiff []byte) int {
	if len(tiff) < 8 {
		return 0
	}
	var order binary.ByteOrder = binary.LittleEndian
	if string(tiff[:2]) == "MM" {
		order = binary.BigEndian
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return 0
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < 12 {
			return 0
		}
		if order.Uint16(entries) == 0x0112 {
			return int(order.Uint16(entries[8:]))
		}
		entries = entries[12:]
	}
	return 0
}
