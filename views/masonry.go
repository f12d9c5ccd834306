package views

import (
	"strconv"

	"zedcard/internal/agency"
)

// The ratio (width to height, in percent) of a frame goes in steps, within what tailwind.config.js has classes for;
// of a picture beyond, the frame cuts something off.
const (
	ratioStep                = 5
	leastRatio, largestRatio = 40, 200
	unknownRatio             = 65 // of a picture whose size nobody knows
	snapRatio                = 80
)

// place is where a picture stands in the rows of a gallery. All pictures of a row are equally high: the width of each
// is its part of the sum of their ratios.
type place struct {
	ratio, sum int // in percent
	row        int // how many stand in the row
	landscape  bool
}

// class is that of the picture's frame. On a phone each picture is as high as the strip, and a
// landscape stands whole on ink.
func (p place) class() string {
	class := "max-lg:bg-mist"
	if p.landscape {
		class = "max-lg:bg-ink max-lg:[&_img]:bg-transparent max-lg:[&_img]:object-contain"
	}
	class += " ratio-" + strconv.Itoa(p.ratio) + " sum-" + strconv.Itoa(p.sum)
	if p.row > 1 {
		class += " of-" + strconv.Itoa(p.row)
	}
	return class
}

// size is how wide the picture is shown from 1024 px.
func (p place) size() string { return strconv.Itoa(64*p.ratio/p.sum) + "vw" }

// masonry puts pictures into rows that are as wide as the gallery, in their order: two to a row, a landscape alone
// where no portrait waits for a second one. A last one without a second joins the row before it. A single portrait has
// half the width.
func masonry(pictures []agency.Picture) []place {
	places := make([]place, len(pictures))
	for i, p := range pictures {
		places[i] = place{ratio: ratio(p), landscape: p.Landscape()}
	}
	for start, before := 0, 0; start < len(places); {
		end := start + 1
		if !places[start].landscape {
			end = min(start+2, len(places))
		}
		if alone := end-start == 1 && !places[start].landscape; alone && start > 0 {
			start = before
		}
		settle(places[start:end])
		start, before = end, start
	}
	if len(places) == 1 && !places[0].landscape {
		places[0].sum, places[0].row = 2*places[0].ratio, 2
	}
	return places
}

// snapRows puts snaps into rows of equal frames, three to a row; four stand in one.
func snapRows(pictures []agency.Picture) []place {
	row := 3
	if n := len(pictures); n == 2 || n == 4 {
		row = n
	}
	places := make([]place, len(pictures))
	for i, p := range pictures {
		places[i] = place{ratio: snapRatio, sum: row * snapRatio, row: row, landscape: p.Landscape()}
	}
	return places
}

// settle makes places one row.
func settle(row []place) {
	sum := 0
	for _, p := range row {
		sum += p.ratio
	}
	for i := range row {
		row[i].sum, row[i].row = sum, len(row)
	}
}

func ratio(p agency.Picture) int {
	if p.Width <= 0 || p.Height <= 0 {
		return unknownRatio
	}
	steps := (100*p.Width/p.Height + ratioStep/2) / ratioStep
	return min(max(steps*ratioStep, leastRatio), largestRatio)
}
