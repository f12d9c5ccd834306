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
	// snapshotVersion is 1 since the file holds agency.Talent.Protected.
	snapshotVersion = 1
)

// snapshot is what the file holds: the last good answers.
type snapshot struct {
	Version  int
	Talents  []agency.Talent
	Known    []string // ids of the talents that there are or were
	Minors   map[string]agency.Talent
	Profiles map[string]agency.Talent
	Options  map[agency.OptionsQuery]agency.Options
	Slides   map[only][]agency.Slide
	Social   map[only][]agency.SocialMedia
	Entities map[entityKey]agency.Entity
	Pages    map[pageKey]agency.PostPage
	Posts    map[postKey]agency.Post
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

// Warm reads the snapshot, so that it can be served from the first request on, and then goes on
// in the background, until Close: it keeps the snapshot, and fetches what every page needs,
// again and again until each has come once or ctx ends.
func (c *Catalog) Warm(ctx context.Context) {
	if c.snapshot != "" {
		switch err := c.restore(); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			c.log.Warn("catalog: no use of the snapshot", "error", err)
		}
		c.tasks.Go(c.keepSnapshot)
	}
	c.tasks.Go(func() { c.insist(ctx, func() error { _, err := c.Roster(ctx); return err }) })
	c.tasks.Go(func() { c.insist(ctx, func() error { _, err := c.Slides(ctx); return err }) })
	c.tasks.Go(func() { c.insist(ctx, func() error { _, err := c.SocialMedias(ctx); return err }) })
	c.tasks.Go(func() { c.insist(ctx, func() error { return c.seek(ctx, Safety) }) })
}

// seek finds out whether the panel has a named page, for Lacks.
func (c *Catalog) seek(ctx context.Context, name string) error {
	_, err := c.Entity(ctx, name, "en")
	if errors.Is(err, agency.ErrNotFound) {
		return nil
	}
	return err
}

// insist repeats a fetch until it works.
func (c *Catalog) insist(ctx context.Context, fetch func() error) {
	for {
		err := fetch()
		if err == nil {
			return
		}
		if c.life.Err() == nil {
			c.log.Warn("catalog: will try again", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-c.life.Done():
			return
		case <-time.After(tryEvery):
		}
	}
}

// changed notes that the snapshot is behind.
func (c *Catalog) changed() {
	select {
	case c.unsaved <- struct{}{}:
	default:
	}
}

// keepSnapshot writes the snapshot when something is new, and what is left at the end.
func (c *Catalog) keepSnapshot() {
	for c.life.Err() == nil {
		select {
		case <-c.unsaved:
			c.save()
		case <-c.life.Done():
		}
		select {
		case <-time.After(saveEvery):
		case <-c.life.Done():
		}
	}
	select {
	case <-c.unsaved:
		c.save()
	default:
	}
}

func (c *Catalog) save() {
	if err := replaceFile(c.snapshot, func(w io.Writer) error {
		return gob.NewEncoder(w).Encode(c.content())
	}); err != nil {
		c.log.Warn("catalog: could not write the snapshot", "error", err)
		c.changed()
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
		Version:  snapshotVersion,
		Known:    c.known.list(),
		Minors:   c.minors.all(),
		Profiles: c.profiles.content(),
		Options:  c.options.content(),
		Slides:   c.slides.content(),
		Social:   c.social.content(),
		Entities: c.entities.content(),
		Pages:    c.pages.content(),
		Posts:    c.posts.content(),
	}
	if roster, ok := c.keptRoster(); ok {
		s.Talents = roster.All()
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
	c.known.put(s.Known)
	c.minors.put(s.Minors)
	if len(s.Talents) > 0 {
		c.rosters.put(map[only]*Roster{whole: NewRoster(s.Talents, c.kids)})
	}
	c.profiles.put(s.Profiles)
	c.options.put(s.Options)
	c.slides.put(s.Slides)
	c.social.put(s.Social)
	c.entities.put(s.Entities)
	c.pages.put(s.Pages)
	c.posts.put(s.Posts)
	return nil
}
