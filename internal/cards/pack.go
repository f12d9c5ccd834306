package cards

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
)

// Pack is a shortlist as an agency sends it, in A4 landscape: a cover, all of them on one wall to scale, a card each,
// and whom to call. Texts are shown as given, without letters that the typefaces lack.
type Pack struct {
	Title, Line string // whom it is for; what is in it
	Lang        string // BCP 47
	Cards       []Card // of at most one pack; their own looks and contacts are the agency's
	Wall        []Figure
	Notes       []string // on the wall: who is not there, and why
	Ask         string   // a sentence on the last page
	Contacts    []Contact
	Agency      string
	Look        Look
}

// Figure is somebody on the wall. Without a readable picture that says how large a person is in it, their card's first
// picture hangs there.
type Figure struct {
	Card          int     // whose it is
	Height        float64 // in cm
	Label         string  // the height in words
	Picture       Picture // at full length; empty: there is none
	Crown, Ground float64 // see agency.Digital
}

// Contact is a way to reach the agency. A line that is a telephone number, or an address of mail or of a page, leads
// there.
type Contact struct {
	Label string
	Lines []string
}

const (
	packW, packH = 297.0, 210.0 // A4 landscape
	packDPI      = 240.0
	backX        = packW - trimW + .5 // of a card's back beside its front
	packInner    = packW - 2*margin
)

// packSheet has bleed, of which screens show nothing: the same file is sent, and printed.
var packSheet = sheet{w: packW, h: packH, slug: bleed, quality: 84}

// PDF makes the pack in a worker. The second result has a line for each picture that was left out.
func (p Pack) PDF(ctx context.Context, worker *picture.Worker) (pdf []byte, omitted string, err error) {
	sent := p.Look.files()
	for _, one := range p.pictures() {
		file := one.File
		if file == nil {
			file = bytes.NewReader(nil)
		}
		sent = append(sent, file)
	}
	limits := picture.Limits{Time: time.Minute, Background: true}
	made, err := packTask.Run(ctx, worker, limits, p, sent...)
	if err != nil {
		return nil, "", fmt.Errorf("pack: %w", err)
	}
	return made[0], string(made[1]), nil
}

// pictures are all of the pack, in the order in which a worker is sent them.
func (p Pack) pictures() (all []*Picture) {
	for _, card := range p.Cards {
		for i := range card.Pictures {
			all = append(all, &card.Pictures[i])
		}
	}
	for i := range p.Wall {
		all = append(all, &p.Wall[i].Picture)
	}
	return all
}

var packTask = picture.NewTask("pack", func(p Pack, files [][]byte) ([][]byte, error) {
	p.Look.receive(files)
	for i, one := range p.pictures() {
		one.Data = files[lookFiles+i]
	}
	pdf, omitted, err := withTypefaces(&p.Look, func() ([]byte, []string, error) { return p.make() })
	return [][]byte{pdf, []byte(strings.Join(omitted, "\n"))}, err
})

// make makes the PDF, a page after the other: only one has its pixels in memory.
func (p Pack) make() (pdf []byte, omitted []string, err error) {
	k := p.Look.open()
	p = p.legible()
	d := newDocument(k, packSheet, p.Title, p.Agency)
	d.SetLang(p.Lang)
	d.SetDisplayMode("fullpage", "TwoPageRight") // the two pages of the wall beside each other
	for _, card := range p.Cards {
		if card.Minor {
			d.SetXmpMetadata([]byte(noMining))
		}
	}
	pages := []func() side{func() side { return p.layCover(k) }}
	for _, w := range p.walls() {
		pages = append(pages, w.pages(k, p)...)
	}
	for i, card := range p.Cards {
		pages = append(pages, func() side {
			laid, left := card.spread(k)
			for _, reason := range left {
				omitted = append(omitted, fmt.Sprintf("card %d, %s", i+1, reason))
			}
			return laid
		})
	}
	for _, page := range append(pages, func() side { return p.layLast(k) }) {
		if err := d.add(page()); err != nil {
			return nil, nil, err
		}
	}
	pdf, err = d.bytes()
	return pdf, omitted, err
}

// legible is the pack with every text in letters that the typefaces have.
func (p Pack) legible() Pack {
	for _, text := range []*string{&p.Title, &p.Line, &p.Ask, &p.Agency} {
		*text = legible(*text)
	}
	for i := range p.Notes {
		p.Notes[i] = legible(p.Notes[i])
	}
	for i, c := range p.Contacts {
		p.Contacts[i].Label = legible(c.Label)
		for j := range c.Lines {
			c.Lines[j] = legible(c.Lines[j])
		}
	}
	for i := range p.Wall {
		p.Wall[i].Label = legible(p.Wall[i].Label)
	}
	for i := range p.Cards {
		for _, text := range p.Cards[i].texts() {
			*text = legible(*text)
		}
		p.Cards[i].inPack = true
	}
	return p
}

// spread is a card opened: its back beside its front.
func (c Card) spread(k *look) (laid side, omitted []string) {
	front, back, omitted := c.layOut(k)
	front.join(back, backX)
	if c.Address != "" {
		front.links = append(front.links, link{rect{0, 0, trimW, trimH}, c.Address})
	}
	return front, omitted
}

// join adds another side, so far to the right.
func (s *side) join(o side, x float64) {
	for _, b := range o.boxes {
		b.x += x
		s.boxes = append(s.boxes, b)
	}
	for _, f := range o.frames {
		f.x += x
		s.frames = append(s.frames, f)
	}
	for _, m := range o.marks {
		m.x += x
		s.marks = append(s.marks, m)
	}
	for _, w := range o.words {
		w.x += x
		s.words = append(s.words, w)
	}
}

// addStrip puts everybody's face in one strip at the top, or pictures of the only one.
func (p Pack) addStrip(s *side, bottom float64) {
	const most, ofOne = 8, 3
	var faces []*source
	for _, c := range p.Cards[:min(len(p.Cards), most)] {
		usable, _ := inspect(c.Pictures)
		if len(p.Cards) > 1 {
			usable = usable[:min(len(usable), 1)]
		}
		faces = append(faces, usable[:min(len(usable), ofOne)]...)
	}
	for i, face := range faces {
		w := (packW + 2*bleed) / float64(len(faces))
		f := &frame{rect: rect{-bleed + float64(i)*w, -bleed, w, bottom + bleed}, source: face}
		if _, err := render(packDPI, side{frames: []*frame{f}}); err == nil {
			s.frames = append(s.frames, f)
		}
	}
	if len(s.frames) == 0 {
		s.boxes = append(s.boxes, box{rect{-bleed, -bleed, packW + 2*bleed, bottom + bleed}, mist})
	}
}

// layCover says whom the pack is for.
func (p Pack) layCover(k *look) side {
	var s side
	p.addStrip(&s, coverBottom)
	right := s.addAgency(k, p.Agency)
	s.addLeft(k.style(style{face: display, size: 40, tracking: -.01, tone: ink}).fit(p.Title, packInner-right-12, 0),
		margin, footBaseline-9)
	s.addLeft(k.style(smallStyle).fit(upper(p.Line), packInner-right-12, 0), margin, footBaseline)
	return s
}

// addAgency puts the agency's logo or name at the right of the foot, and returns its width.
func (s *side) addAgency(k *look, name string) (width float64) {
	if k.logo != nil {
		width = min(9*k.ratio(), packInner/3)
		return s.addLogo(k, margin+packInner-width, footBaseline+.8, 9, packInner/3)
	}
	mark := k.style(markStyle)
	mark.size = 15
	l := mark.fit(upper(name), packInner/3, 0)
	s.addRight(l, margin+packInner, footBaseline)
	return l.width
}

// layLast says how to book, below a third of the cover's strip.
func (p Pack) layLast(k *look) side {
	const columns, top, step = 4, 118.0, 6.2
	var s side
	p.addStrip(&s, coverBottom/3)
	for i, l := range k.style(style{face: display, tracking: -.01, tone: ink}).wrap(p.Ask, packInner*.75, 12.6, 5, 2) {
		s.addLeft(l, margin, 79+float64(i)*14.4)
	}
	width := packInner / columns
	y, height := top, 0.0
	for i, c := range p.Contacts {
		if i%columns == 0 {
			y, height = y+height, 0
		}
		x := margin + float64(i%columns)*width
		s.boxes = append(s.boxes, box{rect{x, y - 7, width - 6, .2}, ink})
		s.addLeft(k.style(smallStyle).fit(upper(c.Label), width-6, 5), x, y)
		at := y + 3
		for _, text := range c.Lines {
			for _, l := range k.style(style{face: serif, size: 13, tone: ink}).broken(text, width-6) {
				at += step
				s.addLeft(l, x, at)
				if to := leadsTo(text); to != "" {
					s.links = append(s.links, link{rect{x, at - 4, l.width, 5}, to})
				}
			}
		}
		height = max(height, at-y+3*step)
	}
	s.addAgency(k, p.Agency)
	s.addLeft(k.style(smallStyle).fit(upper(p.Line), packInner/2, 0), margin, footBaseline)
	return s
}

// broken is a text on one line, or on several if it is far too long: then an address is broken at its signs.
func (s style) broken(text string, width float64) (lines []line) {
	const least = 9.0
	if strings.ContainsRune(text, ' ') {
		return s.wrap(text, width, s.size*pointMM, least*pointMM, 3)
	}
	for {
		whole := s.fit(text, width, least)
		s.size = whole.size
		fits := string(whole.letters)
		if fits == text {
			return append(lines, whole)
		}
		fits = strings.TrimSuffix(fits, "…")
		if sign := strings.LastIndexAny(fits, ",/?&"); sign > 0 {
			fits = fits[:sign+1]
		}
		lines, text = append(lines, s.typeset(fits)), text[len(fits):]
	}
}

// leadsTo is the address that a line of a contact is; empty for one that is none.
func leadsTo(text string) string {
	switch digits := strings.Trim(text, "+ ()-./0123456789"); {
	case text == "" || strings.ContainsRune(text, ' ') && digits != "":
		return ""
	case digits == "":
		return agency.CallAddress(text)
	case strings.ContainsRune(text, '@'):
		return "mailto:" + text
	case strings.ContainsRune(text, '/'):
		return "https://" + text
	}
	return ""
}
