package catalog

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"zedcard/internal/agency"
)

// How profiles are read for what they say of a talent's age.
const (
	readAtOnce = 4
	// readCorrect is after how many the roster is corrected, then after twice as many and so on.
	readCorrect = 200
	// readWait is how long a new roster waits for them before it is shown.
	readWait = time.Second
	// readAgain is when a profile is read again: a birth date may have been added.
	readAgain = 24 * time.Hour
	// maxFailures in a row end a round; the next refresh of the roster begins another.
	maxFailures = 3
)

// minors are what profiles say of their talents' ages. A list may say less: a talent without a birth date there is
// protected until its profile was read, and where the two disagree, the more protective one counts.
type minors struct {
	mu    sync.Mutex
	byID  map[string]ageRecord
	round singleflight.Group // of the profiles that are read for it
}

// ageRecord is what a profile says, and nothing else of it; exported fields, as the snapshot stores them.
type ageRecord struct {
	Said   agency.Talent
	ReadAt time.Time
}

func recordOf(profile *agency.Talent, now time.Time) ageRecord {
	said := agency.Talent{Birthdate: profile.Birthdate}
	if profile.InKids() {
		said.Categories = []agency.Category{{ID: agency.KidsID}}
	}
	said.Protected = profile.Minor(now) &&
		(profile.Protected || said.Birthdate.IsZero() || !agency.Underage(said.Birthdate, now))
	return ageRecord{said, now}
}

// lacksAge reports whether a list does not say how old a talent is.
func lacksAge(listed *agency.Talent) bool {
	return listed.Birthdate.IsZero() && !listed.Protected && !listed.InKids()
}

// protect is a listed talent as it is shown; the same one if the profile adds nothing.
func (m *minors) protect(listed *agency.Talent, now time.Time) *agency.Talent {
	m.mu.Lock()
	defer m.mu.Unlock()
	shown := *listed
	if record, known := m.byID[listed.ID]; known {
		shown.MergeProtection(&record.Said, now)
	} else {
		shown.Protected = shown.Protected || lacksAge(listed)
	}
	if sameProtection(&shown, listed) {
		return listed
	}
	return &shown
}

func sameProtection(a, b *agency.Talent) bool {
	return a.Protected == b.Protected && a.Birthdate.Equal(b.Birthdate) && slices.Equal(a.Categories, b.Categories)
}

// note records what a profile says. listed is the talent in the list, nil where there is none; an adult's profile is
// recorded only if the list does not say as much.
func (m *minors) note(profile *agency.Talent, listed *agency.Talent) {
	now := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	if listed != nil && !lacksAge(listed) && !profile.Minor(now) {
		delete(m.byID, profile.ID)
		return
	}
	m.byID[profile.ID] = recordOf(profile, now)
}

// unread are the talents of a list whose profile must be read for their age. They are in no order, so that a few whose
// profiles can't be read don't end each round before the others.
func (m *minors) unread(list []*agency.Talent) (ids []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range list {
		if lacksAge(t) && time.Since(m.byID[t.ID].ReadAt) >= readAgain {
			ids = append(ids, t.ID)
		}
	}
	rand.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] }) // #nosec G404 -- no secret
	return ids
}

func (m *minors) all() map[string]ageRecord {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.byID)
}

func (m *minors) put(all map[string]ageRecord) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.Copy(m.byID, all)
}

// noteAge records what the profile of a talent says of its age, and corrects the roster if that changes anything. No
// roster is made meanwhile, which might have asked before and be there afterwards.
func (c *Catalog) noteAge(profile *agency.Talent) {
	c.correcting.Lock()
	defer c.correcting.Unlock()
	roster := c.roster.Load()
	if roster == nil {
		c.minors.note(profile, nil)
		return
	}
	listed := roster.listed[profile.ID]
	c.minors.note(profile, listed)
	if shown := roster.ByID(profile.ID); shown != nil && !sameProtection(c.minors.protect(listed, time.Now()), shown) {
		c.correctRoster()
	}
}

// readAges reads the profiles of those talents of a list whose age it does not say. It waits for them a short time
// only; those that are left are read in the background.
func (c *Catalog) readAges(ctx context.Context, list []*agency.Talent) {
	ids := c.minors.unread(list)
	if len(ids) == 0 {
		return
	}
	round := c.minors.round.DoChan("", func() (any, error) {
		if c.begin() {
			defer c.tasks.Done()
			c.readProfiles(c.ctx, ids)
		}
		return nil, nil
	})
	select {
	case <-round:
	case <-time.After(min(readWait, c.settings.Wait/2)):
	case <-ctx.Done():
	}
}

// readProfiles reads profiles for what they say of ages, and corrects the roster now and then, and at the end.
func (c *Catalog) readProfiles(ctx context.Context, ids []string) {
	var failures, known atomic.Int64 // in a row, and all that were read
	read := func(id string) {
		profile, err := c.integration.Profile(ctx, id)
		if errors.Is(err, agency.ErrNotFound) { // nobody can say: protected until it is read again
			profile, err = agency.Talent{ID: id, Protected: true}, nil
		}
		if err != nil {
			failures.Add(1)
			return
		}
		failures.Store(0)
		known.Add(1)
		c.minors.mu.Lock()
		defer c.minors.mu.Unlock()
		c.minors.byID[id] = recordOf(&profile, time.Now())
	}
	var readers errgroup.Group
	readers.SetLimit(readAtOnce)
	correct := int64(readCorrect)
	for _, id := range ids {
		if failures.Load() >= maxFailures || ctx.Err() != nil {
			break
		}
		if known.Load() >= correct {
			correct *= 2
			c.correctRoster()
		}
		readers.Go(func() error { read(id); return nil })
	}
	_ = readers.Wait() // read returns no error
	if known.Load() > 0 {
		c.correctRoster()
	}
}
