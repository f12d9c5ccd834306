package remote

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"zedcard/internal/agency"
)

// Options are the settings of a Content.
type Options struct {
	// FreshFor is how long an answer is served before it is refreshed; 0 means DefaultFreshFor.
	FreshFor time.Duration
	// Wait is how long a visit waits for content that is not cached yet; 0 means two seconds. See Visit.
	Wait time.Duration
	// Languages are those in which the privacy and safety pages are kept ready; nil means English only.
	Languages func() []string
	// Held is told once that a list is so much shorter than the last one that it is not taken; nil: every list is.
	Held func(gone, of int)
	// Snapshot is the file that keeps the last good answers over a restart; empty for none. It holds birth dates, which
	// the rule for minors needs, and is readable by its owner only.
	Snapshot string
	Log      *slog.Logger
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

// The keys of the other caches; exported fields, as the snapshot stores them.
type (
	entityKey struct{ Name, Lang string }
	pageKey   struct {
		Kind           string
		Paginate, Page int
	}
	postKey struct{ Kind, Slug string }
)

// Content is what the two back ends have answered, refreshed in the background and served stale while one is down.
// Values that it returns are shared and must not be changed. Its errors wrap agency.ErrNotFound or
// agency.ErrUnavailable; the latter only if nothing is cached.
type Content struct {
	options     Options
	integration agency.Integration
	log         *slog.Logger

	lists    *contentCache[single, []*agency.Talent]
	profiles *contentCache[string, agency.Talent]
	choices  *contentCache[agency.OptionsQuery, agency.Options]
	slides   *contentCache[single, []agency.Slide]
	social   *contentCache[single, []agency.SocialMedia]
	entities *contentCache[entityKey, agency.Entity]
	pages    *contentCache[pageKey, agency.PostPage]
	posts    *contentCache[postKey, agency.Post]
	version  atomic.Uint64

	list        atomic.Pointer[list] // the latest; nil: there is none
	making      sync.Mutex           // held while a list is made
	held        bool                 // the last list was; of the reader of lists
	ages        sync.Map             // what profiles say of ages, as an ageRecord by id
	readingAges atomic.Bool          // profiles are being read for it

	unsaved atomic.Bool // the snapshot is out of date

	mu     sync.Mutex // held while a task starts, so that none starts after Close
	ctx    context.Context
	cancel context.CancelFunc
	tasks  sync.WaitGroup
}

// NewContent makes the content of two back ends. It reads nothing yet: see Warm.
func NewContent(panel agency.Panel, integration agency.Integration, options Options) *Content {
	options.FreshFor = cmp.Or(options.FreshFor, DefaultFreshFor)
	options.Wait = cmp.Or(options.Wait, defaultWait)
	if options.Languages == nil {
		options.Languages = func() []string { return []string{"en"} }
	}
	options.Log = cmp.Or(options.Log, slog.New(slog.DiscardHandler))
	c := &Content{options: options, integration: integration, log: options.Log}
	c.ctx, c.cancel = context.WithCancel(context.Background())

	// Visitors choose the keys of caches with slots.
	fromIntegration, fromPanel := semaphore.NewWeighted(maxFetches), semaphore.NewWeighted(maxFetches)
	c.lists = newCache(c, "roster", nil, c.readList)
	c.profiles = newCache(c, "profile", fromIntegration, c.readProfile)
	c.profiles.firstIsQuiet = true
	c.choices = newCache(c, "options", fromIntegration, integration.Options)
	c.slides = newCache(c, "slides", nil, func(ctx context.Context, _ single) ([]agency.Slide, error) {
		return panel.Slides(ctx, "home")
	})
	c.social = newCache(c, "social media", nil, func(ctx context.Context, _ single) ([]agency.SocialMedia, error) {
		return panel.SocialMedias(ctx)
	})
	c.lists.always, c.choices.always, c.slides.always, c.social.always = true, true, true, true
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

// begin is called before a task, which calls tasks.Done at its end. It returns false if the content is closed.
func (c *Content) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil {
		return false
	}
	c.tasks.Add(1)
	return true
}

// start runs a task in the background until Close. It returns false if the content is closed.
func (c *Content) start(task func(context.Context)) bool {
	if !c.begin() {
		return false
	}
	go func() {
		defer c.tasks.Done()
		task(c.ctx)
	}()
	return true
}

// list is the latest list of talents.
type list struct {
	said  []*agency.Talent // as the integration gave it
	shown []*agency.Talent // the same, protected by what profiles say
	at    map[string]int   // positions by id
}

// find finds a talent; nil: nobody of the id is listed.
func (l *list) find(id string) (said, shown *agency.Talent) {
	if l == nil {
		return nil, nil
	}
	at, ok := l.at[id]
	if !ok {
		return nil, nil
	}
	return l.said[at], l.shown[at]
}

// readList reads the list of talents. One that is empty, or a third shorter than the last one, is not taken: a back end
// that is half restored must not take the agency off its site.
func (c *Content) readList(ctx context.Context, _ single) ([]*agency.Talent, error) {
	said, err := c.integration.Talents(ctx)
	if err != nil {
		return nil, err
	}
	c.readAges(ctx, said)
	if last := c.list.Load(); last != nil {
		of, left := len(last.said), len(said)
		isHeld := c.options.Held != nil && agency.AreLost(of-left, of, left)
		if isHeld && !c.held {
			c.options.Held(of-left, of)
		}
		if c.held = isHeld; isHeld || reflect.DeepEqual(last.said, said) {
			return last.said, nil
		}
	}
	c.makeList(said)
	return said, nil
}

// makeList makes the list that is shown.
func (c *Content) makeList(said []*agency.Talent) {
	c.making.Lock()
	defer c.making.Unlock()
	made := &list{said: said, at: make(map[string]int, len(said))}
	for i, t := range said {
		made.at[t.ID] = i
		made.shown = append(made.shown, c.protect(t))
	}
	c.list.Store(made)
}

// remakeList makes the list anew, since a profile said something new of an age.
func (c *Content) remakeList() {
	if last := c.list.Load(); last != nil {
		c.makeList(last.said)
	}
	c.version.Add(1)
	c.unsaved.Store(true)
}

// Talents are all talents, without galleries. It is the same list until one differs.
func (c *Content) Talents(ctx context.Context) ([]*agency.Talent, error) {
	if _, err := c.lists.get(ctx, only); err != nil {
		return nil, err
	}
	return c.list.Load().shown, nil
}

// Profile is a talent with galleries. One who is not on the list is looked for on a new one, since they may have been
// added a moment ago.
func (c *Content) Profile(ctx context.Context, id string) (agency.Talent, error) {
	if c.isUnlisted(id) {
		if _, err := c.lists.getNewer(ctx, only, listTTL); err != nil {
			return agency.Talent{}, err
		}
		if c.isUnlisted(id) {
			return agency.Talent{}, fmt.Errorf("talent: %w", agency.ErrNotFound)
		}
	}
	return c.profiles.get(ctx, id)
}

// isUnlisted reports whether there is a list, and a talent is not on it.
func (c *Content) isUnlisted(id string) bool {
	last := c.list.Load()
	said, _ := last.find(id)
	return last != nil && said == nil
}

// Known is the profile of a talent if it is cached; without an id if it is not.
func (c *Content) Known(id string) agency.Talent {
	got, _ := c.profiles.entries.Get(id)
	return got.value
}

// readProfile reads the profile of a talent.
func (c *Content) readProfile(ctx context.Context, id string) (agency.Talent, error) {
	talent, err := c.integration.Profile(ctx, id)
	if err == nil {
		c.noteAge(&talent)
	}
	return talent, err
}

// Slides are those of the home page, the only kind that the site shows.
func (c *Content) Slides(ctx context.Context, _ string) ([]agency.Slide, error) {
	return c.slides.get(ctx, only)
}

// SocialMedias are the links to the agency's profiles elsewhere.
func (c *Content) SocialMedias(ctx context.Context) ([]agency.SocialMedia, error) {
	return c.social.get(ctx, only)
}

// Entity is a named page in a language; see agency.Entity for the language it comes in.
func (c *Content) Entity(ctx context.Context, name, lang string) (agency.Entity, error) {
	return c.entities.get(ctx, entityKey{name, lang})
}

// Lacks reports whether the panel did not have a named page when it was last read. It makes no request.
func (c *Content) Lacks(name string) bool {
	missing := false
	for _, lang := range c.options.Languages() {
		got, cached := c.entities.entries.Get(entityKey{name, lang})
		if cached && !got.missing {
			return false
		}
		missing = missing || got.missing
	}
	return missing
}

// Options are the lists of the application form.
func (c *Content) Options(ctx context.Context, query agency.OptionsQuery) (agency.Options, error) {
	return c.choices.get(ctx, query)
}

// Posts is a page of a type's posts.
func (c *Content) Posts(ctx context.Context, kind string, size, page int) (agency.PostPage, error) {
	return c.pages.get(ctx, pageKey{kind, size, page})
}

// Post is a single post.
func (c *Content) Post(ctx context.Context, kind, slug string) (agency.Post, error) {
	return c.posts.get(ctx, postKey{kind, slug})
}

// Version changes whenever there is new content: an answer that is new or differs from the cached one. The first answer
// for a profile does not count, because only its own page shows it. A page made from the content is valid as long as
// the version.
func (c *Content) Version() uint64 { return c.version.Load() }

// Ready is nil as soon as the boards can be shown. It makes no request.
func (c *Content) Ready(context.Context) error {
	if c.list.Load() == nil {
		return fmt.Errorf("no talents yet: %w", agency.ErrUnavailable)
	}
	return nil
}

// Ages are the ages of the content that every page needs, as far as it is cached.
func (c *Content) Ages() map[string]time.Duration {
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
func (c *Content) Close() {
	c.mu.Lock()
	c.cancel()
	c.mu.Unlock()
	c.tasks.Wait()
	c.save()
}
