package remote

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/catalog"
)

// agencyFake is both back ends. Its answers may be changed at any time with set.
type agencyFake struct {
	mu    sync.Mutex
	calls map[string]int

	panelDown, integrationDown error         // what every call fails with
	profileDown                error         // what a call of a profile fails with
	delay, profileDelay        time.Duration // before every answer, before a profile
	profilesNow, mostProfiles  int           // that are being read, and the most of them so far
	panics                     bool

	talents  []agency.Talent
	profiles map[string]agency.Talent
	skin     []agency.Option // among the options
	slides   []agency.Slide
	social   []agency.SocialMedia
	posts    []agency.Post // newest first
	entities map[string]agency.Entity
}

func newFake() *agencyFake {
	return &agencyFake{
		calls: map[string]int{},
		talents: []agency.Talent{
			{ID: "1", Name: "Ana", Birthdate: time.Date(2012, 5, 1, 0, 0, 0, 0, time.UTC)},
			{ID: "2", Name: "Zoë"},
		},
		profiles: map[string]agency.Talent{
			"1": {ID: "1", Name: "Ana", Book: []agency.Picture{{ID: "9", File: "a.jpg"}}},
		},
		slides:   []agency.Slide{{Desktop: "one.jpg", Group: 1}},
		social:   []agency.SocialMedia{{Name: "Instagram"}},
		posts:    []agency.Post{{ID: "1", Slug: "primeiro", Title: "Primeiro"}},
		entities: map[string]agency.Entity{"about": {Name: "about", Title: "About"}},
	}
}

func (f *agencyFake) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *agencyFake) called(what string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[what]
}

// call counts a call and returns the current answer.
func call[V any](ctx context.Context, f *agencyFake, what string, down *error, answer func() (V, error)) (V, error) {
	f.mu.Lock()
	f.calls[what]++
	delay := f.delay
	f.mu.Unlock()
	if delay > 0 {
		select {
		case <-ctx.Done():
			var none V
			return none, ctx.Err()
		case <-time.After(delay):
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.panics {
		panic("a client's fault")
	}
	if *down != nil {
		var none V
		return none, *down
	}
	return answer()
}

func (f *agencyFake) Talents(ctx context.Context) ([]*agency.Talent, error) {
	return call(ctx, f, "talents", &f.integrationDown, func() ([]*agency.Talent, error) {
		return refs(f.talents), nil
	})
}

func (f *agencyFake) Profile(ctx context.Context, id string) (agency.Talent, error) {
	f.set(func() {
		f.profilesNow++
		f.mostProfiles = max(f.mostProfiles, f.profilesNow)
	})
	defer f.set(func() { f.profilesNow-- })
	time.Sleep(f.profileDelay)
	return call(ctx, f, "profile "+id, &f.integrationDown, func() (agency.Talent, error) {
		if f.profileDown != nil {
			return agency.Talent{}, f.profileDown
		}
		if t, ok := f.profiles[id]; ok {
			return t, nil
		}
		return agency.Talent{}, fmt.Errorf("integration: talent %s: %w", id, agency.ErrNotFound)
	})
}

func (f *agencyFake) Options(ctx context.Context, query agency.OptionsQuery) (agency.Options, error) {
	return call(ctx, f, "options "+query.Language+query.Country, &f.integrationDown, func() (agency.Options, error) {
		return agency.Options{
			Gender: []agency.Option{{Value: query.Language}}, Cities: []agency.Place{{ID: query.Country}},
			SkinColor: f.skin,
		}, nil
	})
}

func (f *agencyFake) Slides(ctx context.Context, kind string) ([]agency.Slide, error) {
	return call(ctx, f, "slides "+kind, &f.panelDown, func() ([]agency.Slide, error) { return f.slides, nil })
}

func (f *agencyFake) SocialMedias(ctx context.Context) ([]agency.SocialMedia, error) {
	return call(ctx, f, "social", &f.panelDown, func() ([]agency.SocialMedia, error) { return f.social, nil })
}

func (f *agencyFake) Entity(ctx context.Context, name, lang string) (agency.Entity, error) {
	return call(ctx, f, "entity "+name+lang, &f.panelDown, func() (agency.Entity, error) {
		entity, ok := f.entities[name]
		if !ok {
			return entity, agency.ErrNotFound
		}
		entity.Lang = lang
		return entity, nil
	})
}

func (f *agencyFake) Posts(ctx context.Context, kind string, paginate, page int) (agency.PostPage, error) {
	return call(ctx, f, fmt.Sprintf("posts %s %d/%d", kind, paginate, page),
		&f.panelDown, func() (agency.PostPage, error) {
			from, to := min((page-1)*paginate, len(f.posts)), min(page*paginate, len(f.posts))
			last := (len(f.posts) + paginate - 1) / paginate
			return agency.PostPage{Posts: f.posts[from:to], Page: page, LastPage: last}, nil
		})
}

func (f *agencyFake) Post(ctx context.Context, kind, slug string) (agency.Post, error) {
	return call(ctx, f, "post "+slug, &f.panelDown, func() (agency.Post, error) {
		for _, post := range f.posts {
			if post.Slug == slug {
				post.Body = "<p>whole</p>"
				return post, nil
			}
		}
		return agency.Post{}, agency.ErrNotFound
	})
}

var errDown = fmt.Errorf("connection refused: %w", agency.ErrUnavailable)

// opened is the catalogue of both back ends.
type opened struct {
	*catalog.Catalog
	content *Content
}

func (o opened) Close() { o.content.Close() }

// open opens the catalogue of a fake, with a snapshot beside which who is gone is kept; empty: nothing is kept.
func open(t *testing.T, f *agencyFake, snapshot string) opened {
	t.Helper()
	return openWith(t, f, Options{Snapshot: snapshot})
}

func openWith(t *testing.T, f *agencyFake, options Options, pictures ...catalog.Pictures) opened {
	t.Helper()
	o := opened{content: NewContent(f, f, options)}
	t.Cleanup(o.Close)
	settings := catalog.Options{}
	if options.Snapshot != "" {
		settings.Dir = filepath.Dir(options.Snapshot)
	}
	if len(pictures) > 0 {
		settings.Pictures = pictures[0]
	}
	o.Catalog = catalog.Open(func(context.Context) catalog.Content { return o.content }, settings)
	return o
}

// Warm opens the catalogue with what is kept of the last start.
func (o opened) Warm() { o.content.Warm() }

func namesOf(roster *catalog.Roster) (names []string) {
	for _, t := range roster.All() {
		names = append(names, t.Name)
	}
	return names
}

func TestManyColdReadersMakeOneCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.delay = time.Second
		c := open(t, f, "")
		impatient, leave := context.WithCancel(t.Context())
		var readers sync.WaitGroup
		readers.Go(func() { _, _ = c.Roster(impatient) }) // the first, who leaves before the answer
		synctest.Wait()
		for range 500 {
			readers.Go(func() {
				roster, err := c.Roster(t.Context())
				if assert.NoError(t, err) {
					assert.Equal(t, 2, roster.Len())
				}
			})
		}
		synctest.Wait()
		leave()
		readers.Wait()
		assert.Equal(t, 1, f.called("talents"))
	})
}

func TestStaleContentIsServedAndRefreshedInTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		c := open(t, f, "")
		_, err := c.Slides(t.Context())
		require.NoError(t, err)
		f.set(func() { f.slides, f.delay = []agency.Slide{{Desktop: "two.jpg"}}, 3*time.Second })

		time.Sleep(24 * time.Hour)
		asked := time.Now()
		for range 50 {
			slides, err := c.Slides(t.Context())
			require.NoError(t, err)
			assert.Equal(t, "one.jpg", slides[0].Desktop)
		}
		assert.Equal(t, asked, time.Now(), "stale content is served without waiting")

		time.Sleep(4 * time.Second)
		slides, err := c.Slides(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "two.jpg", slides[0].Desktop)
		assert.Equal(t, 2, f.called("slides home"))
	})
}

// Cached pages are as old as the version.
func TestOnlyChangedContentMakesANewVersion(t *testing.T) {
	for what, change := range map[string]func(*agencyFake){
		"roster": func(f *agencyFake) { f.talents = append([]agency.Talent{{ID: "3", Name: "Bia"}}, f.talents...) },
		"profile": func(f *agencyFake) {
			f.profiles = map[string]agency.Talent{"1": {ID: "1", Name: "Ana", Snap: []agency.Picture{{ID: "8"}}}}
		},
		"slides":  func(f *agencyFake) { f.slides = []agency.Slide{{Desktop: "two.jpg"}} },
		"social":  func(f *agencyFake) { f.social = []agency.SocialMedia{{Name: "Elsewhere"}} },
		"options": func(f *agencyFake) { f.skin = []agency.Option{{Value: "any"}} },
		"entity": func(f *agencyFake) {
			f.entities = map[string]agency.Entity{"about": {Name: "about", Title: "Who we are"}}
		},
		"posts": func(f *agencyFake) {
			f.posts = append([]agency.Post{{ID: "2", Slug: "segundo", Title: "Segundo"}}, f.posts...)
		},
		"post": func(f *agencyFake) { f.posts = []agency.Post{{ID: "1", Slug: "primeiro", Title: "Corrected"}} },
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				c := open(t, f, "")
				refreshed := func() uint64 {
					time.Sleep(DefaultFreshFor + time.Second)
					visitAll(t, c)
					synctest.Wait()
					return c.Version()
				}
				visitAll(t, c)
				before := refreshed()
				assert.Equal(t, before, refreshed(), "identical answers keep the version")
				f.set(func() { change(f) })
				assert.Greater(t, refreshed(), before)
			})
		})
	}
}

func TestAFirstProfileChangesTheVersionOnlyForAMinor(t *testing.T) {
	f := newFake()
	f.profiles = map[string]agency.Talent{
		"1": {ID: "1", Name: "Ana", Snap: []agency.Picture{{ID: "8"}}},
		"2": {ID: "2", Name: "Bia", Birthdate: time.Now().AddDate(-12, 0, 0)},
	}
	f.talents[1].Birthdate = grown().Birthdate
	c := open(t, f, "")
	_, err := c.Roster(t.Context())
	require.NoError(t, err)
	before := c.Version()
	_, err = c.Talent(t.Context(), "1")
	require.NoError(t, err)
	assert.Equal(t, before, c.Version())
	_, err = c.Talent(t.Context(), "2")
	require.NoError(t, err)
	assert.Greater(t, c.Version(), before, "a minor's profile changes the version, because lists show it")
}

func TestStaleContentIsServedWhileABackEndIsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		c := open(t, f, "")
		_, err := c.Roster(t.Context())
		require.NoError(t, err)
		f.set(func() { f.integrationDown = errDown })
		const outage = 2 * time.Hour
		for range int(outage / (100 * time.Millisecond)) {
			roster, err := c.Roster(t.Context())
			require.NoError(t, err)
			require.Equal(t, 2, roster.Len())
			time.Sleep(100 * time.Millisecond)
		}
		assert.LessOrEqual(t, f.called("talents"), 1+int(outage/failedTTL),
			"a failing back end is called at most once per retry interval")
		assert.Greater(t, f.called("talents"), 100, "calls go on during the outage")

		f.set(func() { f.integrationDown, f.talents = nil, f.talents[:1] })
		time.Sleep(failedTTL)
		_, err = c.Roster(t.Context())
		require.NoError(t, err)
		synctest.Wait()
		roster, err := c.Roster(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 1, roster.Len(), "the roster is loaded again after the outage")
	})
}

func TestNotFoundIsCachedBriefly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		c := open(t, f, "")
		for range 50 {
			_, err := c.Talent(t.Context(), "77")
			require.ErrorIs(t, err, agency.ErrNotFound)
			require.NotErrorIs(t, err, agency.ErrUnavailable)
		}
		assert.Equal(t, 1, f.called("profile 77"))

		f.set(func() {
			f.profiles["77"] = agency.Talent{ID: "77", Name: "New"}
			f.talents = append(f.talents, f.profiles["77"])
		})
		time.Sleep(missingTTL)
		talent, err := c.Talent(t.Context(), "77")
		require.NoError(t, err, "a new talent is found after the not-found entry expires")
		assert.Equal(t, "New", talent.Name)
	})
}

func TestEveryFailureIsUnavailable(t *testing.T) {
	for name, fail := range map[string]func(*agencyFake){
		"down":     func(f *agencyFake) { f.integrationDown = errDown },
		"refused":  func(f *agencyFake) { f.integrationDown = agency.ErrRejected },
		"any":      func(f *agencyFake) { f.integrationDown = errors.New("unexpected end of JSON input") },
		"panicked": func(f *agencyFake) { f.panics = true },
		// Every back end has the lists: one that does not find them is out of order.
		"not found": func(f *agencyFake) { f.integrationDown = agency.ErrNotFound },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				c := open(t, f, "")
				_, err := c.Options(t.Context(), "en", "")
				require.NoError(t, err)
				f.set(func() { fail(f) })

				_, err = c.Roster(t.Context())
				assert.ErrorIs(t, err, agency.ErrUnavailable)
				assert.NotErrorIs(t, err, agency.ErrNotFound)
				if _, err = c.Talent(t.Context(), "1"); name != "not found" {
					assert.ErrorIs(t, err, agency.ErrUnavailable)
				}

				time.Sleep(time.Hour)
				for range 2 {
					_, err = c.Options(t.Context(), "en", "")
					assert.NoError(t, err, "the stale copy is served")
					synctest.Wait()
				}
			})
		})
	}
}

func TestOneBackEndDownAffectsOnlyItsContent(t *testing.T) {
	panel := []string{"slides", "social", "entity", "posts", "post"}
	for _, panelDown := range []bool{true, false} {
		f := newFake()
		if f.panelDown = errDown; !panelDown {
			f.panelDown, f.integrationDown = nil, errDown
		}
		c := open(t, f, "")
		for what, read := range reads(t.Context(), c) {
			if _, err := read(); slices.Contains(panel, what) == panelDown {
				assert.ErrorIs(t, err, agency.ErrUnavailable, what)
			} else {
				assert.NoError(t, err, what)
			}
		}
		assert.Equal(t, panelDown, c.content.Ready(t.Context()) == nil, "boards need the integration only")
	}
}

func TestProfileFallsBackToTheRoster(t *testing.T) {
	f := newFake()
	c := open(t, f, "")
	_, err := c.Roster(t.Context())
	require.NoError(t, err)
	whole, err := c.Talent(t.Context(), "1")
	require.NoError(t, err)
	f.set(func() { f.integrationDown = errDown })

	cached, err := c.Talent(t.Context(), "1")
	require.NoError(t, err)
	assert.Equal(t, whole, cached, "the cached profile has its galleries")
	listed, err := c.Talent(t.Context(), "2")
	require.NoError(t, err)
	assert.Equal(t, "Zoë", listed.Name)
	_, err = c.Talent(t.Context(), "3")
	assert.ErrorIs(t, err, agency.ErrNotFound, "the list was read a moment ago")

	f.set(func() { f.integrationDown = nil })
	_, err = c.Talent(t.Context(), "2")
	assert.ErrorIs(t, err, agency.ErrNotFound, "the fallback from the roster is not cached as a profile")
}

func TestAListThatManyAreMissingFromIsNotTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.talents = nil
		for i := range 9 {
			f.talents = append(f.talents, agency.Talent{
				ID: fmt.Sprint(i), Name: fmt.Sprint("T", i), Birthdate: time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC),
			})
		}
		told := 0
		c := openWith(t, f, Options{Held: func(int, int) { told++ }})
		shown := func() int {
			time.Sleep(2 * DefaultFreshFor)
			_, _ = c.Roster(t.Context())
			synctest.Wait()
			roster, err := c.Roster(t.Context())
			require.NoError(t, err)
			return roster.Len()
		}
		assert.Equal(t, 9, shown())
		all := f.talents
		f.set(func() { f.talents = all[:7] })
		assert.Equal(t, 7, shown(), "two may leave")
		f.set(func() { f.talents = nil })
		assert.Equal(t, 7, shown())
		time.Sleep(time.Hour)
		assert.Equal(t, 7, shown(), "an empty list is never taken")
		assert.Equal(t, 1, told)
		f.set(func() { f.talents = all[:4] })
		assert.Equal(t, 7, shown(), "nor one that is a third shorter")
		f.set(func() { f.talents = all[:5] })
		assert.Equal(t, 5, shown())
	})
}

// refs are the talents of a list, as the content shares them.
func refs(list []agency.Talent) []*agency.Talent {
	shared := make([]*agency.Talent, len(list))
	for i := range list {
		shared[i] = &list[i]
	}
	return shared
}
