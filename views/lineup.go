package views

import (
	"math"
	"slices"
	"strconv"

	"zedcard/internal/agency"
	"zedcard/internal/routes"
)

// MaxCompared is how many talents are compared at most.
const MaxCompared = 4

// Lineup is one to four adult models side by side. Others who were asked for are left out, and named.
type Lineup struct {
	Shortlist
	Minors, Creatives, Beyond []*agency.Talent // left out; beyond the fourth
	Search                    string           // for one more
	Found                     []*agency.Talent
	site                      *Site
}

// NewLineup sorts out who can be compared.
func NewLineup(site *Site, asked Shortlist) Lineup {
	l := Lineup{Shortlist: asked, site: site}
	l.Talents, l.Minors = split(asked.Talents, asked.Measures.Minor)
	l.Talents, l.Creatives = split(l.Talents, site.isCreative)
	if len(l.Talents) > MaxCompared {
		l.Talents, l.Beyond = l.Talents[:MaxCompared], l.Talents[MaxCompared:]
	}
	return l
}

// split is the talents who are not out, and those who are.
func split(talents []*agency.Talent, out func(*agency.Talent) bool) (in, outside []*agency.Talent) {
	for _, t := range talents {
		if out(t) {
			outside = append(outside, t)
		} else {
			in = append(in, t)
		}
	}
	return in, outside
}

func (s *Site) isCreative(t *agency.Talent) bool { return s.Boards.BoardOf(t) == agency.Creative }

// CompareAddress is the address of the line-up of a shortlist's first four, with those who will be left out there by
// name; empty without two to compare.
func (l Shortlist) CompareAddress(p *Page) string {
	var ids []string
	compared := 0
	for _, t := range l.Talents {
		if !l.Measures.Minor(t) && !p.isCreative(t) {
			compared++
			if compared > MaxCompared {
				continue
			}
		}
		ids = append(ids, t.ID)
	}
	if compared < 2 {
		return ""
	}
	if l.Shared {
		l.List = l.IDs()
	}
	return l.compareAddress(p, ids)
}

// compareAddress is the address of the line-up of these talents.
func (l Shortlist) compareAddress(p *Page, ids []string) string {
	return routes.ComparePath(p.Lang, ids, l.List, l.For)
}

// Fits reports whether a talent may stand in the line-up and does not yet.
func (l Lineup) Fits(t *agency.Talent) bool {
	return !slices.Contains(l.IDs(), t.ID) && !l.Measures.Minor(t) && !l.site.isCreative(t)
}

// With is the address of the line-up with one more talent.
func (l Lineup) With(p *Page, t *agency.Talent) string {
	return l.compareAddress(p, append(l.IDs(), t.ID))
}

// without are the ids of all but one.
func (l Lineup) without(at int) []string {
	ids := l.IDs()
	return append(ids[:at:at], ids[at+1:]...)
}

// scale is the height of a wall in cm: a centimetre is as high for everybody. The floor is at 0; below it is room for
// feet, above the tallest head for hair and for the number.
type scale struct{ low, high float64 }

const (
	underFeet = 9
	overHead  = 24
)

func (l Lineup) scale() scale {
	s := scale{-underFeet, 0}
	for _, t := range l.Talents {
		s.high = max(s.high, heightOf(t)+overHead)
	}
	return s
}

// y is the position of a height on the wall, from its top.
func (s scale) y(cm float64) string {
	return strconv.FormatFloat((s.high-cm)*100/(s.high-s.low), 'f', 2, 64) + "%"
}

// viewBox has a centimetre as its unit, and the floor at 0. It is narrow, so that its height decides how large a
// centimetre is, and centred.
func (s scale) viewBox() string { return "0 " + cmText(-s.high) + " 1 " + cmText(s.high-s.low) }

// marks are the heights with a line: every 10 cm from below the smallest head, and 50 and 100.
func (l Lineup) marks(s scale) []float64 {
	fine := s.high
	for _, t := range l.Talents {
		if cm := heightOf(t); cm > 0 {
			fine = min(fine, math.Floor(cm/10)*10-10)
		}
	}
	var marks []float64
	for cm := 50.; cm < s.high-10; cm += 10 {
		if cm >= fine || cm == 50 || cm == 100 {
			marks = append(marks, cm)
		}
	}
	return marks
}

// heightOf is a talent's height in cm, 0 if unknown.
func heightOf(t *agency.Talent) float64 {
	cm, _ := agency.ParseLength(t.Measures.Height)
	return cm
}

// isToScale reports whether there is a full-length picture of a talent, and what it takes to draw it to scale.
func (l Lineup) isToScale(t *agency.Talent) bool { return heightOf(t) > 0 && t.Digital.ToScale() }

// figure is the full-length picture of a talent on the wall, in cm: its top above the floor and its height.
func (l Lineup) figure(t *agency.Talent) (top, height float64) {
	height = heightOf(t) / (t.Digital.Ground - t.Digital.Crown)
	return height * t.Digital.Ground, height
}

func cmText(cm float64) string { return strconv.FormatFloat(cm, 'f', 2, 64) }

// heightDifference is a talent's difference to the first one with a height, such as "+3 cm".
func (l Lineup) heightDifference(p *Page, t *agency.Talent) string {
	for _, first := range l.Talents {
		own, cm := heightOf(t), heightOf(first)
		switch {
		case cm == 0:
			continue
		case own > cm:
			return "+" + p.Lang.Centimetres(own-cm)
		case own > 0 && own < cm:
			return "−" + p.Lang.Centimetres(cm-own)
		}
		return ""
	}
	return ""
}

// figureWords is the description of a figure.
func (l Lineup) figureWords(p *Page, t *agency.Talent) string {
	words := t.Name + ", "
	if cm := heightOf(t); cm > 0 {
		words += p.Lang.Centimetres(cm)
	} else {
		words += p.T("compare.no-height")
	}
	if apart := l.heightDifference(p, t); apart != "" {
		words += ", " + apart
	}
	return words
}

// maxPictures is how many pictures of each talent are below the table: front, face and side.
const maxPictures = 3

// pictures are a talent's snaps.
func (l Lineup) pictures(t *agency.Talent) []agency.Picture {
	return t.Snap[:min(len(t.Snap), maxPictures)]
}

func (l Lineup) hasPictures() bool {
	return slices.ContainsFunc(l.Talents, func(t *agency.Talent) bool { return len(l.pictures(t)) > 0 })
}
