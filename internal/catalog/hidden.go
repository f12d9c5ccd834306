package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
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

// ErrNotStored is wrapped by errors of Hide and Show that take effect, but only until the program ends.
var ErrNotStored = errors.New("not stored")

// Hide removes a talent from the site at once, until Show. It returns the talent as last known. It fails with
// agency.ErrNotFound if nobody is known by the id, and with ErrNotStored if a restart would bring the talent back.
func (c *Catalog) Hide(id string) (agency.Talent, error) {
	talent := agency.Talent{ID: id}
	roster, loaded := c.cachedRoster()
	profile, visited := c.profiles.peek(id)
	switch {
	case visited:
		talent = profile
	case loaded && roster.ByID(id) != nil:
		talent = *roster.ByID(id)
	case loaded && !c.seen.has(id) && !c.hidden.has(id):
		return talent, agency.ErrNotFound
	}
	c.hidden.put(map[string][]string{id: talent.PictureFiles()})
	c.seen.add(&talent)
	c.profiles.drop(id)
	c.rosters.replace(singleton{}, func(r *Roster) *Roster {
		return newRoster(c.hidden.without(r.list), r.kids, r.minorChanges)
	})
	c.changed()
	return talent, c.storeHidden() // at once: a crash must not bring the talent back
}

// Show shows a hidden talent again, if the back end still has them. It returns the files of their pictures. It fails
// with agency.ErrNotFound if the id is not hidden, and with ErrNotStored if a restart would hide the talent again.
func (c *Catalog) Show(id string) ([]string, error) {
	c.hidden.mu.Lock()
	files, found := c.hidden.byID[id]
	delete(c.hidden.byID, id)
	c.hidden.mu.Unlock()
	if !found {
		return nil, agency.ErrNotFound
	}
	c.rosters.expire(singleton{})
	c.changed()
	return files, c.storeHidden()
}

// storeHidden writes the file of hidden talents.
func (c *Catalog) storeHidden() error {
	if c.hiddenFile == "" {
		return nil
	}
	c.saving.Lock()
	defer c.saving.Unlock()
	err := replaceFile(c.hiddenFile, func(w io.Writer) error { return json.NewEncoder(w).Encode(c.hidden.all()) })
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotStored, err)
	}
	return nil
}

// restoreHidden reads the file of hidden talents.
func (c *Catalog) restoreHidden() {
	if c.hiddenFile == "" {
		return
	}
	var all map[string][]string
	data, err := os.ReadFile(c.hiddenFile)
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.log.Error("catalog: hidden talents are shown, their file can't be read", "error", err)
	}
	c.hidden.put(all)
}

// HiddenPictures are the files of the pictures of all hidden talents.
func (c *Catalog) HiddenPictures() []string {
	return slices.Concat(slices.Collect(maps.Values(c.hidden.all()))...)
}
