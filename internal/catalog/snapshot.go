package catalog

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/folder"
)

const (
	// saveEvery is the shortest time between two writes of the snapshot.
	saveEvery = time.Minute
	// retryEvery is how often a back end that is down at the start is tried again.
	retryEvery = 5 * time.Second
	// refreshEvery is how often content that is kept ready is refreshed without visitors.
	refreshEvery = 2 * time.Minute
)

// snapshot is the beginning of the file; the last good answers follow, cache by cache.
type snapshot struct {
	WrittenAt time.Time
	Seen      []string
	Ages      map[string]ageRecord
	Left      map[string][]string
}

// Warm reads the snapshot, so that it can be served from the first request on. In the background, until Close, it
// writes the snapshot and keeps ready the content that every page needs, even before the first visitor.
func (c *Catalog) Warm() {
	c.restoreHidden()
	if c.settings.Snapshot != "" {
		if err := c.restore(); err != nil && !errors.Is(err, fs.ErrNotExist) {
			c.log.Warn("catalog: snapshot not used", "error", err)
		}
		c.start(c.keepSnapshot)
	}
	c.refusePictures(nil)
	c.keepReady("roster", func(ctx context.Context) error { _, err := c.Roster(ctx); return err })
	c.keepReady("slides", func(ctx context.Context) error { _, err := c.Slides(ctx); return err })
	c.keepReady("social media", func(ctx context.Context) error { _, err := c.SocialMedias(ctx); return err })
	for _, name := range []string{Privacy, Safety} {
		for _, lang := range c.settings.Languages {
			c.keepReady(name+" "+lang, func(ctx context.Context) error {
				_, err := c.Entity(ctx, name, lang)
				if errors.Is(err, agency.ErrNotFound) {
					return nil // known to be missing
				}
				return err
			})
		}
	}
}

// keepReady reads content periodically: every few seconds until it is there, and then often enough that content which a
// back end has removed disappears even without visitors.
func (c *Catalog) keepReady(what string, read func(context.Context) error) {
	c.start(func(ctx context.Context) {
		started, loaded := time.Now(), false
		for {
			err := read(ctx)
			wait := refreshEvery
			switch {
			case ctx.Err() != nil:
				return
			case err != nil:
				wait = retryEvery
				c.log.Warn("catalog: not loaded, will try again", "of", what, "error", err)
			case !loaded:
				loaded = true
				c.log.Info("catalog: loaded", "of", what, "took", time.Since(started).Round(time.Millisecond))
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
		}
	})
}

// markUnsaved notes that the snapshot is out of date.
func (c *Catalog) markUnsaved() {
	select {
	case c.unsaved <- struct{}{}:
	default:
	}
}

// keepSnapshot writes the snapshot when the content has changed.
func (c *Catalog) keepSnapshot(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.unsaved:
			c.save()
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(saveEvery):
		}
	}
}

// save writes the snapshot.
func (c *Catalog) save() {
	if c.settings.Snapshot == "" {
		return
	}
	c.saving.Lock()
	defer c.saving.Unlock()
	if err := folder.Replace(c.settings.Snapshot, c.writeSnapshot); err != nil {
		c.log.Warn("catalog: could not write the snapshot", "error", err)
		c.markUnsaved()
	}
}

func (c *Catalog) writeSnapshot(w io.Writer) error {
	s := snapshot{WrittenAt: time.Now(), Ages: c.minors.all()}
	s.Left, _ = c.gone.copies()
	for id := range c.seen.Range {
		s.Seen = append(s.Seen, id.(string))
	}
	encoder := gob.NewEncoder(w)
	err := encoder.Encode(s)
	for _, cache := range c.caches {
		err = errors.Join(err, cache.encode(encoder))
	}
	return err
}

// restore fills the caches from the file, unless a part of it can't be read.
func (c *Catalog) restore() error {
	file, err := os.Open(c.settings.Snapshot)
	if err != nil {
		return err
	}
	defer file.Close()
	decoder := gob.NewDecoder(bufio.NewReader(file))
	var s snapshot
	err = decoder.Decode(&s)
	uses := make([]func(time.Time), len(c.caches))
	for i, cache := range c.caches {
		if err == nil {
			uses[i], err = cache.decode(decoder)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.settings.Snapshot, err)
	}
	for _, id := range s.Seen {
		c.seen.Store(id, true)
	}
	c.minors.put(s.Ages)
	c.gone.change(func() { maps.Copy(c.gone.left, s.Left) })
	for _, use := range uses {
		use(s.WrittenAt)
	}
	if list, ok := c.lists.peek(only); ok {
		c.setList(list)
	}
	return nil
}
