package views

import (
	"strconv"

	"zedcard/internal/agency"
)

// The ratio (width to height, in percent) of a frame is rounded and limited to the classes in tailwind.config.js. The
// frame crops pictures beyond these limits.
const (
	ratioStep          = 5
	minRatio, maxRatio = 40, 200
	unknownRatio       = 65 // of a picture of unknown size
	snapRatio          = 80
)

// place is a picture's place in the rows of a gallery. All pictures of a row have the same height, so each one's width
// is its share of the sum of their ratios.
type place struct {
	ratio, sum int // in percent
	perRow     int // how many pictures the row has
	landscape  bool
	whole      bool // a full length, which a phone's strip shows from head to foot
}

// class is the class of the picture's frame. On a phone each picture is as high as the strip, and a landscape is shown
// uncropped on ink.
func (p place) class() string {
	class := "ratio-" + strconv.Itoa(p.ratio) + " sum-" + strconv.Itoa(p.sum)
	switch {
	case p.landscape:
		class = "landscape " + class
	case p.whole:
		class = "max-lg:[&_img]:object-contain " + class
	}
	if p.perRow > 1 {
		class += " of-" + strconv.Itoa(p.perRow)
	}
	return class
}

// size is the picture's width from 1024 px.
func (p place) size() string { return strconv.Itoa(64*p.ratio/p.sum) + "vw" }

// masonry puts pictures, in order, into rows as wide as the gallery: two in a row, or a landscape alone if the row
// before it is complete. A last picture without a partner joins the row before it. A single portrait gets half the
// width.
func masonry(pictures []agency.Picture) []place {
	places := make([]place, len(pictures))
	for i, p := range pictures {
		places[i] = place{ratio: ratio(p), landscape: p.Landscape()}
	}
	for start, previous := 0, 0; start < len(places); {
		end := start + 1
		if !places[start].landscape {
			end = min(start+2, len(places))
		}
		if single := end-start == 1 && !places[start].landscape; single && start > 0 {
			start = previous
		}
		sum := 0
		for _, p := range places[start:end] {
			sum += p.ratio
		}
		for i := start; i < end; i++ {
			places[i].sum, places[i].perRow = sum, end-start
		}
		start, previous = end, start
	}
	if len(places) == 1 && !places[0].landscape {
		places[0].sum, places[0].perRow = 2*places[0].ratio, 2
	}
	return places
}

// snapRows puts snaps into rows of equal frames, three in a row; four make one row. A full length before them has a
// narrower frame.
func snapRows(pictures []agency.Picture, fullLength bool) []place {
	row := 3
	if n := len(pictures); n == 2 || n == 4 {
		row = n
	}
	places := make([]place, len(pictures))
	for start := 0; start < len(places); start += row {
		inRow := places[start:min(start+row, len(places))]
		sum := (row - len(inRow)) * snapRatio
		for i := range inRow {
			inRow[i] = place{ratio: snapRatio, perRow: row, landscape: pictures[start+i].Landscape()}
			if fullLength && start+i == 0 {
				inRow[i].ratio, inRow[i].whole = unknownRatio, true
			}
			sum += inRow[i].ratio
		}
		for i := range inRow {
			inRow[i].sum = sum
		}
	}
	return places
}

func ratio(p agency.Picture) int {
	if p.Width <= 0 || p.Height <= 0 {
		return unknownRatio
	}
	steps := (100*p.Width/p.Height + ratioStep/2) / ratioStep
	return min(max(steps*ratioStep, minRatio), maxRatio)
}
