package views

import (
	"zedcard/internal/agency"
	"zedcard/views/ui"
)

// overlapOf is how far a line of the scale extends into the gap between two columns, in pixels.
func overlapOf(extended bool) int {
	if extended {
		return 24
	}
	return 0
}

// figureSource is the picture of a talent's figure, with the view box that crops it above the head.
func figureSource(t *agency.Talent) (picture agency.Picture, shape ui.Shape, viewBox string) {
	if len(t.Snap) > 0 {
		return t.Snap[0], ui.Whole, "0 16 80 84"
	}
	return t.Cover, ui.Card, "0 0 75 100"
}
