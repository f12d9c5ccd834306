// Package catalog caches the content of the two back ends for the screens: talents, pages and posts, refreshed in the
// background and served stale when a back end is down.
package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

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
	Talents(ctx context.Context) ([]*agency.Talent, error)
	Profile(ctx context.Context, id string) (agency.Talent, error)
	Options(ctx context.Context, query agency.OptionsQuery) (agency.Options, error)
}

// Options are the catalogue's settings.
type Options struct {
	// FreshFor is how long an answer is served before it is refreshed; 0 means DefaultFreshFor.
	FreshFor time.Duration
	// Wait is how long a visit waits for content that is not cached yet; 0 means two seconds. See Catalog.Visit.
	Wait time.Duration
	// Languages are those in which the privacy and safety pages are kept ready; none means English only.
	Languages []string
	// Pictures refuses the pictures of talents who are no longer shown; nil where there are none.
	Pictures Pictures
	// Snapshot is the file that keeps the last good answers over a restart; empty for none. It holds birth dates, which
	// the rule for minors needs, and is readable by its owner only.
	Snapshot string
	// HiddenFile keeps over a restart which talents the operator has hidden; empty for none.
	HiddenFile string
	Kids       KidsListed
	Log        *slog.Logger
}

const (
	// DefaultFreshFor is how long an answer is served before it is refreshed.
	DefaultFreshFor = time.Minute
	defaultWait     = 2 * time.Second
	homeSlides      = "home" // the only kind of slides that the site shows
	// maxFetches is how many fetches one back end gets at once for keys that visitors choose: they must not pile up
	// when it hangs.
	maxFetches = 64
)

// singleton is the key of a cache with a single entry.
type singleton struct{}

// The named pages that are kept ready. Some panels have no Safety.
const (
	Privacy = "privacy"
	Safety  = "safety"
)

// The keys of the other caches; exported fields, as the snapshot stores them.
type (
	entityKey struct{ Name, Lang string }
	pageKey   struct {
		Kind           string
		Paginate, Page int
	}
	postKey struct{ Kind, Slug string }
)

// Catalog answers from its cache. Values that it returns are shared and must not be changed. Its errors wrap
// agency.ErrNotFound or agency.ErrUnavailable; the latter only if nothing is cached.
type Catalog struct {
	rosters  *contentCache[singleton, *Roster]
	profiles *contentCache[string, agency.Talent]
	options  *contentCache[agency.OptionsQuery, agency.Options]
	slides   *contentCache[singleton, []agency.Slide]
	social   *contentCache[singleton, []agency.SocialMedia]
	entities *contentCache[entityKey, agency.Entity]
	pages    *contentCache[pageKey, agency.PostPage]
	posts    *contentCache[postKey, agency.Post]

	seen      *seenIDs // ids of current and former talents
	minors    minors
	hidden    hidden
	withdrawn withdrawn
	unknown   unknownLimiter

	profile     func(ctx context.Context, id string) (agency.Talent, error) // read from the back end
	corrections atomic.Int64                                                // of the roster: see current
	correcting  sync.Mutex                                                  // held while it is corrected
	version     atomic.Uint64

	fresh, visitWait time.Duration
	kids             KidsListed
	languages        []string
	pictures         Pictures
	log              *slog.Logger

	snapshot   string
	hiddenFile string
	unsaved    chan struct{} // holds one token while the snapshot is out of date
	saving     sync.Mutex    // held while one of the two files is written

	mu     sync.Mutex // held while a task starts, so that none starts after Close
	ctx    context.Context
	cancel context.CancelFunc
	tasks  sync.WaitGroup
}

// New makes a catalogue of the two back ends. It reads nothing yet: see Warm.
func New(panel Panel, integration Integration, options Options) *Catalog {
	c := &Catalog{
		seen: &seenIDs{ids: map[string]bool{}},
		minors: minors{
			byID: map[string]ageRecord{}, failed: map[string]bool{}, limit: rate.NewLimiter(readPerSecond, readBurst),
		},
		withdrawn:  withdrawn{left: map[string][]string{}, refused: map[string]bool{}},
		profile:    integration.Profile,
		hidden:     hidden{byID: map[string][]string{}},
		unknown:    newUnknownLimiter(),
		fresh:      cmp.Or(options.FreshFor, DefaultFreshFor),
		visitWait:  cmp.Or(options.Wait, defaultWait),
		kids:       options.Kids,
		languages:  options.Languages,
		pictures:   options.Pictures,
		log:        options.Log,
		snapshot:   options.Snapshot,
		hiddenFile: options.HiddenFile,
		unsaved:    make(chan struct{}, 1),
	}
	if len(c.languages) == 0 {
		c.languages = []string{"en"}
	}
	if c.pictures == nil {
		c.pictures = noPictures{}
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())

	c.rosters = newCache(c, "roster", func(ctx context.Context, _ singleton) (*Roster, error) {
		list, err := integration.Talents(ctx)
		if err != nil {
			return nil, notFoundAsUnavailable(err)
		}
		c.readAges(ctx, list)
		previous, _ := c.cachedRoster()
		if previous != nil && len(list) > 0 && len(list) == len(previous.list) && &list[0] == &previous.list[0] {
			return previous, nil
		}
		roster := c.newRoster(list)
		c.seen.add(roster.All()...)
		c.noteLeft(previous, roster)
		return roster, nil
	}, (*Roster).equal)
	c.rosters.onChange = c.rosterChanged
	c.slides = newCache(c, "slides", func(ctx context.Context, _ singleton) ([]agency.Slide, error) {
		slides, err := panel.Slides(ctx, homeSlides)
		return slides, notFoundAsUnavailable(err)
	}, deepEqual)
	c.social = newCache(c, "social media", func(ctx context.Context, _ singleton) ([]agency.SocialMedia, error) {
		social, err := panel.SocialMedias(ctx)
		return social, notFoundAsUnavailable(err)
	}, deepEqual)
	c.options = newCache(c, "options", func(ctx context.Context, query agency.OptionsQuery) (agency.Options, error) {
		options, err := integration.Options(ctx, query)
		return options, notFoundAsUnavailable(err)
	}, deepEqual)

	c.profiles = newCache(c, "profile", func(ctx context.Context, id string) (agency.Talent, error) {
		talent, err := integration.Profile(ctx, id)
		if err == nil {
			c.noteAge(&talent)
			c.restorePictures(talent.PictureFiles()...)
		}
		return talent, err
	}, deepEqual)
	c.profiles.onChange = c.profileChanged
	c.entities = newCache(c, "entity", func(ctx context.Context, key entityKey) (agency.Entity, error) {
		return panel.Entity(ctx, key.Name, key.Lang)
	}, deepEqual)
	c.pages = newCache(c, "posts", func(ctx context.Context, key pageKey) (agency.PostPage, error) {
		return panel.Posts(ctx, key.Kind, key.Paginate, key.Page)
	}, deepEqual)
	c.posts = newCache(c, "post", func(ctx context.Context, key postKey) (agency.Post, error) {
		return panel.Post(ctx, key.Kind, key.Slug)
	}, deepEqual)

	// Visitors choose the keys of these caches.
	fromIntegration, fromPanel := semaphore.NewWeighted(maxFetches), semaphore.NewWeighted(maxFetches)
	c.profiles.slots, c.options.slots = fromIntegration, fromIntegration
	c.entities.slots, c.pages.slots, c.posts.slots = fromPanel, fromPanel, fromPanel
	return c
}

// start runs a task in the background until Close. It returns false if the catalogue is closed.
func (c *Catalog) start(task func(context.Context)) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil {
		return false
	}
	c.tasks.Go(func() { task(c.ctx) })
	return true
}

// notFoundAsUnavailable turns "not found" into "unavailable" for content that every back end has: such a back end is
// out of order, and the old copy stays.
func notFoundAsUnavailable(err error) error {
	if errors.Is(err, agency.ErrNotFound) {
		return fmt.Errorf("%w: the back end does not have it", agency.ErrUnavailable)
	}
	return err
}

func deepEqual[V any](a, b V) bool { return reflect.DeepEqual(a, b) }

// Roster is the list of all talents.
func (c *Catalog) Roster(ctx context.Context) (*Roster, error) {
	roster, err := c.rosters.get(ctx, singleton{})
	if err != nil {
		return nil, err
	}
	return c.current(roster), nil
}

// cachedRoster is the roster if it is cached. It makes no request.
func (c *Catalog) cachedRoster() (*Roster, bool) {
	roster, ok := c.rosters.peek(singleton{})
	if !ok {
		return nil, false
	}
	return c.current(roster), true
}

// newRoster makes a roster of a list without hidden talents, and corrected by what profiles say.
func (c *Catalog) newRoster(list []*agency.Talent) *Roster {
	corrections, now := c.corrections.Load(), time.Now()
	roster := newRoster(list, c.kids, func(t *agency.Talent) *agency.Talent {
		if c.hidden.has(t.ID) {
			return nil
		}
		return c.minors.protect(t, now)
	})
	roster.corrections = corrections
	return roster
}

// correctRoster makes the roster anew before it is read again: a talent was hidden, or a profile said something new.
func (c *Catalog) correctRoster() {
	c.corrections.Add(1)
	c.changed()
}

// current is the roster with all corrections.
func (c *Catalog) current(roster *Roster) *Roster {
	if roster.corrections == c.corrections.Load() {
		return roster
	}
	c.correcting.Lock()
	defer c.correcting.Unlock()
	if latest, ok := c.rosters.peek(singleton{}); ok {
		roster = latest
	}
	if roster.corrections == c.corrections.Load() {
		return roster
	}
	corrected := c.newRoster(roster.list)
	c.rosters.replace(singleton{}, func(cached *Roster) *Roster {
		if cached == roster {
			return corrected
		}
		return cached // a newer one, which is corrected when it is read
	})
	return corrected
}

// Talent is a talent with galleries. If the back end is down and the profile is not cached, it is the roster's entry,
// marked as partial. The error wraps agency.ErrGone for a former talent whom the back end no longer has.
func (c *Catalog) Talent(ctx context.Context, id string) (agency.Talent, error) {
	if c.hidden.has(id) {
		return agency.Talent{}, fmt.Errorf("catalog: talent: %w", agency.ErrGone)
	}
	if err := c.checkListed(ctx, id); err != nil {
		return agency.Talent{}, err
	}
	talent, err := c.profiles.get(ctx, id)
	if err == nil {
		c.complete(ctx, &talent)
	}
	if errors.Is(err, agency.ErrUnavailable) {
		if roster, ok := c.cachedRoster(); ok {
			if listed := roster.ByID(id); listed != nil {
				partial := *listed
				partial.Partial = true
				return partial, nil
			}
		}
	}
	if errors.Is(err, agency.ErrNotFound) && c.seen.has(id) {
		err = fmt.Errorf("catalog: talent: %w", agency.ErrGone)
	}
	return talent, err
}

// checkListed is an error for a talent who is not on the list: agency.ErrGone if they once were, agency.ErrNotFound
// after a look at a new list, since they may have been added a moment ago. Without a list it is none.
func (c *Catalog) checkListed(ctx context.Context, id string) error {
	roster, ok := c.cachedRoster()
	switch {
	case !ok || roster.listed[id] != nil:
		return nil
	case c.seen.has(id):
		return fmt.Errorf("catalog: talent: %w", agency.ErrGone)
	}
	if err := c.unknown.allow(clientOf(ctx)); err != nil {
		return err
	}
	roster, err := c.rosters.getNewer(ctx, singleton{}, listTTL)
	if err == nil && roster.listed[id] == nil {
		err = fmt.Errorf("catalog: talent: %w", agency.ErrNotFound)
	}
	return err
}

// complete fills in from the roster what the rule for minors needs and the profile lacks.
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
	t.MergeProtection(listed, time.Now())
}

// Slides are the pictures of the home page.
func (c *Catalog) Slides(ctx context.Context) ([]agency.Slide, error) {
	return c.slides.get(ctx, singleton{})
}

// SocialMedias are the links to the agency's profiles elsewhere.
func (c *Catalog) SocialMedias(ctx context.Context) ([]agency.SocialMedia, error) {
	return c.social.get(ctx, singleton{})
}

// Entity is a named page in a language; see agency.Entity for the language it comes in.
func (c *Catalog) Entity(ctx context.Context, name, lang string) (agency.Entity, error) {
	return c.entities.get(ctx, entityKey{name, lang})
}

// EntityMissing reports whether the panel did not have a named page when it was last read. It makes no request.
func (c *Catalog) EntityMissing(name string) bool {
	missing := false
	for _, lang := range c.languages {
		if _, ok := c.entities.peek(entityKey{name, lang}); ok {
			return false
		}
		missing = missing || c.entities.isMissing(entityKey{name, lang})
	}
	return missing
}

// Options are the lists of the application form in a language, with the cities of a country
// (its id) where one is given.
func (c *Catalog) Options(ctx context.Context, language, country string) (agency.Options, error) {
	return c.options.get(ctx, agency.OptionsQuery{Language: language, Country: country})
}

// Clear empties the cache, so that the next reader gets fresh content. It is for the development server, which must
// not serve stale copies.
func (c *Catalog) Clear() {
	defer c.version.Add(1)
	c.rosters.forget()
	c.profiles.forget()
	c.options.forget()
	c.slides.forget()
	c.social.forget()
	c.entities.forget()
	c.pages.forget()
	c.posts.forget()
}

// Version changes whenever the catalogue has new content: an answer that is new or differs from the cached one. The
// first answer for a profile does not count, because only its own page shows it. A page made from the catalogue is
// valid as long as the version.
func (c *Catalog) Version() uint64 { return c.version.Load() }

// Ready is nil as soon as the boards can be shown. It makes no request.
func (c *Catalog) Ready(context.Context) error {
	if _, ok := c.cachedRoster(); !ok {
		return fmt.Errorf("catalog: no talents yet: %w", agency.ErrUnavailable)
	}
	return nil
}

// Ages are the ages of the content that every page needs, as far as it is cached.
func (c *Catalog) Ages() map[string]time.Duration {
	ages := map[string]time.Duration{}
	note := func(what string, age time.Duration, ok bool) {
		if ok {
			ages[what] = age
		}
	}
	age, ok := c.rosters.age(singleton{})
	note("roster", age, ok)
	age, ok = c.slides.age(singleton{})
	note("slides", age, ok)
	age, ok = c.social.age(singleton{})
	note("social media", age, ok)
	return ages
}

// Close ends the background tasks and writes the snapshot.
func (c *Catalog) Close() {
	c.mu.Lock()
	c.cancel()
	c.mu.Unlock()
	c.tasks.Wait()
	c.saveIfNeeded()
}
