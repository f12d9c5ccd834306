package views

import (
	"fmt"
	"math"

	"zedcard/internal/agency"
)

// From 1024 px a gallery is a grid of six columns and of rows that are a hundredth of its width high (.strip in
// gallery.css). The server knows the sizes of the pictures, so that each spans as many rows as it is high, below
// the picture before it in its columns, and nothing needs a script or moves.
const (
	gapRows     = 2.6
	captionRows = 4.
	// The ratio of width to height that frames don't go beyond, and that of a picture of unknown size.
	minRatio, maxRatio, unknownRatio = .4, 2., .65
	// A picture over two rows is cropped to end with those beside it if they are about as high.
	nearly = 1.25
	// Columns end together if less than this is between their ends.
	level = 12
)

// widths are those of frames, in rows, by their number of columns.
var widths = map[int]float64{2: 31.6, 3: 48.7, 4: 65.8, 6: 100}

// place is a picture's place in the grid of a gallery.
type place struct {
	columns, rows int
	landscape     bool
}

// class is the class of the picture's frame. On a phone each is as high as the strip, and a landscape is shown
// uncropped on ink, other pictures uncropped if contained. Tailwind finds the names here:
// cols-2 cols-3 cols-4 cols-6
// rows-10 rows-20 rows-30 rows-40 rows-50 rows-60 rows-70 rows-80 rows-90 rows-100 rows-110 rows-120 rows-130 rows-140
// rows-150 rows-160 rows-170
// plus-0 plus-1 plus-2 plus-3 plus-4 plus-5 plus-6 plus-7 plus-8 plus-9
func (p place) class(contained bool) string {
	class := fmt.Sprintf("cols-%d rows-%d plus-%d", p.columns, p.rows/10*10, p.rows%10)
	switch {
	case p.landscape:
		class += " landscape"
	case contained:
		class += " max-lg:[&_img]:object-contain"
	}
	return class
}

// size is the picture's width from 1024 px.
func (p place) size() string { return fmt.Sprintf("%.0fvw", .63*widths[p.columns]) }

// masonry gives pictures, in order, their places: in two columns, where a landscape spans both if they end at the same
// height. Of an odd number of portraits the first is as high as the next two, which are beside it; a single one is as
// wide.
func masonry(pictures []agency.Picture, captions bool) []place {
	places := make([]place, len(pictures))
	portraits := 0
	for i, picture := range pictures {
		if places[i].landscape = picture.Landscape(); !places[i].landscape {
			portraits++
		}
	}
	trio := portraits%2 == 1 && len(places) > 2 &&
		!places[0].landscape && !places[1].landscape && !places[2].landscape
	for i := range places {
		p := &places[i]
		switch {
		case trio && i == 0, len(places) == 1 && !p.landscape:
			p.columns = 4
		case trio && i < 3:
			p.columns = 2
		default:
			p.columns = 3
		}
		p.rows = rows(pictures[i], p.columns, captions)
	}
	left, right := 0, 0
	next := 0
	if trio {
		endTogether(&places[0], &places[1], &places[2])
		next = 3
	}
	for ; next < len(places); next++ {
		p := &places[next]
		switch {
		case p.landscape && max(left, right)-min(left, right) < level:
			p.columns = 6
			p.rows = rows(pictures[next], 6, captions)
			left, right = 0, 0
		case left <= right:
			left += p.rows
		default:
			right += p.rows
		}
	}
	return places
}

// rows is how many rows a frame spans, with the space below it.
func rows(p agency.Picture, columns int, caption bool) int {
	height := widths[columns]/ratio(p) + gapRows
	if caption {
		height += captionRows
	}
	return int(math.Round(height))
}

// endTogether makes a frame as high as the two beside it, if they nearly are.
func endTogether(high, upper, lower *place) {
	beside := upper.rows + lower.rows
	if max(high.rows, beside) > int(nearly*float64(min(high.rows, beside))) {
		return
	}
	high.rows = (high.rows + beside) / 2
	upper.rows = high.rows * upper.rows / beside
	lower.rows = high.rows - upper.rows
}

func ratio(p agency.Picture) float64 {
	if p.Width <= 0 || p.Height <= 0 {
		return unknownRatio
	}
	return min(max(float64(p.Width)/float64(p.Height), minRatio), maxRatio)
}
