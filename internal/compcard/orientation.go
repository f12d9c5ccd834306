package compcard

import (
	"bytes"
	"encoding/binary"
	"image"
)

// orientation is the Exif value 1 to 8: how a camera was held. 5 to 8 lie on their side.
type orientation int

func (o orientation) lying() bool { return o >= 5 }

// size turns a size between the file's and the upright picture's.
func (o orientation) size(w, h int) (int, int) {
	if o.lying() {
		return h, w
	}
	return w, h
}

// at is where the file has the point x, y of the upright picture of w × h.
func (o orientation) at(x, y, w, h int) (int, int) {
	switch o {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return y, w - 1 - x
	case 7:
		return h - 1 - y, w - 1 - x
	case 8:
		return h - 1 - y, x
	}
	return x, y
}

// source is the part r of the upright picture of w × h as the file has it.
func (o orientation) source(r image.Rectangle, w, h int) image.Rectangle {
	x0, y0 := o.at(r.Min.X, r.Min.Y, w, h)
	x1, y1 := o.at(r.Max.X-1, r.Max.Y-1, w, h)
	return image.Rect(min(x0, x1), min(y0, y1), max(x0, x1)+1, max(y0, y1)+1)
}

// upright turns a picture as it is to be seen.
func (o orientation) upright(src *image.RGBA) *image.RGBA {
	if o <= 1 {
		return src
	}
	w, h := o.size(src.Bounds().Dx(), src.Bounds().Dy())
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			sx, sy := o.at(x, y, w, h)
			copy(dst.Pix[dst.PixOffset(x, y):][:4], src.Pix[src.PixOffset(sx, sy):])
		}
	}
	return dst
}

// orientationOf reads the Exif orientation of a JPEG; 1 where there is none.
func orientationOf(jpeg []byte) orientation {
	if !bytes.HasPrefix(jpeg, []byte{0xff, 0xd8}) {
		return 1
	}
	for rest := jpeg[2:]; len(rest) >= 4 && rest[0] == 0xff; {
		length := int(binary.BigEndian.Uint16(rest[2:]))
		if length < 2 || len(rest) < 2+length || rest[1] == 0xda { // the picture itself begins
			return 1
		}
		if tiff, found := bytes.CutPrefix(rest[4:2+length], []byte("Exif\x00\x00")); rest[1] == 0xe1 && found {
			return orientationInTIFF(tiff)
		}
		rest = rest[2+length:]
	}
	return 1
}

func orientationInTIFF(tiff []byte) orientation {
	const tag, headerLength, entryLength = 0x0112, 8, 12
	var order binary.ByteOrder = binary.LittleEndian
	if len(tiff) < headerLength {
		return 1
	}
	if bytes.HasPrefix(tiff, []byte("MM")) {
		order = binary.BigEndian
	}
	start := uint64(order.Uint32(tiff[4:]))
	if start+2 > uint64(len(tiff)) {
		return 1
	}
	entries := tiff[start+2:]
	for range order.Uint16(tiff[start:]) {
		if len(entries) < entryLength {
			return 1
		}
		if order.Uint16(entries) == tag {
			if o := orientation(order.Uint16(entries[8:])); o >= 1 && o <= 8 {
				return o
			}
			return 1
		}
		entries = entries[entryLength:]
	}
	return 1
}
