// Package catalog is what the screens read: an agency's content, without the talents who are gone, and its list made
// ready for boards and filters.
package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"zedcard/internal/agency"
)

// Content is an agency's content: what a folder holds, or what the back ends have answered. Values that it returns are
// shared and must not be changed. Its errors wrap agency.ErrNotFound or agency.ErrUnavailable.
type Content interface {
	agency.Panel
	agency.Integration // Talents is the same list until one differs

	// Version changes whenever something of the content does.
	Version() uint64
	// Known is the profile of a talent if it is in memory; without an id if it is not.
	Known(id string) agency.Talent
	// Lacks reports whether there is no page of a name. It makes no request.
	Lacks(page string) bool
}

// Options are the catalogue's settings.
type Options struct {
	// Pictures refuses the pictures of talents who are no longer shown; nil where there are none.
	Pictures Pictures
	// KidsEverywhere lists talents in kids on every board that their other categories name, and not on the kids board
	// only.
	KidsEverywhere bool
	// Boards are those of the site as it is now; nil: the default ones.
	Boards func() *agency.Boards
	// Dir keeps over a restart who is gone; empty: nothing does.
	Dir string
	Log *slog.Logger
}

// Catalog reads the content as it is now, for editors with its drafts (see agency.WithDrafts).
type Catalog struct {
	settings Options
	content  func(context.Context) Content
	log      *slog.Logger

	roster  atomic.Pointer[Roster] // the latest; nil: there is none
	making  sync.Mutex             // held while a roster is made
	changes atomic.Uint64          // how many talents were hidden
	gone    gone
}

// Open makes a catalogue of a content, which is asked for at each call. It reads who is gone.
func Open(content func(context.Context) Content, options Options) *Catalog {
	if options.Boards == nil {
		boards := agency.NewBoards(nil)
		options.Boards = func() *agency.Boards { return boards }
	}
	options.Log = cmp.Or(options.Log, slog.New(slog.DiscardHandler))
	c := &Catalog{settings: options, content: content, log: options.Log}
	c.restoreGone()
	c.refusePictures()
	return c
}

// rosterEvery is how often the roster is made without visitors.
const rosterEvery = time.Minute

// Run makes the roster now and then, until ctx ends: pictures of who has left are refused even if nobody visits.
func (c *Catalog) Run(ctx context.Context) {
	for ticker := time.Tick(rosterEvery); ; {
		_, _ = c.Roster(ctx) // of back ends that are down, which is in the log
		select {
		case <-ctx.Done():
			return
		case <-ticker:
		}
	}
}

// Roster is the list of all talents.
func (c *Catalog) Roster(ctx context.Context) (*Roster, error) {
	content, boards := c.content(ctx), c.settings.Boards()
	list, err := content.Talents(ctx)
	switch roster := c.roster.Load(); {
	case err != nil:
		return nil, err
	case agency.SeesDrafts(ctx):
		return c.newRoster(list, boards, content), nil
	case roster.isOf(list, boards):
		return roster, nil
	}
	return c.makeRoster(ctx)
}

// makeRoster makes the roster of a list that is new, or of a site that has other boards.
func (c *Catalog) makeRoster(ctx context.Context) (*Roster, error) {
	c.making.Lock()
	defer c.making.Unlock()
	content, boards := c.content(ctx), c.settings.Boards() // as they are now: another reader may have been first
	list, err := content.Talents(ctx)
	if err != nil {
		return nil, err
	}
	last := c.roster.Load()
	if last.isOf(list, boards) {
		return last, nil
	}
	roster := c.newRoster(list, boards, content)
	c.roster.Store(roster)
	c.noteLeft(ctx, last, roster)
	c.refusePictures()
	return roster, nil
}

func (c *Catalog) newRoster(list []*agency.Talent, boards *agency.Boards, content Content) *Roster {
	roster := newRoster(list, boards, c.settings.KidsEverywhere, c.isHidden)
	roster.content = content
	return roster
}

// Talent is a talent with galleries. If the back end is down and the profile is not cached, it is the roster's entry,
// marked as partial. The error wraps agency.ErrGone for a former talent.
func (c *Catalog) Talent(ctx context.Context, id string) (agency.Talent, error) {
	gone := fmt.Errorf("catalog: talent: %w", agency.ErrGone)
	if c.isHidden(id) {
		return agency.Talent{}, gone
	}
	talent, err := c.content(ctx).Profile(ctx, id)
	if errors.Is(err, agency.ErrUnavailable) {
		if listed := c.roster.Load().ByID(id); listed != nil {
			talent, err = *listed, nil
			talent.Partial = true
		} else if c.hasLeft(id) {
			err = gone
		}
		return talent, err
	}
	roster, _ := c.Roster(ctx) // without one nothing better is known
	listed := roster.listedAs(id)
	switch {
	case err != nil && (listed != nil || c.hasLeft(id)):
		err = gone
	case err == nil && listed != nil: // what the rule for minors needs and the profile lacks
		if len(talent.Categories) == 0 {
			talent.Categories = listed.Categories
		}
		talent.MergeProtection(listed, time.Now())
	}
	c.allowPictures(&talent)
	return *c.settings.Boards().Mark(&talent), err
}

// Slides are the pictures of the home page.
func (c *Catalog) Slides(ctx context.Context) ([]agency.Slide, error) {
	return c.content(ctx).Slides(ctx, "home")
}

// SocialMedias are the links to the agency's profiles elsewhere.
func (c *Catalog) SocialMedias(ctx context.Context) ([]agency.SocialMedia, error) {
	return c.content(ctx).SocialMedias(ctx)
}

// Entity is a named page in a language; see agency.Entity for the language it comes in.
func (c *Catalog) Entity(ctx context.Context, name, lang string) (agency.Entity, error) {
	return c.content(ctx).Entity(ctx, name, lang)
}

// EntityMissing reports whether there is no page of a name. It makes no request.
func (c *Catalog) EntityMissing(name string) bool { return c.content(context.Background()).Lacks(name) }

// Options are the lists of the application form in a language, with the cities of a country
// (its id) where one is given.
func (c *Catalog) Options(ctx context.Context, language, country string) (agency.Options, error) {
	return c.content(ctx).Options(ctx, agency.OptionsQuery{Language: language, Country: country})
}

// Version changes whenever something of the content does, or a talent was hidden. A page made from the catalogue is
// valid as long as the version.
func (c *Catalog) Version() uint64 {
	return c.content(context.Background()).Version() + c.changes.Load()
}
