// Package catalog is what the screens read: the agency's talents, pages and posts, kept from the
// two back ends, refreshed behind the visitor's back and served stale when a back end is down.
package catalog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"sync"
	"time"

	"zedcard/internal/agency"
)

// Panel is what the catalogue reads from the panel back end.
type Panel interface {
	Slides(ctx context.Context, kind string) ([]agency.Slide, error)
	Posts(ctx context.Context, kind string, paginate, page int) (agency.PostPage, error)
	Post(ctx context.Context, kind, slug string) (agency.Post, error)
	Entity(ctx context.Context, name, lang string) (agency.Entity, error)
	SocialMedias(ctx context.Context) ([]agency.SocialMedia, error)
}

// Integration is what the catalogue reads from the integration back end.
type Integration interface {
	Talents(ctx context.Context) ([]agency.Talent, error)
	Profile(ctx context.Context, id string) (agency.Talent, error)
	Options(ctx context.Context, query agency.OptionsQuery) (agency.Options, error)
}

// Options are the catalogue's settings.
type Options struct {
	// Fresh is how long an answer is served without asking again; 0 is a minute.
	Fresh time.Duration
	// Snapshot is the file that keeps the last good answers over a restart; empty for none. It
	// holds birth dates, without which the rules for minors could not be kept, and is readable
	// by its owner only.
	Snapshot string
	Kids     KidsListed
	Log      *slog.Logger
}

const (
	defaultFresh = time.Minute
	homeSlides   = "home" // the only kind of slides that the site shows
)

// only is the type of the key of a shelf that holds one thing, whole that key.
type only bool

const whole only = true

// Safety is the named page that a panel may be without, as its specification does not name it.
const Safety = "safety"

// The keys of the other shelves; exported fields, as the snapshot stores them.
type (
	entityKey struct{ Name, Lang string }
	pageKey   struct {
		Kind           string
		Paginate, Page int
	}
	postKey struct{ Kind, Slug string }
)

// Catalog answers from what it keeps. What it hands out is shared and only to be read. Its
// errors wrap agency.ErrNotFound or agency.ErrUnavailable; the latter only where nothing is kept.
type Catalog struct {
	rosters  *shelf[only, *Roster]
	profiles *shelf[string, agency.Talent]
	options  *shelf[agency.OptionsQuery, agency.Options]
	slides   *shelf[only, []agency.Slide]
	social   *shelf[only, []agency.SocialMedia]
	entities *shelf[entityKey, agency.Entity]
	pages    *shelf[pageKey, agency.PostPage]
	posts    *shelf[postKey, agency.Post]

	known     *known // talents that there are or were
	minors    minors
	strangers strangers
	lacking   sync.Map // names of entities that the panel did not have when last asked

	fresh    time.Duration
	kids     KidsListed
	snapshot string
	log      *slog.Logger
	unsaved  chan struct{} // holds one token while the snapshot is behind
	life     context.Context
	end      context.CancelFunc
	tasks    sync.WaitGroup
}

// New joins the two back ends. It reads nothing yet: see Warm.
func New(panel Panel, integration Integration, options Options) *Catalog {
	c := &Catalog{
		known:     &known{ids: map[string]bool{}},
		minors:    minors{byID: map[string]agency.Talent{}},
		strangers: newStrangers(),
		fresh:     options.Fresh,
		kids:      options.Kids,
		snapshot:  options.Snapshot,
		log:       options.Log,
		unsaved:   make(chan struct{}, 1),
	}
	if c.fresh <= 0 {
		c.fresh = defaultFresh
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	c.life, c.end = context.WithCancel(context.Background())

	c.rosters = newShelf(c, "roster", func(ctx context.Context, _ only) (*Roster, error) {
		list, err := integration.Talents(ctx)
		if err != nil {
			return nil, expected(err)
		}
		list, heeds := c.minors.apply(list)
		roster := newRoster(list, c.kids, heeds)
		c.known.add(roster.All()...)
		return roster, nil
	}, (*Roster).same)
	c.slides = newShelf(c, "slides", func(ctx context.Context, _ only) ([]agency.Slide, error) {
		slides, err := panel.Slides(ctx, homeSlides)
		return slides, expected(err)
	}, deepEqual)
	c.social = newShelf(c, "social media", func(ctx context.Context, _ only) ([]agency.SocialMedia, error) {
		social, err := panel.SocialMedias(ctx)
		return social, expected(err)
	}, deepEqual)
	c.options = newShelf(c, "options", func(ctx context.Context, query agency.OptionsQuery) (agency.Options, error) {
		options, err := integration.Options(ctx, query)
		return options, expected(err)
	}, deepEqual)

	c.profiles = newShelf(c, "profile", func(ctx context.Context, id string) (agency.Talent, error) {
		talent, err := integration.Profile(ctx, id)
		if err == nil {
			c.known.add(talent)
			c.noteMinor(talent)
		}
		return talent, err
	}, deepEqual)
	c.entities = newShelf(c, "entity", func(ctx context.Context, key entityKey) (agency.Entity, error) {
		return panel.Entity(ctx, key.Name, key.Lang)
	}, deepEqual)
	c.pages = newShelf(c, "posts", func(ctx context.Context, key pageKey) (agency.PostPage, error) {
		return panel.Posts(ctx, key.Kind, key.Paginate, key.Page)
	}, deepEqual)
	c.posts = newShelf(c, "post", func(ctx context.Context, key postKey) (agency.Post, error) {
		return panel.Post(ctx, key.Kind, key.Slug)
	}, deepEqual)
	return c
}

// expected says that what a back end always has is not gone when it answers "not found": it is
// out of order, and the old copy stays.
func expected(err error) error {
	if errors.Is(err, agency.ErrNotFound) {
		return fmt.Errorf("%w: the back end does not have it", agency.ErrUnavailable)
	}
	return err
}

func deepEqual[V any](a, b V) bool { return reflect.DeepEqual(a, b) }

// Roster is the list of all talents with its index.
func (c *Catalog) Roster(ctx context.Context) (*Roster, error) {
	roster, err := c.rosters.get(ctx, whole)
	if err != nil {
		return nil, err
	}
	return c.minors.shown(roster), nil
}

// keptRoster is the roster where it is there. It asks no back end.
func (c *Catalog) keptRoster() (*Roster, bool) {
	roster, ok := c.rosters.peek(whole)
	if !ok {
		return nil, false
	}
	return c.minors.shown(roster), true
}

// noteMinor lets the roster heed what a profile says of its talent.
func (c *Catalog) noteMinor(profile agency.Talent) {
	if !c.minors.note(profile) {
		return
	}
	if roster, ok := c.rosters.peek(whole); ok {
		c.minors.heed(roster)
	}
}

// Talent is a talent with galleries. Where the back end is down and has never been asked for
// this one, it is the roster's entry, marked as partial. The error wraps agency.ErrGone
// for one that there was and that the back end no longer has.
func (c *Catalog) Talent(ctx context.Context, id string) (agency.Talent, error) {
	if _, listed := c.rosters.peek(whole); listed && !c.known.has(id) && !c.profiles.has(id) {
		if err := c.strangers.allow(); err != nil {
			return agency.Talent{}, err
		}
	}
	talent, err := c.profiles.get(ctx, id)
	if err == nil {
		c.complete(ctx, &talent)
	}
	if errors.Is(err, agency.ErrUnavailable) {
		if roster, ok := c.keptRoster(); ok {
			if listed := roster.ByID(id); listed != nil {
				partial := *listed
				partial.Partial = true
				return partial, nil
			}
		}
	}
	if errors.Is(err, agency.ErrNotFound) && c.known.has(id) {
		err = fmt.Errorf("catalog: talent: %w", agency.ErrGone)
	}
	return talent, err
}

// complete fills in from the roster what a profile does not say and the rule for minors rests on.
func (c *Catalog) complete(ctx context.Context, t *agency.Talent) {
	roster, err := c.Roster(ctx)
	if err != nil {
		return // nothing better is known
	}
	listed := roster.ByID(t.ID)
	if listed == nil {
		return
	}
	if len(t.Categories) == 0 {
		t.Categories = listed.Categories
	}
	t.Heed(listed, time.Now())
}

// Slides are the pictures of the home page.
func (c *Catalog) Slides(ctx context.Context) ([]agency.Slide, error) {
	return c.slides.get(ctx, whole)
}

// SocialMedias are the links to the agency's profiles elsewhere.
func (c *Catalog) SocialMedias(ctx context.Context) ([]agency.SocialMedia, error) {
	return c.social.get(ctx, whole)
}

// Entity is a named page in a language; see agency.Entity for the language it comes in.
func (c *Catalog) Entity(ctx context.Context, name, lang string) (agency.Entity, error) {
	entity, err := c.entities.get(ctx, entityKey{name, lang})
	if errors.Is(err, agency.ErrNotFound) {
		c.lacking.Store(name, true)
	} else if err == nil {
		c.lacking.Delete(name)
	}
	return entity, err
}

// Lacks reports that the panel did not have a named page when it was last asked. It asks nobody.
func (c *Catalog) Lacks(name string) bool {
	_, lacks := c.lacking.Load(name)
	return lacks
}

// Options are the lists of the application form in a language, with the cities of a country
// (its id) where one is given.
func (c *Catalog) Options(ctx context.Context, language, country string) (agency.Options, error) {
	return c.options.get(ctx, agency.OptionsQuery{Language: language, Country: country})
}

// Forget drops all that is kept, so that the next reader gets what the back ends say now. It is
// for the development server, where nobody wants the old copy first.
func (c *Catalog) Forget() {
	c.rosters.forget()
	c.profiles.forget()
	c.options.forget()
	c.slides.forget()
	c.social.forget()
	c.entities.forget()
	c.pages.forget()
	c.posts.forget()
}

// Ready is nil as soon as there is something to show, the lists or the home page. It asks no
// back end.
func (c *Catalog) Ready(context.Context) error {
	_, roster := c.rosters.peek(whole)
	_, slides := c.slides.peek(whole)
	if roster || slides {
		return nil
	}
	return fmt.Errorf("catalog: neither talents nor slides yet: %w", agency.ErrUnavailable)
}

// Close ends what goes on in the background and stores the snapshot.
func (c *Catalog) Close() {
	c.end()
	c.tasks.Wait()
}
