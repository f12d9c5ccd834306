package remote

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"zedcard/internal/agency"
)

// What profiles say of their talents' ages. A list may say less: a talent without a birth date there is protected until
// its profile was read, and where the two disagree, the more protective one counts.

const (
	// readAtOnce is how many profiles are read at once for it.
	readAtOnce = 4
	// readWait is how long a new list waits for them before it is shown.
	readWait = time.Second
	// readAgain is when a profile is read again: a birth date may have been added.
	readAgain = 24 * time.Hour
)

// ageRecord is what a profile says, and nothing else of it; exported fields, as the snapshot stores them.
type ageRecord struct {
	Said   agency.Talent
	ReadAt time.Time
}

func recordOf(profile *agency.Talent) ageRecord {
	now := time.Now()
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
func (c *Content) protect(listed *agency.Talent) *agency.Talent {
	shown := *listed
	if record, known := c.ages.Load(listed.ID); known {
		said := record.(ageRecord).Said
		shown.MergeProtection(&said, time.Now())
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

// noteAge records what the profile of a talent says of its age, of an adult only if the list does not say as much. If
// that changes anything the list is made anew.
func (c *Content) noteAge(profile *agency.Talent) {
	c.making.Lock() // no list is made meanwhile, which might have asked before and be there afterwards
	said, shown := c.list.Load().find(profile.ID)
	if said != nil && !lacksAge(said) && !profile.Minor(time.Now()) {
		c.ages.Delete(profile.ID)
	} else {
		c.ages.Store(profile.ID, recordOf(profile))
	}
	changes := said != nil && !sameProtection(c.protect(said), shown)
	c.making.Unlock()
	if changes {
		c.remakeList()
	}
}

// readAges reads the profiles of those talents of a list whose age it does not say. It waits for them a short time
// only; those that are left are read in the background.
func (c *Content) readAges(ctx context.Context, list []*agency.Talent) {
	var ids []string
	for _, t := range list {
		record, _ := c.ages.Load(t.ID)
		known, _ := record.(ageRecord)
		if lacksAge(t) && time.Since(known.ReadAt) >= readAgain {
			ids = append(ids, t.ID)
		}
	}
	if len(ids) == 0 || !c.readingAges.CompareAndSwap(false, true) {
		return
	}
	read := make(chan struct{})
	started := c.start(func(ctx context.Context) {
		defer close(read)
		defer c.readingAges.Store(false)
		c.readProfiles(ctx, ids)
	})
	if !started {
		return
	}
	select {
	case <-read:
	case <-time.After(min(readWait, c.options.Wait/2)):
	case <-ctx.Done():
	}
}

// readProfiles reads profiles for what they say of ages. If the back end is down, the next list tries again.
func (c *Content) readProfiles(ctx context.Context, ids []string) {
	var readers errgroup.Group
	readers.SetLimit(readAtOnce)
	var known atomic.Bool
	for _, id := range ids {
		readers.Go(func() error {
			profile, err := c.integration.Profile(ctx, id)
			if errors.Is(err, agency.ErrNotFound) { // nobody can say: protected until it is read again
				profile, err = agency.Talent{Protected: true}, nil
			}
			if err == nil {
				c.ages.Store(id, recordOf(&profile))
				known.Store(true)
			}
			return nil
		})
	}
	_ = readers.Wait() // they return no error
	if known.Load() {
		c.remakeList()
	}
}
