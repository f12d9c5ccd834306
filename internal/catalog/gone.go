package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
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

// The files in Options.Dir.
const (
	hiddenFile = "hidden.json"
	leftFile   = "left.json"
)

// gone are the talents who are not shown any more, by id with the files of their pictures.
type gone struct {
	mu      sync.Mutex
	hidden  map[string][]string // by the operator, whatever the content says
	left    map[string][]string // those who have left the list
	refused map[string]bool     // the files that are refused for them
}

func (c *Catalog) isHidden(id string) bool {
	c.gone.mu.Lock()
	defer c.gone.mu.Unlock()
	_, hidden := c.gone.hidden[id]
	return hidden
}

func (c *Catalog) hasLeft(id string) bool {
	c.gone.mu.Lock()
	defer c.gone.mu.Unlock()
	_, left := c.gone.left[id]
	return left
}

// refusePictures refuses the files of talents who are gone, except those that others show, and allows what it refused
// before. It returns the addresses that are refused from now on.
func (c *Catalog) refusePictures() (addresses []string) {
	roster := c.roster.Load()
	c.gone.mu.Lock()
	defer c.gone.mu.Unlock()
	if c.settings.Pictures == nil {
		return nil
	}
	refused := map[string]bool{}
	for _, byID := range []map[string][]string{c.gone.hidden, c.gone.left} {
		for _, files := range byID {
			for _, file := range files {
				refused[file] = true
			}
		}
	}
	if len(refused) > 0 && roster != nil {
		content := c.content(context.Background())
		for _, t := range roster.All() {
			profile := content.Known(t.ID)
			for _, file := range slices.Concat(t.PictureFiles(), profile.PictureFiles()) {
				delete(refused, file)
			}
		}
	}
	delete(refused, "")
	var refuse []string
	for file := range refused {
		if !c.gone.refused[file] {
			refuse = append(refuse, file)
		}
	}
	for file := range c.gone.refused {
		if !refused[file] {
			c.settings.Pictures.Allow(file)
		}
	}
	c.gone.refused = refused
	return c.settings.Pictures.Refuse(refuse...)
}

// allowPictures allows what is refused of the pictures that a profile shows.
func (c *Catalog) allowPictures(profile *agency.Talent) {
	c.gone.mu.Lock()
	isRefused := slices.ContainsFunc(profile.PictureFiles(), func(file string) bool { return c.gone.refused[file] })
	c.gone.mu.Unlock()
	if isRefused {
		c.refusePictures()
	}
}

// noteLeft notes who is no longer listed, until they are back.
func (c *Catalog) noteLeft(ctx context.Context, last, roster *Roster) {
	c.gone.mu.Lock()
	defer c.gone.mu.Unlock()
	before := len(c.gone.left)
	maps.DeleteFunc(c.gone.left, func(id string, _ []string) bool { return roster.listedAs(id) != nil })
	changed := len(c.gone.left) != before
	for _, t := range last.All() {
		if _, hidden := c.gone.hidden[t.ID]; !hidden && roster.listedAs(t.ID) == nil {
			profile := last.content.Known(t.ID)
			c.gone.left[t.ID] = append(t.PictureFiles(), profile.PictureFiles()...)
			changed = true
		}
	}
	if !changed {
		return
	}
	if err := c.store(leftFile, c.gone.left); err != nil {
		c.log.ErrorContext(ctx, "catalog: after a restart the pages of former talents are 404, not 410", "error", err)
	}
}

// Hide removes a talent from the site at once, and for good, with their pictures, except those that others show too. It
// returns the talent as last known, and the addresses of pictures that are gone. The error is agency.ErrNotFound if
// nobody is known by the id; with any other a restart would bring the talent back.
func (c *Catalog) Hide(id string) (talent agency.Talent, pictures []string, err error) {
	roster := c.roster.Load()
	talent = c.content(context.Background()).Known(id)
	switch {
	case talent.ID != "":
	case roster.ByID(id) != nil:
		talent = *roster.ByID(id)
	case roster != nil && !c.hasLeft(id) && !c.isHidden(id):
		return talent, nil, agency.ErrNotFound
	default:
		talent = agency.Talent{ID: id}
	}
	c.gone.mu.Lock()
	files := slices.Concat(talent.PictureFiles(), c.gone.left[id], c.gone.hidden[id])
	c.gone.hidden[id] = files
	for _, file := range files {
		delete(c.gone.refused, file) // so that their addresses are returned also to who asks again
	}
	err = c.store(hiddenFile, c.gone.hidden) // at once: a crash must not bring the talent back
	c.gone.mu.Unlock()
	c.making.Lock()
	if last := c.roster.Load(); last != nil {
		c.roster.Store(c.newRoster(last.list, last.boards, last.content))
	}
	c.making.Unlock()
	c.changes.Add(1)
	return talent, c.refusePictures(), err
}

// store writes a file of those who are gone.
func (c *Catalog) store(name string, byID map[string][]string) error {
	if c.settings.Dir == "" {
		return nil
	}
	return disk.Replace(filepath.Join(c.settings.Dir, name), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(byID)
	})
}

// restoreGone reads the files of those who are gone.
func (c *Catalog) restoreGone() {
	c.gone.hidden, c.gone.left = map[string][]string{}, map[string][]string{}
	if c.settings.Dir == "" {
		return
	}
	for name, byID := range map[string]map[string][]string{hiddenFile: c.gone.hidden, leftFile: c.gone.left} {
		data, err := os.ReadFile(filepath.Join(c.settings.Dir, name))
		if err == nil {
			err = json.Unmarshal(data, &byID)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			c.log.Error("catalog: talents who are gone are shown, their file can't be read", "file", name, "error", err)
		}
	}
}
