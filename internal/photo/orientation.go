package photo

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/draw"
)

// orientation is Exif's: 1 is upright, 2 to 8 say how the camera was held.
type orientation uint16

// apply turns a picture so that it is upright. Pixel (x, y) of the result is taken from where the
// orientation says.
func (o orientation) apply(picture image.Image) image.Image {
	if o < 2 || o > 8 {
		return picture
	}
	source, ok := picture.(*image.RGBA)
	if !ok {
		source = image.NewRGBA(image.Rectangle{Max: picture.Bounds().Size()})
		draw.Draw(source, source.Bounds(), picture, picture.Bounds().Min, draw.Src)
	}
	w, h := source.Rect.Dx(), source.Rect.Dy()
	if o >= 5 { // lies on its side
		w, h = h, w
	}
	upright := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			fromX, fromY := o.from(x, y, w-1, h-1)
			copy(upright.Pix[y*upright.Stride+x*4:][:4], source.Pix[fromY*source.Stride+fromX*4:])
		}
	}
	return upright
}

// from is the place in the stored picture of pixel (x, y) of the upright one, whose last column and
// row are right and bottom.
func (o orientation) from(x, y, right, bottom int) (fromX, fromY int) {
	switch o {
	case 2:
		return right - x, y
	case 3:
		return right - x, bottom - y
	case 4:
		return x, bottom - y
	case 5:
		return y, x
	case 6:
		return y, right - x
	case 7:
		return bottom - y, right - x
	case 8:
		return bottom - y, x
	}
	return x, y
}

// jpegFacts reads the segments before the picture: the orientation in Exif, and whether it is a
// progressive one, whose decoder keeps every coefficient in memory.
func jpegFacts(data []byte) facts {
	found := facts{orientation: 1, bytesPerPixel: 4}
	for rest := data[2:]; len(rest) >= 4 && rest[0] == 0xff; {
		marker := rest[1]
		if marker == 0xff { // filling
			rest = rest[1:]
			continue
		}
		size := int(binary.BigEndian.Uint16(rest[2:]))
		if size < 2 || len(rest) < 2+size || marker == 0xda { // the picture itself
			break
		}
		body := rest[4 : 2+size]
		switch marker {
		case 0xe1:
			if exif, ok := bytes.CutPrefix(body, []byte("Exif\x00\x00")); ok {
				found.orientation = exifOrientation(exif)
			}
		case 0xc2:
			found.bytesPerPixel = 15
		}
		rest = rest[2+size:]
	}
	return found
}

// pngOrientation reads the orientation in the eXIf chunk.
func pngOrientation(data []byte) orientation {
	for rest := data[8:]; len(rest) >= 12; {
		size := int(binary.BigEndian.Uint32(rest))
		if size > len(rest)-12 {
			break
		}
		switch string(rest[4:8]) {
		case "eXIf":
			return exifOrientation(rest[8 : 8+size])
		case "IEND":
			return 1
		}
		rest = rest[12+size:]
	}
	return 1
}

// exifOrientation reads tag 0x0112 of the first directory of a TIFF structure; 1 where there is none.
func exifOrientation(tiff []byte) orientation {
	if len(tiff) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.BigEndian
	if string(tiff[:2]) == "II" {
		order = binary.LittleEndian
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return 1
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < 12 {
			break
		}
		if order.Uint16(entries) == 0x0112 {
			return orientation(order.Uint16(entries[8:]))
		}
		entries = entries[12:]
	}
	return 1
}
