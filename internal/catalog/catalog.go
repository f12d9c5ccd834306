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
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"zedcard/internal/agency"
)

// Options are the catalogue's settings.
type Options struct {
	// FreshFor is how long an answer is served before it is refreshed; 0 means DefaultFreshFor.
	FreshFor time.Duration
	// Wait is how long a visit waits for content that is not cached yet; 0 means two seconds. See Catalog.Visit.
	Wait time.Duration
	// Languages are those in which the privacy and safety pages are kept ready; nil means English only.
	Languages func() []string
	// Pictures refuses the pictures of talents who are no longer shown; nil where there are none.
	Pictures Pictures
	// KidsEverywhere lists talents in kids on every board that their other categories name, and not on the kids board
	// only.
	KidsEverywhere bool
	// Source is the version of what the back ends answer, where they know it: an answer is fresh until it changes. nil:
	// answers are fresh for FreshFor.
	Source func() uint64
	// Boards are those of the site as it is now; nil: the default ones.
	Boards func() *agency.Boards
	// Held is told once that a list is so much shorter than the last one that it is not taken; nil: every list is.
	Held func(gone, of int)
	// Snapshot is the file that keeps the last good answers over a restart; empty for none. It holds birth dates, which
	// the rule for minors needs, and is readable by its owner only.
	Snapshot string
	// HiddenFile keeps over a restart which talents the operator has hidden; empty for none.
	HiddenFile string
	Log        *slog.Logger
}

const (
	// DefaultFreshFor is how long an answer is served before it is refreshed.
	DefaultFreshFor = time.Minute
	defaultWait     = 2 * time.Second
	// maxFetches is how many fetches one back end gets at once for keys that visitors choose: they must not pile up
	// when it hangs.
	maxFetches = 64
)

// single is the type of the key of a cache with a single entry.
type single bool

const only single = true

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
	settings    Options
	integration agency.Integration
	log         *slog.Logger

	lists    *contentCache[single, []*agency.Talent]
	profiles *contentCache[string, agency.Talent]
	options  *contentCache[agency.OptionsQuery, agency.Options]
	slides   *contentCache[single, []agency.Slide]
	social   *contentCache[single, []agency.SocialMedia]
	entities *contentCache[entityKey, agency.Entity]
	pages    *contentCache[pageKey, agency.PostPage]
	posts    *contentCache[postKey, agency.Post]

	roster  atomic.Pointer[Roster] // of the latest list; nil: there is none
	making  sync.Mutex             // held while a roster is made
	held    bool                   // the last list was; of the reader of lists
	version atomic.Uint64

	// seen are the ids of all talents that the back end has ever listed, as far back as the snapshot knows: a page that
	// is gone (410) differs from a wrong address (404).
	seen        sync.Map
	ages        sync.Map    // what profiles say of ages, as an ageRecord by id
	readingAges atomic.Bool // profiles are being read for it
	gone        gone

	unsaved atomic.Bool // the snapshot is out of date

	mu     sync.Mutex // held while a task starts, so that none starts after Close
	ctx    context.Context
	cancel context.CancelFunc
	tasks  sync.WaitGroup
}

// New makes a catalogue of the two back ends. It reads nothing yet: see Warm.
func New(panel agency.Panel, integration agency.Integration, options Options) *Catalog {
	options.FreshFor = cmp.Or(options.FreshFor, DefaultFreshFor)
	options.Wait = cmp.Or(options.Wait, defaultWait)
	if options.Boards == nil {
		boards := agency.NewBoards(nil)
		options.Boards = func() *agency.Boards { return boards }
	}
	if options.Languages == nil {
		options.Languages = func() []string { return []string{"en"} }
	}
	options.Log = cmp.Or(options.Log, slog.New(slog.DiscardHandler))
	c := &Catalog{
		settings: options, integration: integration, log: options.Log,
		gone: gone{left: map[string][]string{}},
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())

	// Visitors choose the keys of caches with slots.
	fromIntegration, fromPanel := semaphore.NewWeighted(maxFetches), semaphore.NewWeighted(maxFetches)
	c.lists = newCache(c, "roster", nil, c.readList)
	c.profiles = newCache(c, "profile", fromIntegration, c.readProfile)
	c.profiles.firstIsQuiet = true
	c.options = newCache(c, "options", fromIntegration, integration.Options)
	c.slides = newCache(c, "slides", nil, func(ctx context.Context, _ single) ([]agency.Slide, error) {
		return panel.Slides(ctx, "home")
	})
	c.social = newCache(c, "social media", nil, func(ctx context.Context, _ single) ([]agency.SocialMedia, error) {
		return panel.SocialMedias(ctx)
	})
	c.lists.always, c.options.always, c.slides.always, c.social.always = true, true, true, true
	c.entities = newCache(c, "entity", fromPanel, func(ctx context.Context, key entityKey) (agency.Entity, error) {
		return panel.Entity(ctx, key.Name, key.Lang)
	})
	c.pages = newCache(c, "posts", fromPanel, func(ctx context.Context, key pageKey) (agency.PostPage, error) {
		return panel.Posts(ctx, key.Kind, key.Paginate, key.Page)
	})
	c.posts = newCache(c, "post", fromPanel, func(ctx context.Context, key postKey) (agency.Post, error) {
		return panel.Post(ctx, key.Kind, key.Slug)
	})
	return c
}

// begin is called before a task, which calls tasks.Done at its end. It returns false if the catalogue is closed.
func (c *Catalog) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil {
		return false
	}
	c.tasks.Add(1)
	return true
}

// start runs a task in the background until Close. It returns false if the catalogue is closed.
func (c *Catalog) start(task func(context.Context)) bool {
	if !c.begin() {
		return false
	}
	go func() {
		defer c.tasks.Done()
		task(c.ctx)
	}()
	return true
}

// readList reads the list of talents, and makes the roster of it.
func (c *Catalog) readList(ctx context.Context, _ single) ([]*agency.Talent, error) {
	list, err := c.integration.Talents(ctx)
	if err != nil {
		return nil, err
	}
	c.readAges(ctx, list)
	previous := c.roster.Load()
	if c.isHeld(previous, list) ||
		previous != nil && previous.boards == c.settings.Boards() && reflect.DeepEqual(previous.list, list) {
		return previous.list, nil
	}
	c.making.Lock()
	current := c.makeRoster(list)
	c.making.Unlock()
	for _, t := range current.all {
		c.seen.Store(t.ID, true)
	}
	c.noteLeft(previous, current)
	c.refusePictures(nil)
	// The program would keep for minutes what was read for the list, and the one before.
	time.AfterFunc(time.Second, debug.FreeOSMemory)
	return list, nil
}

// readProfile reads the profile of a talent.
func (c *Catalog) readProfile(ctx context.Context, id string) (agency.Talent, error) {
	talent, err := c.integration.Profile(ctx, id)
	if err == nil && !agency.SeesDrafts(ctx) {
		c.noteAge(&talent)
		c.refusePictures(&talent)
	}
	return talent, err
}

// Roster is the list of all talents.
func (c *Catalog) Roster(ctx context.Context) (*Roster, error) {
	if agency.SeesDrafts(ctx) {
		list, err := c.integration.Talents(ctx)
		return c.newRoster(list), err
	}
	if _, err := c.lists.get(ctx, only); err != nil {
		return nil, err
	}
	roster := c.roster.Load()
	if roster.boards != c.settings.Boards() {
		c.RemakeRoster()
		roster = c.roster.Load()
	}
	return roster, nil
}

// makeRoster makes the roster of a list: without hidden talents, and corrected by what profiles say. The caller holds
// making.
func (c *Catalog) makeRoster(list []*agency.Talent) *Roster {
	roster := c.newRoster(list)
	c.roster.Store(roster)
	return roster
}

func (c *Catalog) newRoster(list []*agency.Talent) *Roster {
	return newRoster(list, c.settings.Boards(), c.settings.KidsEverywhere, func(t *agency.Talent) *agency.Talent {
		if c.isHidden(t.ID) {
			return nil
		}
		return c.protect(t)
	})
}

// RemakeRoster makes the roster anew: the site has other boards, a talent was hidden, or a profile said something new.
func (c *Catalog) RemakeRoster() {
	c.making.Lock()
	if roster := c.roster.Load(); roster != nil {
		c.makeRoster(roster.list)
	}
	c.making.Unlock()
	c.version.Add(1)
	c.unsaved.Store(true)
}

// Talent is a talent with galleries. If the back end is down and the profile is not cached, it is the roster's entry,
// marked as partial. The error wraps agency.ErrGone for a former talent whom the back end no longer has.
func (c *Catalog) Talent(ctx context.Context, id string) (agency.Talent, error) {
	if c.isHidden(id) {
		return agency.Talent{}, fmt.Errorf("catalog: talent: %w", agency.ErrGone)
	}
	if !agency.SeesDrafts(ctx) {
		if err := c.checkListed(ctx, id); err != nil {
			return agency.Talent{}, err
		}
	}
	talent, err := c.profiles.get(ctx, id)
	if err == nil {
		c.complete(ctx, &talent)
		talent = *c.settings.Boards().Mark(&talent)
	}
	if errors.Is(err, agency.ErrUnavailable) {
		if listed := c.roster.Load().ByID(id); listed != nil {
			partial := *listed
			partial.Partial = true
			return partial, nil
		}
	}
	if errors.Is(err, agency.ErrNotFound) && c.wasSeen(id) {
		err = fmt.Errorf("catalog: talent: %w", agency.ErrGone)
	}
	return talent, err
}

func (c *Catalog) wasSeen(id string) bool {
	_, ok := c.seen.Load(id)
	return ok
}

// checkListed is an error for a talent who is not on the list: agency.ErrGone if they once were, agency.ErrNotFound
// after a look at a new list, since they may have been added a moment ago. Without a list it is none.
func (c *Catalog) checkListed(ctx context.Context, id string) error {
	if c.settings.Source != nil { // it is in memory
		_, _ = c.lists.get(ctx, only)
	}
	roster := c.roster.Load()
	switch {
	case roster == nil || roster.listed[id] != nil:
		return nil
	case c.wasSeen(id):
		return fmt.Errorf("catalog: talent: %w", agency.ErrGone)
	}
	_, err := c.lists.getNewer(ctx, only, listTTL)
	if err == nil && c.roster.Load().listed[id] == nil {
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
	return c.slides.get(ctx, only)
}

// SocialMedias are the links to the agency's profiles elsewhere.
func (c *Catalog) SocialMedias(ctx context.Context) ([]agency.SocialMedia, error) {
	return c.social.get(ctx, only)
}

// Entity is a named page in a language; see agency.Entity for the language it comes in.
func (c *Catalog) Entity(ctx context.Context, name, lang string) (agency.Entity, error) {
	return c.entities.get(ctx, entityKey{name, lang})
}

// EntityMissing reports whether the panel did not have a named page when it was last read. It makes no request.
func (c *Catalog) EntityMissing(name string) bool {
	missing := false
	for _, lang := range c.settings.Languages() {
		got, cached := c.entities.entries.Get(entityKey{name, lang})
		if cached && !got.missing {
			return false
		}
		missing = missing || got.missing
	}
	return missing
}

// Options are the lists of the application form in a language, with the cities of a country
// (its id) where one is given.
func (c *Catalog) Options(ctx context.Context, language, country string) (agency.Options, error) {
	return c.options.get(ctx, agency.OptionsQuery{Language: language, Country: country})
}

// Version changes whenever the catalogue has new content: an answer that is new or differs from the cached one. The
// first answer for a profile does not count, because only its own page shows it. A page made from the catalogue is
// valid as long as the version.
func (c *Catalog) Version() uint64 { return c.version.Load() + c.source() }

func (c *Catalog) source() uint64 {
	if c.settings.Source == nil {
		return 0
	}
	return c.settings.Source()
}

// Ready is nil as soon as the boards can be shown. It makes no request.
func (c *Catalog) Ready(context.Context) error {
	if c.roster.Load() == nil {
		return fmt.Errorf("catalog: no talents yet: %w", agency.ErrUnavailable)
	}
	return nil
}

// Ages are the ages of the content that every page needs, as far as it is cached.
func (c *Catalog) Ages() map[string]time.Duration {
	ages := map[string]time.Duration{}
	addAge(ages, c.lists)
	addAge(ages, c.slides)
	addAge(ages, c.social)
	return ages
}

func addAge[V any](ages map[string]time.Duration, of *contentCache[single, V]) {
	if got, ok := of.lookUp(only); ok {
		ages[of.name] = time.Since(got.readAt)
	}
}

// Close ends the background tasks and writes the snapshot.
func (c *Catalog) Close() {
	c.mu.Lock()
	c.cancel()
	c.mu.Unlock()
	c.tasks.Wait()
	c.save()
}
