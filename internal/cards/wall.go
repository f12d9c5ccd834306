package cards

import (
	"bytes"
	"image"
	"math"
	"strconv"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
)

const (
	wallDPI  = 160.0
	ground   = 166.0 // where the floor is, in mm from the top of the page
	topOf    = 12.0  // the least above the tallest head
	overHead = 17.0  // cm, for hair
	largest  = .8    // mm for a centimetre
	fullWall = 9     // people on two pages
	onePage  = 4     // people who stand on one page
	beside   = 16.0  // mm at the ends of the wall, for the numbers of the lines
	apart    = 4.0   // mm between a picture and the end of its place
	fading   = 6.0   // mm in which a picture's edge becomes the wall
	ruled    = .2    // how much of a rule over pictures is seen
)

// wall is a part of the people, in front of one wall over one or two pages, at equal distances. Of five, the second
// page has two: nobody stands in the fold.
type wall struct {
	figures []Figure
	scale   float64 // mm for a centimetre, the same on every wall
	lowest  float64 // cm, of the smallest on any wall
	pitch   float64 // mm from one to the next
	sheets  int
}

// walls divides the people among walls, as evenly as can be.
func (p Pack) walls() (walls []wall) {
	n := len(p.Wall)
	if n == 0 {
		return nil
	}
	tallest, lowest := 0.0, math.Inf(1)
	for _, f := range p.Wall {
		tallest, lowest = max(tallest, f.Height), min(lowest, f.Height)
	}
	parts := (n + fullWall - 1) / fullWall
	for i := range parts {
		w := wall{figures: p.Wall[i*n/parts : (i+1)*n/parts], sheets: 2}
		w.scale, w.lowest = min(largest, (ground-topOf)/(tallest+overHead)), lowest
		if len(w.figures) <= onePage && parts == 1 {
			w.sheets = 1
		}
		places := (len(w.figures) + w.sheets - 1) / w.sheets // on each page
		w.pitch = (packW - 2*beside/float64(w.sheets)) / float64(places)
		walls = append(walls, w)
	}
	return walls
}

// pages lays out the pages.
func (w wall) pages(k *look, p Pack) (pages []func() side) {
	for i := range w.sheets {
		pages = append(pages, func() side { return w.page(k, p, float64(i)*packW) })
	}
	return pages
}

// page is what is seen of the wall from x on, in mm.
func (w wall) page(k *look, p Pack, from float64) side {
	area := rect{-bleed, -bleed, packW + 2*bleed, coverBottom + bleed}
	s := side{boxes: []box{{area, mist}}}
	pitch := w.pitch
	var people []*standing
	for i, figure := range w.figures {
		people = append(people, stand(figure, beside+pitch*(float64(i)+.5)-from, pitch, w.scale))
	}
	if painted := paint(people, area); painted != nil {
		s.frames = append(s.frames, &frame{rect: area, image: painted})
	}
	w.addScale(&s, k, from == 0)
	size := 22.0 // the longest first name decides
	for _, f := range w.figures {
		first, _, _ := strings.Cut(upper(p.Cards[f.Card].Name), " ")
		size = max(11, k.style(style{face: display, size: size, tracking: .01}).fit(first, pitch-8, 0).size)
	}
	for i, one := range people {
		if one.middle < 0 || one.middle > packW {
			continue
		}
		figure, card := w.figures[i], p.Cards[w.figures[i].Card]
		top := ground - figure.Height*w.scale
		reach := 13.0
		if one.image == nil {
			reach = w.hang(&s, card, one.middle, top, pitch) + 1.5
		}
		label := k.style(style{face: sans, size: 6.6, tracking: .03, tone: ink}).typeset(figure.Label)
		x := one.middle + min(pitch/2-label.width-1, reach)
		s.addLeft(label, x, top-1.2)
		s.rules = append(s.rules, rule{box{rect{x, top - .1, label.width, .2}, ink}, 1})
		s.addName(k, card.Name, "", one.middle-min(pitch/2-4, 19), pitch-8, size)
	}
	if from == 0 {
		note := k.style(style{face: sans, size: 7.6, tone: softInk})
		for i, l := range note.wrap(strings.Join(p.Notes, " "), packInner, 2.7, 1.6, 2) {
			s.addLeft(l, margin, coverBottom+4+float64(i)*3.6)
		}
	}
	return s
}

// addScale draws the floor, and the lines of the heights over everything, with their numbers on the first page.
func (w wall) addScale(s *side, k *look, numbered bool) {
	line := func(cm, thick float64) {
		y := ground - cm*w.scale
		s.rules = append(s.rules, rule{box{rect{-bleed, y - thick/2, packW + 2*bleed, thick}, ink}, ruled})
		if numbered && cm > 0 {
			number := k.style(style{face: sans, size: 5.6, tracking: .04, tone: ink})
			s.addLeft(number.typeset(strconv.Itoa(int(cm))), margin, y-.9)
		}
	}
	line(0, .3)
	fine := math.Floor(w.lowest/10)*10 - 10
	for cm := 50.0; ground-cm*w.scale > topOf; cm += 10 {
		if cm >= fine || cm == 50 || cm == 100 {
			line(cm, .12)
		}
	}
}

// hang puts a rod as high as somebody whose picture can't stand there, and the card's first picture on it. It returns
// how far that reaches to a side.
func (w wall) hang(s *side, card Card, middle, top, pitch float64) (reach float64) {
	if usable, _ := inspect(card.Pictures); len(usable) > 0 {
		width := min(36, pitch*.6)
		f := &frame{rect: rect{middle - width/2, top, width, width * 4 / 3}, source: usable[0]}
		if _, err := render(packDPI, side{frames: []*frame{f}}); err == nil {
			s.frames = append(s.frames, f)
			top, reach = top+f.h, width/2
		}
	}
	s.rules = append(s.rules, rule{box{rect{middle - .1, top, .2, ground - top}, ink}, 1})
	return reach
}

// standing is somebody on a page's wall. Lengths are in mm, pixels those of the painted wall.
type standing struct {
	middle      float64
	left, right float64 // as much of the picture as is seen
	at          image.Point
	image       *image.RGBA // nil: there is none to scale
	edges       [2][]colour // the wall on the left and on the right, for every line of pixels
}

type colour [3]float32

const perMM = wallDPI / 25.4

func pixel(mm float64) int { return int(math.Round((mm + bleed) * perMM)) }

func stand(f Figure, middle, pitch, scale float64) *standing {
	one := &standing{middle: middle}
	digital := agency.Digital{File: "its", Crown: f.Crown, Ground: f.Ground}
	original, err := picture.Probe(bytes.NewReader(f.Picture.Data))
	if err != nil || !digital.ToScale() || middle < -pitch || middle > packW+pitch {
		return one
	}
	high := f.Height * scale / (f.Ground - f.Crown)
	wide := high * float64(original.Width) / float64(original.Height)
	w, h := int(math.Round(wide*perMM)), int(math.Round(high*perMM))
	if h < 1 || w < 1 || h > 4*pixel(packH) || w > 4*pixel(packW) {
		return one
	}
	if one.image, err = original.Decode(original.Bounds(), w, h); err != nil {
		one.image = nil
		return one
	}
	half := min(wide/2, pitch/2-apart)
	one.left, one.right = middle-half, middle+half
	one.at = image.Pt(pixel(middle-wide/2), pixel(ground-high*f.Ground))
	one.edges = [2][]colour{one.edge(one.left), one.edge(one.right - 2)}
	return one
}

// edge is the wall of a picture in a strip of 2 mm, for each line of the page; beyond the picture it is as at its end.
func (one *standing) edge(x float64) []colour {
	from, to := pixel(x)-one.at.X, pixel(x+2)-one.at.X
	bounds := one.image.Bounds()
	from, to = max(from, 0), min(to, bounds.Dx())
	strip := make([]colour, bounds.Dy())
	for y := range strip {
		for x := from; x < to; x++ {
			p := one.image.Pix[one.image.PixOffset(x, y):]
			for c := range 3 {
				strip[y][c] += float32(p[c]) / float32(to-from)
			}
		}
	}
	const blur = 18 // lines, on either side: no grain becomes a stripe
	lines := make([]colour, pixel(coverBottom))
	for y := range lines {
		sum, n := colour{}, float32(0)
		for near := y - one.at.Y - blur; near <= y-one.at.Y+blur; near++ {
			v := strip[min(max(near, 0), len(strip)-1)]
			for c := range 3 {
				sum[c] += v[c]
			}
			n++
		}
		for c := range 3 {
			lines[y][c] = sum[c] / n
		}
	}
	return lines
}

// paint makes one wall of all pictures: between them it passes from the edge of one to that of the next, and each
// picture fades into it. Without any there is none.
func paint(people []*standing, area rect) *image.RGBA {
	type edge struct {
		*standing
		x     float64
		lines []colour
	}
	var edges []edge
	for _, one := range people {
		if one.image != nil {
			edges = append(edges, edge{one, one.left, one.edges[0]}, edge{one, one.right, one.edges[1]})
		}
	}
	if len(edges) == 0 {
		return nil
	}
	out := image.NewRGBA(image.Rect(0, 0, pixel(area.x+area.w), pixel(area.y+area.h)))
	grain := uint32(1) // without it, the wall would be in bands
	for y := range out.Rect.Dy() {
		next := 0
		for x := range out.Rect.Dx() {
			mm := float64(x)/perMM - bleed
			for next < len(edges) && mm >= edges[next].x {
				next++
			}
			before, after := edges[max(next-1, 0)], edges[min(next, len(edges)-1)]
			c := before.lines[y]
			if before.x < mm && mm < after.x {
				c = mix(c, after.lines[y], float32((mm-before.x)/(after.x-before.x)))
			}
			grain = grain*1664525 + 1013904223
			for i := range c {
				c[i] += (float32(grain>>24)/255 - .5) * 3
			}
			if next%2 == 1 {
				c = before.over(c, x, y, mm)
			}
			p := out.Pix[out.PixOffset(x, y):][:4]
			for i := range c {
				p[i] = uint8(min(max(c[i]+.5, 0), 255))
			}
			p[3] = 0xff
		}
	}
	return out
}

// over is a pixel of the picture over the wall, into which the picture fades at its sides and its top.
func (one *standing) over(wall colour, x, y int, mm float64) colour {
	at := image.Pt(x, y).Sub(one.at)
	if !at.In(one.image.Rect) {
		return wall
	}
	p := one.image.Pix[one.image.PixOffset(at.X, at.Y):]
	seen := min(1, (mm-one.left)/fading, (one.right-mm)/fading, float64(at.Y)/perMM/fading)
	return mix(wall, colour{float32(p[0]), float32(p[1]), float32(p[2])}, float32(seen*seen*(3-2*seen)))
}

func mix(a, b colour, share float32) colour {
	for i := range a {
		a[i] += (b[i] - a[i]) * share
	}
	return a
}
