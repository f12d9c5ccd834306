package photo

import (
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
