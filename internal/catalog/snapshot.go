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
	"runtime/debug"
	"slices"
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

// talentsAtOnce is how many talents are encoded at once, for which the encoder takes a few hundred kilobytes.
const talentsAtOnce = 1000

// snapshot is what the file holds: the last good answers. Talents come behind it in lists of talentsAtOnce.
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
	c.refuseAgain()
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

// rosterChanged also returns to the system what was read for the new roster, and the previous one. The program would
// otherwise keep that memory for minutes. Whoever waited for the roster is answered first.
func (c *Catalog) rosterChanged(bool) {
	c.changed()
	c.start(func(ctx context.Context) {
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
			debug.FreeOSMemory()
		}
	})
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

// saveIfNeeded writes the snapshot if it is out of date.
func (c *Catalog) saveIfNeeded() {
	select {
	case <-c.unsaved:
		c.save()
	default:
	}
}

// save writes the snapshot. A call during a write waits and writes again, so that the file is never older than the
// caller's content.
func (c *Catalog) save() {
	if c.snapshot == "" {
		return
	}
	c.saving.Lock()
	defer c.saving.Unlock()
	select {
	case <-c.unsaved: // the write below covers it
	default:
	}
	if err := replaceFile(c.snapshot, c.content().write); err != nil {
		c.log.Warn("catalog: could not write the snapshot", "error", err)
		c.markUnsaved()
	}
}

func (s snapshot) write(w io.Writer) error {
	encoder := gob.NewEncoder(w)
	talents := slices.Chunk(s.Talents, talentsAtOnce)
	s.Talents = nil
	if err := encoder.Encode(s); err != nil {
		return err
	}
	for some := range talents {
		if err := encoder.Encode(some); err != nil {
			return err
		}
	}
	return nil
}

func (s *snapshot) read(r io.Reader) error {
	decoder := gob.NewDecoder(r)
	if err := decoder.Decode(s); err != nil {
		return err
	}
	for {
		var some []*agency.Talent
		if err := decoder.Decode(&some); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		s.Talents = append(s.Talents, some...)
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
	s := snapshot{
		WrittenAt: time.Now(),
		Seen:      c.seen.list(),
		Ages:      c.minors.all(),
		Left:      c.leftTalents(),
		Profiles:  c.profiles.content(),
		Options:   c.options.content(),
		Entities:  c.entities.content(),
		Pages:     c.pages.content(),
		Posts:     c.posts.content(),
	}
	if roster, ok := c.cachedRoster(); ok {
		s.Talents = roster.list
	}
	if slides, ok := c.slides.peek(singleton{}); ok {
		s.HomeSlides = slides
	}
	if social, ok := c.social.peek(singleton{}); ok {
		s.SocialMedias = social
	}
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
	if err := s.read(bufio.NewReader(file)); err != nil {
		return fmt.Errorf("%s: %w", c.snapshot, err)
	}
	c.seen.put(s.Seen)
	c.minors.put(s.Ages)
	maps.Copy(c.withdrawn.left, s.Left)
	if len(s.Talents) > 0 {
		c.rosters.put(map[singleton]*Roster{{}: c.newRoster(s.Talents)}, s.WrittenAt)
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
