package cards

import "strings"

// The sheet, in mm. All positions are relative to the top left corner of the trimmed card.
const (
	trimW, trimH = 148.0, 210.0 // A5
	bleed        = 3.0
	margin       = 9.0
	inner        = trimW - 2*margin
	gap          = 2.0 // between pictures

	coverBottom  = 176.0
	footBaseline = 202.0 // the lowest baseline of both sides
)

// tone is a colour of the card.
type tone int

const (
	ink tone = iota
	softInk
	mist
)

// side is one side of the card, ready to be drawn: boxes below frames below marks and words. A PDF also has rules over
// its frames, and links.
type side struct {
	boxes  []box
	frames []*frame
	rules  []rule
	marks  []mark
	words  []word
	links  []link
}

type rect struct{ x, y, w, h float64 }

type box struct {
	rect
	tone tone
}

// rule is a box over frames, which show through.
type rule struct {
	box
	seen float64 // from 0 to 1
}

// link makes a place of a PDF lead to an address.
type link struct {
	rect
	address string
}

// word is a line whose baseline begins at x, y.
type word struct {
	line
	x, y float64
}

func (s *side) addLeft(l line, x, y float64) {
	if len(l.letters) > 0 {
		s.words = append(s.words, word{l, x, y})
	}
}

func (s *side) addRight(l line, x, y float64) { s.addLeft(l, x-l.width, y) }

var (
	smallStyle   = style{face: medium, size: 7.6, tracking: .24, tone: ink}
	boardStyle   = style{face: sans, size: 6, tracking: .2, tone: softInk}
	labelStyle   = style{face: sans, size: 5.6, tracking: .09, tone: softInk}
	valueStyle   = style{face: serif, size: 9.2, tone: ink}
	contactStyle = style{face: sans, size: 6.6, tracking: .03, tone: ink}
	markStyle    = style{face: display, size: 11.5, tracking: .13, tone: ink}
)

// layFront puts the cover up to the edges, or the agency's name on mist, and the name below it: the first word large,
// below it the others and the board, small.
func layFront(k *look, card Card, cover *source) side {
	var s side
	area := rect{-bleed, -bleed, trimW + 2*bleed, coverBottom + bleed}
	if cover != nil {
		s.frames = append(s.frames, &frame{rect: area, source: cover})
	} else {
		s.boxes = append(s.boxes, box{area, mist})
		agency := k.style(style{face: display, size: 17, tracking: .16, tone: softInk})
		l := agency.fit(upper(card.Agency), inner*2/3, 0)
		s.addLeft(l, (trimW-l.width)/2, coverBottom/2)
	}

	s.addName(k, card.Name, card.Board, margin, inner, nameSize)
	return s
}

const nameSize = 54.0 // points: the first word of the name on a front

// addName puts the first word of a name large at the foot, and below it the others, and what is beside them, small.
func (s *side) addName(k *look, name, beside string, x, width, size float64) {
	first, others, _ := strings.Cut(upper(name), " ")
	nameStyle := k.style(style{face: display, size: size, tracking: .01, tone: ink})
	const room = footBaseline - 9 - coverBottom - 1 // below the picture, where an accent on it would be lost
	if high := nameStyle.ascent(first); high > room {
		nameStyle.size *= room / high
	}
	right := k.style(boardStyle).fit(upper(beside), 56, 4.5)
	s.addLeft(nameStyle.fit(first, width, 0), x, footBaseline-9)
	s.addRight(right, x+width, footBaseline)
	s.addLeft(k.style(smallStyle).fit(others, width-right.width-6, 0), x, footBaseline)
}

// layBack puts the measures and the contact at the bottom and the pictures into the remaining area. In a pack the name
// stands beside it, on the front.
func layBack(k *look, card Card, book []*source) side {
	var s side
	s.addContact(k, card)
	const (
		rowStep      = 9.0
		labelOffset  = 3.9
		minValueSize = 7.0 // points
	)
	lastBaseline := 192.0 // of the last row of measures
	if card.Measured != "" {
		lastBaseline -= 3.4
	}
	columns := 4
	if n := len(card.Rows); n == 5 || n == 6 || n == 9 {
		columns = 3 // fills its lines, where four would not
	}
	lines := (len(card.Rows) + columns - 1) / columns
	rule := lastBaseline
	if lines > 0 {
		rule = lastBaseline - rowStep*float64(lines-1) - labelOffset - 5.2
	}

	board := k.style(boardStyle).fit(upper(card.Board), 50, 4.5)
	names := backNames(k, card.Name, inner-board.width-6)
	const nameStep = 6.6
	namesHeight := nameStep*float64(len(names)-1) + 9.4
	if card.inPack {
		board, names, namesHeight = line{}, nil, 0
	}

	area := rect{margin, margin, inner, rule - 3 - namesHeight - margin}
	bottom := area.y
	for i, r := range arrangement(book, area) {
		s.frames = append(s.frames, &frame{rect: r, source: book[i]})
		bottom = max(bottom, r.y+r.h)
	}
	// If the pictures don't fill their area, the name and the measures move up.
	shift := area.y + area.h - bottom

	for i, l := range names {
		s.addLeft(l, margin, rule-shift-3-nameStep*float64(len(names)-1-i))
	}
	s.addRight(board, margin+inner, rule-shift-3)
	s.boxes = append(s.boxes, box{rect{margin, rule - shift, inner, .2}, ink})
	width := inner / float64(columns)
	labels, values := k.style(labelStyle), k.style(valueStyle)
	for _, row := range card.Rows { // one size for all: the longest decides
		values.size = min(values.size, k.style(valueStyle).fit(row.value(), width-3, minValueSize).size)
	}
	for i, row := range card.Rows {
		x := margin + width*float64(i%columns)
		y := lastBaseline - shift - rowStep*float64(lines-1-i/columns)
		s.addLeft(labels.fit(upper(row.Label), width-3, 4), x, y-labelOffset)
		s.addLeft(values.fit(row.value(), width-3, minValueSize), x, y)
	}
	s.addLeft(labels.fit(card.Measured, inner/2, 4), margin, lastBaseline-shift+3.9)
	return s
}

// backNames is a name on a line, or on two, of which the last is no wider than given.
func backNames(k *look, name string, width float64) []line {
	const size = 19.0
	s := k.style(style{face: serif, size: size, tone: ink})
	if whole := s.fit(name, width, 0); whole.size >= .75*size {
		return []line{whole}
	}
	a, b := splitInHalf(name)
	s.size = .8 * size
	return []line{s.fit(a, inner, 0), s.fit(b, width, 0)}
}

// value is the measure in both units.
func (r Row) value() string {
	if r.Metric == "" || r.Imperial == "" {
		return r.Metric + r.Imperial
	}
	return r.Metric + " / " + r.Imperial
}

// arrangement divides the area among up to four pictures.
func arrangement(book []*source, a rect) []rect {
	halfW, halfH := (a.w-gap)/2, (a.h-gap)/2
	switch len(book) {
	case 0:
		return nil
	case 1:
		return []rect{a}
	case 2:
		if book[0].landscape() && book[1].landscape() {
			return []rect{{a.x, a.y, a.w, halfH}, {a.x, a.y + halfH + gap, a.w, halfH}}
		}
		h := min(a.h, halfW*2) // at most 1 to 2: a narrower crop would show too little
		return []rect{{a.x, a.y, halfW, h}, {a.x + halfW + gap, a.y, halfW, h}}
	case 3:
		w := (a.w*2 - gap) / 3
		x := a.x + w + gap
		return []rect{{a.x, a.y, w, a.h}, {x, a.y, a.w - w - gap, halfH}, {x, a.y + halfH + gap, a.w - w - gap, halfH}}
	default:
		return []rect{
			{a.x, a.y, halfW, halfH}, {a.x + halfW + gap, a.y, halfW, halfH},
			{a.x, a.y + halfH + gap, halfW, halfH}, {a.x + halfW + gap, a.y + halfH + gap, halfW, halfH},
		}
	}
}

// addContact puts the agency's logo or name on the left of the foot and how to reach it on the right, in as
// many lines as it needs.
func (s *side) addContact(k *look, card Card) {
	width := s.addLogo(k, margin, footBaseline+.8, 6, inner*.45)
	if width == 0 {
		agency := k.style(markStyle).fit(upper(card.Agency), inner*.45, 0)
		s.addLeft(agency, margin, footBaseline)
		width = agency.width
	}
	contact, maxWidth := k.style(contactStyle), inner-width-6
	var lines []string
	for _, part := range []string{card.Phone, card.Email, card.Website} {
		last := len(lines) - 1
		switch {
		case part == "":
		case last >= 0 && contact.typeset(lines[last]+separator+part).width <= maxWidth:
			lines[last] += separator + part
		default:
			lines = append(lines, part)
		}
	}
	for i, text := range lines {
		s.addRight(contact.fit(text, maxWidth, 0), margin+inner, footBaseline-3.2*float64(len(lines)-1-i))
	}
}

const separator = "   ·   "
