package picture

import (
	"image"
	"math"

	"zedcard/internal/agency"
)

// FocalPoint is a focal point in fractions of width and height; the zero one is the middle of the upper third, where
// faces are.
func FocalPoint(focus agency.Focus) (x, y float64) {
	if focus == (agency.Focus{}) {
		return 0.5, 1.0 / 3
	}
	return float64(focus.X) / 100, float64(focus.Y) / 100
}

// Crop is the largest part of a picture of this size (pixels) that is ratio times as wide as high. The focal point is
// as near to its middle as can be.
func Crop(size image.Point, ratio float64, focus agency.Focus) image.Rectangle {
	x, y := FocalPoint(focus)
	w, h := size.X, size.Y
	if float64(w) > float64(h)*ratio {
		w = max(1, int(math.Round(float64(h)*ratio)))
	} else {
		h = min(max(1, int(math.Round(float64(w)/ratio))), h)
	}
	left := min(max(int(x*float64(size.X))-w/2, 0), size.X-w)
	top := min(max(int(y*float64(size.Y))-h/2, 0), size.Y-h)
	return image.Rect(left, top, left+w, top+h)
}
