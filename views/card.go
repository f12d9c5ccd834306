package views

import (
	"zedcard/internal/agency"
	"zedcard/internal/measures"
)

// lineOf is what a talent's card has below the name: of a creative always the trade.
func lineOf(t *agency.Talent, line cardLine) cardLine {
	if t.Board() == agency.Creative {
		return tradeLine
	}
	return line
}

// measuresOnPicture are the rows over the picture of a card that has no measures below the name.
func measuresOnPicture(p *Page, s measures.Formatter, t *agency.Talent, line cardLine) []measures.Row {
	if line != noLine {
		return nil
	}
	return s.Brief(p.Lang, t)
}
