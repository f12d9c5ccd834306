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

// place is where a picture stands in the masonry: its classes, and how wide it is shown.
type place struct{ class, size string }

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
		places[i].size = "32vw"
		if p.Landscape() {
			places[i].class = "land "
		}
		rows := spanRows(columnRows, p)
		switch {
		case p.Landscape() && max(left-right, right-left) <= slack:
			rows = spanRows(2*columnRows, p)
			places[i] = place{"land wide-" + strconv.Itoa(rows), "64vw"}
			left = max(left, right) + rows + gapRows
			right = left
		case left <= right:
			places[i].class += "span-" + strconv.Itoa(rows)
			left += rows + gapRows
		default:
			places[i].class += "gallery__item--right span-" + strconv.Itoa(rows)
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
