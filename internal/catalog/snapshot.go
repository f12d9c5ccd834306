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
	"path/filepath"
	"time"

	"zedcard/internal/agency"
)

const (
	// saveEvery is the shortest time between two writes of the snapshot.
	saveEvery = time.Minute
	// retryEvery is how often a back end that is down at the start is tried again.
	retryEvery = 5 * time.Second
	// refreshEvery is how often content that is kept ready is refreshed without visitors.
	refreshEvery = 2 * time.Minute
)

// snapshot is what the file holds: the last good answers.
type snapshot struct {
	WrittenAt    time.Time
	Talents      []*agency.Talent
	Seen         []string
	Ages         map[string]ageRecord
	Left         map[string][]string
	Profiles     map[string]agency.Talent
	Options      map[agency.OptionsQuery]agency.Options
	HomeSlides   []agency.Slide
	SocialMedias []agency.SocialMedia
	Entities     map[entityKey]agency.Entity
	Pages        map[pageKey]agency.PostPage
	Posts        map[postKey]agency.Post
}

// Warm reads the snapshot, so that it can be served from the first request on. In the background, until Close, it
// writes the snapshot and keeps ready the content that every page needs, even before the first visitor.
func (c *Catalog) Warm() {
	c.restoreHidden()
	if c.snapshot != "" {
		switch err := c.restore(); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			c.log.Warn("catalog: snapshot not used", "error", err)
		}
		c.start(c.keepSnapshot)
	}
	c.refusePictures(nil)
	c.keepReady("roster", func(ctx context.Context) error { _, err := c.Roster(ctx); return err })
	c.keepReady("slides", func(ctx context.Context) error { _, err := c.Slides(ctx); return err })
	c.keepReady("social media", func(ctx context.Context) error { _, err := c.SocialMedias(ctx); return err })
	for _, name := range []string{Privacy, Safety} {
		for _, lang := range c.languages {
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

// changed notes that the content has changed.
func (c *Catalog) changed() {
	c.version.Add(1)
	c.markUnsaved()
}

// profileChanged leaves the version unchanged at the first answer for a talent: no page has shown it, and otherwise a
// crawler that visits every profile would invalidate all pages each time.
func (c *Catalog) profileChanged(known bool) {
	if known {
		c.version.Add(1)
	}
	c.markUnsaved()
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
	if c.snapshot == "" {
		return
	}
	c.saving.Lock()
	defer c.saving.Unlock()
	err := replaceFile(c.snapshot, func(w io.Writer) error { return gob.NewEncoder(w).Encode(c.content()) })
	if err != nil {
		c.log.Warn("catalog: could not write the snapshot", "error", err)
		c.markUnsaved()
	}
}

// replaceFile writes a new file and renames it over the old one, so that a crash leaves one of the two.
func replaceFile(name string, write func(io.Writer) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	if err := errors.Join(write(file), file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}

func (c *Catalog) content() snapshot {
	left, _ := c.gone.copies()
	s := snapshot{
		WrittenAt: time.Now(),
		Seen:      c.seen.list(),
		Ages:      c.minors.all(),
		Left:      left,
		Profiles:  c.profiles.content(),
		Options:   c.options.content(),
		Entities:  c.entities.content(),
		Pages:     c.pages.content(),
		Posts:     c.posts.content(),
	}
	s.Talents, _ = c.lists.peek(singleton{})
	s.HomeSlides, _ = c.slides.peek(singleton{})
	s.SocialMedias, _ = c.social.peek(singleton{})
	return s
}

// restore fills the caches from the file.
func (c *Catalog) restore() error {
	file, err := os.Open(c.snapshot)
	if err != nil {
		return err
	}
	defer file.Close()
	var s snapshot
	if err := gob.NewDecoder(bufio.NewReader(file)).Decode(&s); err != nil {
		return fmt.Errorf("%s: %w", c.snapshot, err)
	}
	c.seen.put(s.Seen)
	c.minors.put(s.Ages)
	c.gone.change(func() { maps.Copy(c.gone.left, s.Left) })
	if len(s.Talents) > 0 {
		c.setList(s.Talents)
		c.lists.put(map[singleton][]*agency.Talent{{}: s.Talents}, s.WrittenAt)
	}
	c.profiles.put(s.Profiles, s.WrittenAt)
	c.options.put(s.Options, s.WrittenAt)
	if len(s.HomeSlides) > 0 {
		c.slides.put(map[singleton][]agency.Slide{{}: s.HomeSlides}, s.WrittenAt)
	}
	if len(s.SocialMedias) > 0 {
		c.social.put(map[singleton][]agency.SocialMedia{{}: s.SocialMedias}, s.WrittenAt)
	}
	c.entities.put(s.Entities, s.WrittenAt)
	c.pages.put(s.Pages, s.WrittenAt)
	c.posts.put(s.Posts, s.WrittenAt)
	return nil
}
