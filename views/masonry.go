package views

import (
	"strconv"

	"zedcard/internal/agency"
)

// The masonry's unit: a column is 32 rows wide, a gap 2 rows high (tailwind.config.js). Columns
// that end within slack rows of each other count as even.
const (
	columnRows = 32
	gapRows    = 2
	slack      = 2
)

// place is where a picture stands in the masonry.
type place struct {
	column    int // 1 or 2, 0 for both
	rows      int
	landscape bool
}

// class is that of the picture's frame. On a phone each picture is as high as the strip, and a
// landscape stands whole on ink.
func (p place) class() string {
	class := "max-lg:bg-mist"
	if p.landscape {
		class = "max-lg:bg-ink max-lg:[&_img]:bg-transparent max-lg:[&_img]:object-contain"
	}
	rows := strconv.Itoa(p.rows)
	switch p.column {
	case 1:
		return class + " lg:col-[1] span-" + rows
	case 2:
		return class + " lg:col-[2] span-" + rows
	}
	return class + " wide-" + rows
}

// size is how wide the picture is shown from 1024 px.
func (p place) size() string {
	if p.column == 0 {
		return "64vw"
	}
	return "32vw"
}

// masonry puts each picture into the column that ends first, so that the eye meets the pictures in
// their order from top to bottom, and no row is left empty. A landscape takes both columns where
// they end even, else it stands in one. A picture of unknown size gets a 2:3 frame.
func masonry(pictures []agency.Picture) []place {
	places := make([]place, len(pictures))
	left, right := 0, 0
	for i, p := range pictures {
		if p.Width <= 0 || p.Height <= 0 {
			p.Width, p.Height = 2, 3
		}
		rows := spanRows(columnRows, p)
		switch {
		case p.Landscape() && max(left-right, right-left) <= slack:
			rows = spanRows(2*columnRows, p)
			places[i] = place{0, rows, true}
			left = max(left, right) + rows + gapRows
			right = left
		case left <= right:
			places[i] = place{1, rows, p.Landscape()}
			left += rows + gapRows
		default:
			places[i] = place{2, rows, p.Landscape()}
			right += rows + gapRows
		}
	}
	return places
}

// spanRows is the height of a picture that is width rows wide, within the classes that
// tailwind.config.js makes.
func spanRows(width int, p agency.Picture) int {
	return min(max((width*p.Height+p.Width/2)/p.Width, 16), 80)
}
