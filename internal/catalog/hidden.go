package catalog

import (
	"maps"
	"slices"
	"sync"

	"zedcard/internal/agency"
)

// hidden are the talents whom the operator has hidden, by id with the files of their pictures, whatever the back end
// says.
type hidden struct {
	mu   sync.RWMutex
	byID map[string][]string
}

func (h *hidden) has(id string) bool {
	h.mu.RLock()
	defer h.mu.RUnlock()
	_, ok := h.byID[id]
	return ok
}

// without is a list without hidden talents.
func (h *hidden) without(list []*agency.Talent) []*agency.Talent {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if len(h.byID) == 0 {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(t *agency.Talent) bool {
		_, ok := h.byID[t.ID]
		return ok
	})
}

func (h *hidden) put(all map[string][]string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	maps.Copy(h.byID, all)
}

func (h *hidden) all() map[string][]string {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return maps.Clone(h.byID)
}

// Hide removes a talent from the site at once, until Show. It returns the talent as last known; of an unknown one, only
// the id. It is stored in the snapshot.
func (c *Catalog) Hide(id string) agency.Talent {
	talent := agency.Talent{ID: id}
	if roster, ok := c.cachedRoster(); ok {
		if listed := roster.ByID(id); listed != nil {
			talent = *listed
		}
	}
	if profile, ok := c.profiles.peek(id); ok {
		talent = profile
	}
	c.hidden.put(map[string][]string{id: talent.PictureFiles()})
	c.seen.add(&talent)
	c.profiles.drop(id)
	c.rosters.replace(singleton{}, func(r *Roster) *Roster {
		return newRoster(c.hidden.without(r.list), r.kids, r.minorChanges, r)
	})
	c.changed()
	c.save() // at once: a crash must not bring the talent back
	return talent
}

// Show shows a hidden talent again, if the back end still has them. It returns the files of their pictures.
func (c *Catalog) Show(id string) []string {
	c.hidden.mu.Lock()
	files := c.hidden.byID[id]
	delete(c.hidden.byID, id)
	c.hidden.mu.Unlock()
	c.rosters.expire(singleton{})
	c.changed()
	c.save()
	return files
}

// HiddenPictures are the files of the pictures of all hidden talents.
func (c *Catalog) HiddenPictures() []string {
	return slices.Concat(slices.Collect(maps.Values(c.hidden.all()))...)
}
