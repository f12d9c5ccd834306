package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
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

// Hide removes a talent from the site at once, until Show, with their pictures, except those that others show too. It
// returns the talent as last known, and the addresses of pictures that are gone. It fails with agency.ErrNotFound if
// nobody is known by the id, and with ErrNotStored if a restart would bring the talent back.
func (c *Catalog) Hide(id string) (talent agency.Talent, pictures []string, err error) {
	talent = agency.Talent{ID: id}
	roster, loaded := c.cachedRoster()
	profile, visited := c.profiles.peek(id)
	switch {
	case visited:
		talent = profile
	case loaded && roster.ByID(id) != nil:
		talent = *roster.ByID(id)
	case loaded && !c.seen.has(id) && !c.hidden.has(id):
		return talent, nil, agency.ErrNotFound
	}
	files := append(talent.PictureFiles(), c.hidden.all()[id]...)
	c.hidden.put(map[string][]string{id: files})
	c.seen.add(&talent)
	c.profiles.drop(id)
	c.correctRoster()
	roster, _ = c.cachedRoster()
	return talent, c.withdraw(files, roster), c.storeHidden() // at once: a crash must not bring the talent back
}

// Show shows a hidden talent again, if the back end still has them. It fails with agency.ErrNotFound if the id is not
// hidden, and with ErrNotStored if a restart would hide the talent again.
func (c *Catalog) Show(id string) error {
	c.hidden.mu.Lock()
	files, found := c.hidden.byID[id]
	delete(c.hidden.byID, id)
	c.hidden.mu.Unlock()
	if !found {
		return agency.ErrNotFound
	}
	c.correctRoster()
	c.rosters.expire(singleton{})
	c.restorePictures(files...)
	return c.storeHidden()
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
