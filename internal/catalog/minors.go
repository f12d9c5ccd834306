package catalog

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"zedcard/internal/agency"
)

// minors are the talents whose own profile makes them minors. The list of all talents may not say
// so; where the two disagree, the one that protects counts (agency.Talent.Heed).
type minors struct {
	mu      sync.Mutex
	byID    map[string]agency.Talent // with what Heed reads, and nothing else
	changes atomic.Int64             // how often byID has changed
	heeding sync.Mutex               // held while shown is made
	roster  atomic.Pointer[heeding]
}

// heeding is a roster and the one that is shown in its place, with what the profiles say.
type heeding struct{ listed, shown *Roster }

// note keeps what a profile says, or forgets what an earlier answer said. It reports whether that
// is anything new.
func (m *minors) note(t agency.Talent) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	before, known := m.byID[t.ID]
	said := agency.Talent{ID: t.ID, Birthdate: t.Birthdate, Protected: t.Protected, Categories: t.Categories}
	switch minor := t.Minor(time.Now()); {
	case minor && (!known || !saysTheSame(&before, &said)):
		m.byID[t.ID] = said
	case !minor && known:
		delete(m.byID, t.ID)
	default:
		return false
	}
	m.changes.Add(1)
	return true
}

func saysTheSame(a, b *agency.Talent) bool {
	return a.Protected == b.Protected && a.Birthdate.Equal(b.Birthdate) && slices.Equal(a.Categories, b.Categories)
}

// apply lets the talents of a list heed what their profiles say. It gives the list itself where
// that changes nothing, and up to which change it has looked.
func (m *minors) apply(list []agency.Talent) ([]agency.Talent, int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	applied := list
	for i := 0; len(m.byID) > 0 && i < len(list); i++ {
		said, ok := m.byID[list[i].ID]
		if !ok {
			continue
		}
		t := list[i]
		t.Heed(&said, time.Now())
		if saysTheSame(&t, &list[i]) {
			continue
		}
		if &applied[0] == &list[0] {
			applied = slices.Clone(list)
		}
		applied[i] = t
	}
	return applied, m.changes.Load()
}

// shown is the roster to show for one that the shelf has: mostly itself.
func (m *minors) shown(listed *Roster) *Roster {
	if heeding := m.roster.Load(); heeding != nil && heeding.listed == listed {
		return heeding.shown
	}
	if listed.heeds == m.changes.Load() {
		return listed
	}
	return m.heed(listed)
}

// heed makes the roster to show for one that the shelf has.
func (m *minors) heed(listed *Roster) *Roster {
	m.heeding.Lock()
	defer m.heeding.Unlock()
	shown := listed
	if talents, changes := m.apply(listed.talents); len(talents) > 0 && &talents[0] != &listed.talents[0] {
		shown = newRoster(talents, listed.kids, changes)
	}
	m.roster.Store(&heeding{listed, shown})
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
