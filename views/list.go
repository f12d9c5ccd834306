package views

import (
	"strconv"
	"time"

	"zedcard/internal/agency"
)

// lineOf is what a talent's card has below the name: of a creative always the trade.
func lineOf(p *Page, t *agency.Talent, line cardLine) cardLine {
	if p.isCreative(t) {
		return tradeLine
	}
	return line
}

// stayWords say where a talent is in town and until when; empty where they don't say, or are a minor.
func stayWords(p *Page, s agency.MeasureFormatter, t *agency.Talent) string {
	stay := t.CurrentStay(s.Today)
	day := func(day time.Time) string {
		if day.Year() == s.Today.Year() {
			return p.Lang.DayMonth(day)
		}
		return p.Lang.Date(day)
	}
	switch {
	case stay.City == "":
		return ""
	case stay.Begun(s.Today):
		return p.T("stay.until", "city", stay.City, "until", day(stay.Until))
	}
	return p.T("stay.dates", "city", stay.City, "from", day(stay.From), "until", day(stay.Until))
}

// heightValue is a height in an input, empty for no limit.
func heightValue(cm int) string {
	if cm <= 0 {
		return ""
	}
	return strconv.Itoa(cm)
}

// savedCount is how many of the talents shown are favourites.
func (l List) savedCount(p *Page) int {
	count := 0
	for _, t := range l.Talents {
		if p.saved(t.ID) {
			count++
		}
	}
	return count
}
