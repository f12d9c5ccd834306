package picture

import "image"

// orientation is the EXIF orientation, 1 to 8. Any other value counts as upright.
type orientation int

// size converts a size of the stored picture to that of the upright one, or back.
func (o orientation) size(w, h int) (int, int) {
	if o >= 5 && o <= 8 { // rotated by 90° either way
		return h, w
	}
	return w, h
}

// toUpright is the position in the upright picture of the point x, y of the stored w by h pixels.
func (o orientation) toUpright(x, y, w, h int) (int, int) {
	if o == 2 || o == 3 || o == 7 || o == 8 {
		x = w - 1 - x
	}
	if o == 3 || o == 4 || o == 6 || o == 7 {
		y = h - 1 - y
	}
	return o.size(x, y)
}

// toStored is the stored rectangle of a rectangle of the upright picture of w by h pixels.
func (o orientation) toStored(r image.Rectangle, w, h int) image.Rectangle {
	inverse := o
	switch o { // all others are their own inverse
	case 6:
		inverse = 8
	case 8:
		inverse = 6
	}
	x0, y0 := inverse.toUpright(r.Min.X, r.Min.Y, w, h)
	x1, y1 := inverse.toUpright(r.Max.X-1, r.Max.Y-1, w, h)
	return image.Rect(min(x0, x1), min(y0, y1), max(x0, x1)+1, max(y0, y1)+1)
}

// steps are where the stored pixels go in the bytes of the upright picture: the offset of the first one, and the
// distance to the next one in its row and in its column.
func (o orientation) steps(w, h, stride int) (first, right, down int) {
	offset := func(x, y int) int {
		x, y = o.toUpright(x, y, w, h)
		return y*stride + 4*x
	}
	first = offset(0, 0)
	return first, offset(1, 0) - first, offset(0, 1) - first
}
