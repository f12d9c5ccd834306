package catalog

import "zedcard/internal/agency"

// Similar are up to n talents of the list that a talent is booked from: those after them in the back end's order, then
// those from the beginning. Kids are shown with kids only.
func (r *Roster) Similar(t *agency.Talent, n int) []*agency.Talent {
	board := t.BookingList()
	set := r.match(r.byNameAndHeight(board), board)
	if kids := r.tagged[agency.Kids]; kids != nil && !t.InKids() {
		set.InPlaceDifference(kids)
	}
	at, listed := r.byID[t.ID]
	if listed {
		set.Clear(at)
	}
	return r.from(set, at, min(n, int(set.Count())))
}
