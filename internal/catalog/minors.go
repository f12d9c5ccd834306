package catalog

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"zedcard/internal/agency"
)

// minors are the talents whose own profile makes them minors. The list of all talents may not say so; where the two
// disagree, the more protective one counts (agency.Talent.MergeProtection).
type minors struct {
	mu         sync.Mutex
	byID       map[string]agency.Talent // with the fields that MergeProtection reads only
	changes    atomic.Int64             // how often byID has changed
	correcting sync.Mutex               // held while a corrected roster is made
	roster     atomic.Pointer[corrected]
}

// corrected is a roster as listed, and the one that is shown instead, corrected by the profiles.
type corrected struct{ listed, shown *Roster }

// note remembers whether a profile makes a minor, or forgets an earlier answer. It reports whether that is a change.
func (m *minors) note(t agency.Talent) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	before, known := m.byID[t.ID]
	recorded := agency.Talent{ID: t.ID, Birthdate: t.Birthdate, Protected: t.Protected, Categories: t.Categories}
	switch minor := t.Minor(time.Now()); {
	case minor && (!known || !sameProtection(&before, &recorded)):
		m.byID[t.ID] = recorded
	case !minor && known:
		delete(m.byID, t.ID)
	default:
		return false
	}
	m.changes.Add(1)
	return true
}

func sameProtection(a, b *agency.Talent) bool {
	return a.Protected == b.Protected && a.Birthdate.Equal(b.Birthdate) && slices.Equal(a.Categories, b.Categories)
}

// apply is a list corrected by the profiles, the list itself if that changes nothing, and the number of the last change
// that it includes.
func (m *minors) apply(list []*agency.Talent) ([]*agency.Talent, int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	applied := list
	for i := 0; len(m.byID) > 0 && i < len(list); i++ {
		recorded, ok := m.byID[list[i].ID]
		if !ok {
			continue
		}
		t := *list[i]
		t.MergeProtection(&recorded, time.Now())
		if sameProtection(&t, list[i]) {
			continue
		}
		if &applied[0] == &list[0] {
			applied = slices.Clone(list)
		}
		applied[i] = &t
	}
	return applied, m.changes.Load()
}

// shown is the roster to show for a listed one: usually itself.
func (m *minors) shown(listed *Roster) *Roster {
	if last := m.roster.Load(); last != nil && last.listed == listed {
		return last.shown
	}
	if listed.minorChanges == m.changes.Load() {
		return listed
	}
	return m.correct(listed)
}

// correct makes the roster to show for a listed one.
func (m *minors) correct(listed *Roster) *Roster {
	m.correcting.Lock()
	defer m.correcting.Unlock()
	shown := listed
	if talents, changes := m.apply(listed.list); len(talents) > 0 && &talents[0] != &listed.list[0] {
		shown = newRoster(talents, listed.kids, changes)
	}
	m.roster.Store(&corrected{listed, shown})
	return shown
}

func (m *minors) all() map[string]agency.Talent {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.byID)
}

func (m *minors) put(all map[string]agency.Talent) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.Copy(m.byID, all)
	m.changes.Add(1)
}
