package remote

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
	"zedcard/internal/disk"
)

const (
	// saveEvery is the shortest time between two writes of the snapshot; right after the start less, because a program
	// that is killed then should not have been started in vain.
	saveEvery = time.Minute
	// retryEvery is how often a back end that is down at the start is tried again.
	retryEvery = 5 * time.Second
	// refreshEvery is how often content that is kept ready is refreshed without visitors.
	refreshEvery = 2 * time.Minute
)

// snapshot is the file with the last good answers.
type snapshot struct {
	WrittenAt time.Time
	Ages      map[string]ageRecord

	Lists    map[single][]*agency.Talent
	Profiles map[string]agency.Talent
	Options  map[agency.OptionsQuery]agency.Options
	Slides   map[single][]agency.Slide
	Social   map[single][]agency.SocialMedia
	Entities map[entityKey]agency.Entity
	Pages    map[pageKey]agency.PostPage
	Posts    map[postKey]agency.Post
}

// Warm reads the snapshot, so that it can be served from the first request on. In the background, until Close, it
// writes the snapshot and keeps ready the content that every page needs, even before the first visitor.
func (c *Content) Warm() {
	if c.options.Snapshot != "" {
		if err := c.restore(); err != nil && !errors.Is(err, fs.ErrNotExist) {
			c.log.Warn("snapshot not used", "error", err)
		}
		c.start(func(ctx context.Context) {
			for wait := time.Second; sleep(ctx, wait); wait = min(2*wait, saveEvery) {
				c.save()
			}
		})
	}
	c.keepReady("roster", func(ctx context.Context) error { _, err := c.Talents(ctx); return err })
	c.keepReady("slides", func(ctx context.Context) error { _, err := c.Slides(ctx, "home"); return err })
	c.keepReady("social media", func(ctx context.Context) error { _, err := c.SocialMedias(ctx); return err })
	for _, name := range []string{agency.PrivacyPage, agency.SafetyPage} {
		for _, lang := range c.options.Languages() {
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
func (c *Content) keepReady(what string, read func(context.Context) error) {
	c.start(func(ctx context.Context) {
		started, loaded := time.Now(), false
		for wait := time.Duration(0); sleep(ctx, wait); {
			wait = refreshEvery
			switch err := read(ctx); {
			case err != nil && ctx.Err() == nil:
				wait = retryEvery
				c.log.Warn("not loaded, will try again", "of", what, "error", err)
			case err == nil && !loaded:
				loaded = true
				c.log.Info("loaded", "of", what, "took", time.Since(started).Round(time.Millisecond))
			}
		}
	})
}

// sleep reports whether a time has passed before ctx ended.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// save writes the snapshot if it is out of date.
func (c *Content) save() {
	if c.options.Snapshot == "" || !c.unsaved.Swap(false) {
		return
	}
	write := func(w io.Writer) error { return gob.NewEncoder(w).Encode(c.snapshot()) }
	if err := disk.Replace(c.options.Snapshot, write); err != nil {
		c.log.Warn("could not write the snapshot", "error", err)
		c.unsaved.Store(true)
	}
}

func (c *Content) snapshot() snapshot {
	s := snapshot{
		WrittenAt: time.Now(), Ages: map[string]ageRecord{},
		Lists: c.lists.values(), Profiles: c.profiles.values(), Options: c.choices.values(),
		Slides: c.slides.values(), Social: c.social.values(), Entities: c.entities.values(),
		Pages: c.pages.values(), Posts: c.posts.values(),
	}
	maps.DeleteFunc(s.Profiles, func(id string, _ agency.Talent) bool { return c.isUnlisted(id) }) // who has left
	for id, record := range c.ages.Range {
		s.Ages[id.(string)] = record.(ageRecord)
	}
	return s
}

// restore fills the caches from the file.
func (c *Content) restore() error {
	file, err := os.Open(c.options.Snapshot)
	if err != nil {
		return err
	}
	defer file.Close()
	var s snapshot
	if err := gob.NewDecoder(bufio.NewReader(file)).Decode(&s); err != nil {
		return fmt.Errorf("%s: %w", c.options.Snapshot, err)
	}
	for id, record := range s.Ages {
		c.ages.Store(id, record)
	}
	c.lists.fill(s.Lists, s.WrittenAt)
	c.profiles.fill(s.Profiles, s.WrittenAt)
	c.choices.fill(s.Options, s.WrittenAt)
	c.slides.fill(s.Slides, s.WrittenAt)
	c.social.fill(s.Social, s.WrittenAt)
	c.entities.fill(s.Entities, s.WrittenAt)
	c.pages.fill(s.Pages, s.WrittenAt)
	c.posts.fill(s.Posts, s.WrittenAt)
	if said, ok := s.Lists[only]; ok {
		c.makeList(said)
	}
	return nil
}
