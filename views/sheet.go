package views

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
