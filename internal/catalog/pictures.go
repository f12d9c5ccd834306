package catalog

import (
	"maps"
	"slices"
	"sync"

	"zedcard/internal/agency"
)

// Pictures serves the files of pictures. Those of talents who are no longer shown are refused.
type Pictures interface {
	Refuse(files ...string) (addresses []string)
	Allow(files ...string)
}

// noPictures is what the catalogue of a program without pictures refuses and allows.
type noPictures struct{}

func (noPictures) Refuse(...string) []string { return nil }
func (noPictures) Allow(...string)           {}

// withdrawn are the talents who have left the list, by id with the files of their pictures, and all files that are
// refused for them and for hidden talents.
type withdrawn struct {
	mu      sync.Mutex
	left    map[string][]string
	refused map[string]bool
}

// withdraw refuses the files of talents, except those that a talent of the roster shows too. It returns the addresses
// that are gone.
func (c *Catalog) withdraw(files []string, roster *Roster) (addresses []string) {
	shown := map[string]bool{"": true}
	add := func(t *agency.Talent) {
		for _, file := range t.PictureFiles() {
			shown[file] = true
		}
	}
	for id, profile := range c.profiles.content() {
		if roster != nil && roster.listed[id] != nil && !c.hidden.has(id) {
			add(&profile)
		}
	}
	if roster != nil {
		for _, t := range roster.All() {
			add(t)
		}
	}
	files = slices.DeleteFunc(slices.Clone(files), func(file string) bool { return shown[file] })
	c.withdrawn.mu.Lock()
	for _, file := range files {
		c.withdrawn.refused[file] = true
	}
	c.withdrawn.mu.Unlock()
	return c.pictures.Refuse(files...)
}

// restorePictures allows files that a talent shows, if they were refused.
func (c *Catalog) restorePictures(files ...string) {
	c.withdrawn.mu.Lock()
	files = slices.DeleteFunc(slices.Clone(files), func(file string) bool { return !c.withdrawn.refused[file] })
	for _, file := range files {
		delete(c.withdrawn.refused, file)
	}
	c.withdrawn.mu.Unlock()
	if len(files) > 0 {
		c.pictures.Allow(files...)
	}
}

// noteLeft drops the profiles of talents who are no longer listed and refuses their pictures, until they are back.
func (c *Catalog) noteLeft(previous, current *Roster) {
	var files, back []string
	c.withdrawn.mu.Lock()
	for id, pictures := range c.withdrawn.left {
		if current.listed[id] != nil {
			delete(c.withdrawn.left, id)
			back = append(back, pictures...)
		}
	}
	refused := len(c.withdrawn.refused) > 0
	c.withdrawn.mu.Unlock()
	if refused {
		for _, t := range current.All() {
			back = append(back, t.PictureFiles()...)
		}
		c.restorePictures(back...)
	}
	if previous == nil {
		return
	}
	for _, t := range previous.All() {
		if current.listed[t.ID] != nil || c.hidden.has(t.ID) {
			continue
		}
		pictures := t.PictureFiles()
		if profile, ok := c.profiles.peek(t.ID); ok {
			pictures = append(pictures, profile.PictureFiles()...)
		}
		c.profiles.drop(t.ID)
		c.withdrawn.mu.Lock()
		c.withdrawn.left[t.ID] = pictures
		c.withdrawn.mu.Unlock()
		files = append(files, pictures...)
	}
	if len(files) > 0 {
		c.withdraw(files, current)
	}
}

// refuseAgain refuses after a restart what was refused before.
func (c *Catalog) refuseAgain() {
	roster, _ := c.cachedRoster()
	files := slices.Concat(slices.Collect(maps.Values(c.hidden.all()))...)
	c.withdraw(slices.Concat(files, slices.Concat(slices.Collect(maps.Values(c.leftTalents()))...)), roster)
}

func (c *Catalog) leftTalents() map[string][]string {
	c.withdrawn.mu.Lock()
	defer c.withdrawn.mu.Unlock()
	return maps.Clone(c.withdrawn.left)
}
