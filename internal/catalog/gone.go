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
	"zedcard/internal/folder"
)

// Pictures serves the files of pictures. Those of talents who are no longer shown are refused.
type Pictures interface {
	Refuse(files ...string) (addresses []string)
	Allow(files ...string)
}

// gone are the talents who are not shown any more, by id with the files of their pictures: those who have left the
// list, and those whom the operator has hidden, whatever the back end says.
type gone struct {
	refusing     sync.Mutex // held while refused is brought up to date
	mu           sync.RWMutex
	left, hidden map[string][]string
	refused      map[string]bool // the files that are refused for them
}

func (g *gone) isHidden(id string) bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	_, ok := g.hidden[id]
	return ok
}

func (g *gone) refuses(files []string) bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return slices.ContainsFunc(files, func(file string) bool { return g.refused[file] })
}

// copies are copies of both lists.
func (g *gone) copies() (left, hidden map[string][]string) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return maps.Clone(g.left), maps.Clone(g.hidden)
}

// change changes the lists.
func (g *gone) change(change func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change()
}

// refusePictures refuses the files of talents who are gone, except those that others show, and allows what it refused
// before. It returns the addresses that are refused from now on. profile is one that was read a moment ago, or nil.
func (c *Catalog) refusePictures(profile *agency.Talent) (addresses []string) {
	if c.settings.Pictures == nil {
		return nil
	}
	c.gone.refusing.Lock()
	defer c.gone.refusing.Unlock()
	shown := map[string]bool{"": true}
	add := func(t *agency.Talent) {
		for _, file := range t.PictureFiles() {
			shown[file] = true
		}
	}
	roster := c.cachedRoster()
	if roster != nil {
		for _, t := range roster.All() {
			add(t)
		}
	}
	for id, cached := range c.profiles.content() {
		if roster != nil && roster.listed[id] != nil && !c.gone.isHidden(id) {
			add(&cached)
		}
	}
	if profile != nil && !c.gone.isHidden(profile.ID) {
		add(profile)
	}
	refused := map[string]bool{}
	var refuse, allow []string
	c.gone.change(func() {
		lists := slices.AppendSeq(slices.Collect(maps.Values(c.gone.left)), maps.Values(c.gone.hidden))
		files := slices.Concat(lists...)
		if c.settings.Drafts != nil {
			files = append(files, c.settings.Drafts()...)
		}
		for _, file := range files {
			if !shown[file] {
				refused[file] = true
			}
		}
		refuse, allow = without(refused, c.gone.refused), without(c.gone.refused, refused)
		c.gone.refused = refused
	})
	if len(allow) > 0 {
		c.settings.Pictures.Allow(allow...)
	}
	return c.settings.Pictures.Refuse(refuse...)
}

// without are the files of one set that are not in the other.
func without(files, others map[string]bool) (rest []string) {
	for file := range files {
		if !others[file] {
			rest = append(rest, file)
		}
	}
	return rest
}

// noteLeft drops the profiles of talents who are no longer listed, and refuses their pictures until they are back.
func (c *Catalog) noteLeft(previous, current *Roster) {
	left := map[string][]string{}
	if previous != nil {
		for _, t := range previous.All() {
			if current.listed[t.ID] == nil && !c.gone.isHidden(t.ID) {
				left[t.ID] = t.PictureFiles()
				if profile, ok := c.profiles.peek(t.ID); ok {
					left[t.ID] = append(left[t.ID], profile.PictureFiles()...)
				}
				c.profiles.drop(t.ID)
			}
		}
	}
	c.gone.change(func() {
		maps.Copy(c.gone.left, left)
		maps.DeleteFunc(c.gone.left, func(id string, _ []string) bool { return current.listed[id] != nil })
	})
}

// ErrNotStored is wrapped by errors of Hide and Show that take effect, but only until the program ends.
var ErrNotStored = errors.New("not stored")

// Hide removes a talent from the site at once, until Show, with their pictures, except those that others show too. It
// returns the talent as last known, and the addresses of pictures that are gone. It fails with agency.ErrNotFound if
// nobody is known by the id, and with ErrNotStored if a restart would bring the talent back.
func (c *Catalog) Hide(id string) (talent agency.Talent, pictures []string, err error) {
	talent = agency.Talent{ID: id}
	roster := c.cachedRoster()
	profile, visited := c.profiles.peek(id)
	switch {
	case visited:
		talent = profile
	case roster != nil && roster.ByID(id) != nil:
		talent = *roster.ByID(id)
	case roster != nil && !c.wasSeen(id) && !c.gone.isHidden(id):
		return talent, nil, agency.ErrNotFound
	}
	c.gone.change(func() {
		c.gone.hidden[id] = append(talent.PictureFiles(), c.gone.hidden[id]...)
		for _, file := range c.gone.hidden[id] {
			delete(c.gone.refused, file) // so that their addresses are returned also to who asks again
		}
	})
	c.seen.Store(id, true)
	c.profiles.drop(id)
	c.correctRoster()
	return talent, c.refusePictures(nil), c.storeHidden() // at once: a crash must not bring the talent back
}

// Show shows a hidden talent again, if the back end still has them. It fails with agency.ErrNotFound if the id is not
// hidden, and with ErrNotStored if a restart would hide the talent again.
func (c *Catalog) Show(id string) error {
	if !c.gone.isHidden(id) {
		return agency.ErrNotFound
	}
	c.gone.change(func() { delete(c.gone.hidden, id) })
	c.correctRoster()
	c.refusePictures(nil)
	return c.storeHidden()
}

// storeHidden writes the file of hidden talents.
func (c *Catalog) storeHidden() error {
	if c.settings.HiddenFile == "" {
		return nil
	}
	c.saving.Lock()
	defer c.saving.Unlock()
	_, hidden := c.gone.copies()
	err := folder.Replace(c.settings.HiddenFile, func(w io.Writer) error { return json.NewEncoder(w).Encode(hidden) })
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotStored, err)
	}
	return nil
}

// restoreHidden reads the file of hidden talents.
func (c *Catalog) restoreHidden() {
	if c.settings.HiddenFile == "" {
		return
	}
	var hidden map[string][]string
	data, err := os.ReadFile(c.settings.HiddenFile)
	if err == nil {
		err = json.Unmarshal(data, &hidden)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.log.Error("catalog: hidden talents are shown, their file can't be read", "error", err)
	}
	c.gone.change(func() { maps.Copy(c.gone.hidden, hidden) })
}
