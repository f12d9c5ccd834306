package catalog

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"zedcard/internal/agency"
)

const (
	// saveEvery is how often the snapshot is written at most.
	saveEvery = time.Minute
	// tryEvery is how often a back end that is down at start is asked again.
	tryEvery = 5 * time.Second
	// keepEvery is how often what is kept ready is read again without a visitor.
	keepEvery = 2 * time.Minute
	// snapshotVersion is 1 since the file holds agency.Talent.Protected.
	snapshotVersion = 1
)

// snapshot is what the file holds: the last good answers.
type snapshot struct {
	Version      int
	WrittenAt    time.Time
	Talents      []agency.Talent
	Known        []string // ids of the talents that there are or were; the name is that of older files
	Minors       map[string]agency.Talent
	Hidden       map[string][]string
	Profiles     map[string]agency.Talent
	Options      map[agency.OptionsQuery]agency.Options
	HomeSlides   []agency.Slide
	SocialMedias []agency.SocialMedia
	Entities     map[entityKey]agency.Entity
	Pages        map[pageKey]agency.PostPage
	Posts        map[postKey]agency.Post
}

// protect treats every talent without a birth date as a minor, until it has been read anew. Before
// version 1 the file did not tell an unknown date from one that could not be read.
func (s *snapshot) protect() {
	for i := range s.Talents {
		s.Talents[i].Protected = s.Talents[i].Birthdate.IsZero()
	}
	for id, talent := range s.Profiles {
		talent.Protected = talent.Birthdate.IsZero()
		s.Profiles[id] = talent
	}
}

// Warm reads the snapshot, so that it can be served from the first request on, and then goes on in
// the background until Close: it writes the snapshot, and keeps ready what every page needs and what
// nobody may have visited yet.
func (c *Catalog) Warm() {
	if c.snapshot != "" {
		switch err := c.restore(); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			c.log.Warn("catalog: snapshot not used", "error", err)
		}
		c.start(c.keepSnapshot)
	}
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

// keepReady reads something again and again: every few seconds until it is there, and then as often
// as it takes for what a back end has taken down to disappear also without visitors.
func (c *Catalog) keepReady(what string, read func(context.Context) error) {
	c.start(func(ctx context.Context) {
		begun, loaded := time.Now(), false
		for {
			err := read(ctx)
			wait := keepEvery
			switch {
			case ctx.Err() != nil:
				return
			case err != nil:
				wait = tryEvery
				c.log.Warn("catalog: not loaded, will try again", "of", what, "error", err)
			case !loaded:
				loaded = true
				c.log.Info("catalog: loaded", "of", what, "took", time.Since(begun).Round(time.Millisecond))
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
		}
	})
}

// changed notes that there is something new.
func (c *Catalog) changed() {
	c.version.Add(1)
	c.markUnsaved()
}

// profileChanged leaves the version at the first answer for a talent: no page could show it, and a crawler that visits
// one profile after the other would make all pages old each time.
func (c *Catalog) profileChanged(known bool) {
	if known {
		c.version.Add(1)
	}
	c.markUnsaved()
}

// markUnsaved notes that the snapshot is behind.
func (c *Catalog) markUnsaved() {
	select {
	case c.unsaved <- struct{}{}:
	default:
	}
}

// keepSnapshot writes the snapshot when something is new.
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

// saveIfNeeded writes what is new at the end.
func (c *Catalog) saveIfNeeded() {
	select {
	case <-c.unsaved:
		c.save()
	default:
	}
}

// save writes the snapshot. Whoever comes while it is being written waits and then writes it anew: what is on the
// disk afterwards is never older than what the caller knew.
func (c *Catalog) save() {
	if c.snapshot == "" {
		return
	}
	c.saving.Lock()
	defer c.saving.Unlock()
	select {
	case <-c.unsaved: // what it stands for is written now
	default:
	}
	if err := replaceFile(c.snapshot, func(w io.Writer) error {
		return gob.NewEncoder(w).Encode(c.content())
	}); err != nil {
		c.log.Warn("catalog: could not write the snapshot", "error", err)
		c.markUnsaved()
	}
}

// replaceFile writes a whole new file and then puts it in the place of the old one, so that a
// crash leaves one of the two.
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
		Version:   snapshotVersion,
		WrittenAt: time.Now(),
		Known:     c.seen.list(),
		Minors:    c.minors.all(),
		Hidden:    c.hidden.all(),
		Profiles:  c.profiles.content(),
		Options:   c.options.content(),
		Entities:  c.entities.content(),
		Pages:     c.pages.content(),
		Posts:     c.posts.content(),
	}
	if roster, ok := c.keptRoster(); ok {
		s.Talents = roster.All()
	}
	if slides, ok := c.slides.peek(singleton{}); ok {
		s.HomeSlides = slides
	}
	if social, ok := c.social.peek(singleton{}); ok {
		s.SocialMedias = social
	}
	return s
}

// restore fills the shelves from the file.
func (c *Catalog) restore() error {
	file, err := os.Open(c.snapshot)
	if err != nil {
		return err
	}
	defer file.Close()
	var s snapshot
	if err := gob.NewDecoder(file).Decode(&s); err != nil {
		return fmt.Errorf("%s: %w", c.snapshot, err)
	}
	if s.Version < snapshotVersion {
		s.protect()
	}
	c.seen.put(s.Known)
	c.minors.put(s.Minors)
	c.hidden.put(s.Hidden)
	if len(s.Talents) > 0 {
		c.rosters.put(map[singleton]*Roster{{}: NewRoster(s.Talents, c.kids)}, s.WrittenAt)
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
