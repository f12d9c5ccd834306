package catalog

import (
	"slices"
	"time"

	"zedcard/internal/agency"
)

// quiet is how long a list that many talents are missing from must stay the same before it is taken.
const quiet = 15 * time.Minute

// heldList is a list that is not taken, by its ids.
type heldList struct {
	ids   []string
	since time.Time
}

// isHeld reports whether a list lacks so many talents of the last one that it is not taken: a back end that is half
// restored must not take the agency off its site. An empty one is never taken.
func (c *Catalog) isHeld(previous *Roster, list []*agency.Talent) bool {
	if previous == nil || c.settings.Held == nil {
		return false
	}
	before, ids := idsOf(previous.list), idsOf(list)
	gone := agency.Vanished(before, ids)
	if gone == 0 {
		c.held = heldList{}
		return false
	}
	if c.held.since.IsZero() {
		c.settings.Held(gone, len(before))
	}
	if c.held.since.IsZero() || !slices.Equal(c.held.ids, ids) {
		c.held = heldList{ids, time.Now()}
	}
	return len(ids) == 0 || time.Since(c.held.since) < quiet
}

func idsOf(list []*agency.Talent) (ids []string) {
	for _, t := range list {
		ids = append(ids, t.ID)
	}
	return ids
}
