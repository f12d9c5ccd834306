package catalog

import "zedcard/internal/agency"

// isHeld reports whether a list is empty, or a third shorter than the last one, which stays until one is right: a back
// end that is half restored must not take the agency off its site.
func (c *Catalog) isHeld(previous *Roster, list []*agency.Talent) bool {
	if previous == nil || c.settings.Held == nil {
		return false
	}
	of, left := len(previous.list), len(list)
	isHeld := agency.AreLost(of-left, of, left)
	if isHeld && !c.held {
		c.settings.Held(of-left, of)
	}
	c.held = isHeld
	return isHeld
}
