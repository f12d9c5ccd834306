package catalog

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"

	"zedcard/internal/agency"
	"zedcard/internal/disk"
)

// Pictures serves the files of pictures. Those of talents who are no longer shown are refused.
type Pictures interface {
	Refuse(files ...string) (addresses []string)
	Allow(files ...string)
}

// gone are the talents who are not shown any more, by id with the files of their pictures.
type gone struct {
	hidden  sync.Map   // by the operator, whatever the back end says
	storing sync.Mutex // held while the file of the hidden is written

	mu      sync.Mutex
	left    map[string][]string // those who have left the list
	refused map[string]bool     // the files that are refused for them
}

func (c *Catalog) isHidden(id string) bool {
	_, ok := c.gone.hidden.Load(id)
	return ok
}

// allHidden are the talents whom the operator has hidden, with the files of their pictures.
func (c *Catalog) allHidden() map[string][]string {
	all := map[string][]string{}
	for id, files := range c.gone.hidden.Range {
		all[id.(string)] = files.([]string)
	}
	return all
}

// refusePictures refuses the files of talents who are gone, except those that others show, and allows what it refused
// before. It returns the addresses that are refused from now on. profile is one that was read a moment ago, which
// matters only if something of it is refused; nil: there is none.
func (c *Catalog) refusePictures(profile *agency.Talent) (addresses []string) {
	if c.settings.Pictures == nil {
		return nil
	}
	c.gone.mu.Lock()
	defer c.gone.mu.Unlock()
	before := c.gone.refused
	if profile != nil && !slices.ContainsFunc(profile.PictureFiles(), func(f string) bool { return before[f] }) {
		return nil
	}
	shown := map[string]bool{"": true}
	add := func(t *agency.Talent) {
		for _, file := range t.PictureFiles() {
			if !c.isHidden(t.ID) {
				shown[file] = true
			}
		}
	}
	if roster := c.roster.Load(); roster != nil {
		for _, t := range roster.All() {
			add(t)
		}
		for id, cached := range c.profiles.entries.All() {
			if roster.listed[id] != nil {
				add(&cached.value)
			}
		}
		if profile != nil && roster.listed[profile.ID] != nil {
			add(profile)
		}
	}
	lists := slices.AppendSeq(slices.Collect(maps.Values(c.gone.left)), maps.Values(c.allHidden()))
	refused, refuse := map[string]bool{}, []string{}
	for _, file := range slices.Concat(lists...) {
		if !shown[file] && !refused[file] {
			refused[file] = true
			if !before[file] {
				refuse = append(refuse, file)
			}
		}
	}
	for file := range before {
		if !refused[file] {
			c.settings.Pictures.Allow(file)
		}
	}
	c.gone.refused = refused
	return c.settings.Pictures.Refuse(refuse...)
}

// noteLeft refuses the pictures of talents who are no longer listed, until they are back.
func (c *Catalog) noteLeft(previous, current *Roster) {
	c.gone.mu.Lock()
	defer c.gone.mu.Unlock()
	if previous != nil {
		for _, t := range previous.All() {
			if current.listed[t.ID] == nil && !c.isHidden(t.ID) {
				profile, _ := c.profiles.entries.Get(t.ID)
				c.gone.left[t.ID] = append(t.PictureFiles(), profile.value.PictureFiles()...)
			}
		}
	}
	maps.DeleteFunc(c.gone.left, func(id string, _ []string) bool { return current.listed[id] != nil })
}

// Hide removes a talent from the site at once, and for good, with their pictures, except those that others show too. It
// returns the talent as last known, and the addresses of pictures that are gone. The error is agency.ErrNotFound if
// nobody is known by the id; with any other a restart would bring the talent back.
func (c *Catalog) Hide(id string) (talent agency.Talent, pictures []string, err error) {
	talent = agency.Talent{ID: id}
	roster := c.roster.Load()
	profile, _ := c.profiles.entries.Get(id)
	switch {
	case profile.value.ID != "":
		talent = profile.value
	case roster.ByID(id) != nil:
		talent = *roster.ByID(id)
	case roster != nil && !c.wasSeen(id) && !c.isHidden(id):
		return talent, nil, agency.ErrNotFound
	}
	files := slices.Concat(talent.PictureFiles(), c.allHidden()[id])
	c.gone.hidden.Store(id, files)
	c.gone.mu.Lock()
	for _, file := range files {
		delete(c.gone.refused, file) // so that their addresses are returned also to who asks again
	}
	c.gone.mu.Unlock()
	c.seen.Store(id, true)
	c.RemakeRoster()
	return talent, c.refusePictures(nil), c.storeHidden() // at once: a crash must not bring the talent back
}

// storeHidden writes the file of hidden talents.
func (c *Catalog) storeHidden() error {
	if c.settings.HiddenFile == "" {
		return nil
	}
	c.gone.storing.Lock()
	defer c.gone.storing.Unlock()
	return disk.Replace(c.settings.HiddenFile, func(w io.Writer) error {
		return json.NewEncoder(w).Encode(c.allHidden())
	})
}

// restoreHidden reads the file of hidden talents, if there is one.
func (c *Catalog) restoreHidden() {
	var hidden map[string][]string
	data, err := os.ReadFile(c.settings.HiddenFile)
	if err == nil {
		err = json.Unmarshal(data, &hidden)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.log.Error("catalog: hidden talents are shown, their file can't be read", "error", err)
	}
	for id, files := range hidden {
		c.gone.hidden.Store(id, files)
	}
}
