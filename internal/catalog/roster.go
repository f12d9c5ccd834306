package catalog

import (
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"zedcard/internal/agency"
)

// Roster is the list of all talents, with what lists filter by worked out once. Its content never changes: each fetched
// list makes a new one. The talents that it returns are shared and must not be changed.
type Roster struct {
	list    []*agency.Talent          // as it was given
	talents []*agency.Talent          // those of the list that are shown, in the back end's order
	rows    []row                     // of talents; apart from the names, so that a pass over it reads little memory
	names   []string                  // of talents, folded
	byID    map[string]int            // positions in talents
	listed  map[string]*agency.Talent // as the list has them, also those without a name
	groups  []agency.Group            // those that rows are of
	stays   []int                     // places in talents of those who say where they are

	kidsEverywhere bool // see Options

	lastSearch  atomic.Pointer[search]
	corrections int64 // the number of the last correction that it includes: see Catalog.correctRoster
}

// row is what a talent is filtered by.
type row struct {
	groups             uint64 // those of the roster that hold the talent, by bit
	height             float32
	letter, hair, eyes uint8 // 0: unknown; otherwise the position from 1
	newFace            bool
}

// newRoster makes a roster of a list as the back end gave it, with the talents as shown makes them; nil leaves one out.
// Left out are also talents without a name, and repeated ids, which a list that is read page by page may have. The list
// must not be changed afterwards.
func newRoster(list []*agency.Talent, kidsEverywhere bool, shown func(*agency.Talent) *agency.Talent) *Roster {
	r := &Roster{
		list:           list,
		groups:         agency.Groups(),
		kidsEverywhere: kidsEverywhere,
		talents:        make([]*agency.Talent, 0, len(list)),
		rows:           make([]row, 0, len(list)),
		names:          make([]string, 0, len(list)),
		byID:           make(map[string]int, len(list)),
		listed:         make(map[string]*agency.Talent, len(list)),
	}
	for _, listed := range list {
		t := shown(listed)
		if t == nil || r.listed[t.ID] != nil {
			continue
		}
		r.listed[t.ID] = listed
		if strings.TrimSpace(t.Name) == "" {
			continue
		}
		r.byID[t.ID] = len(r.talents)
		if t.Stay.City != "" {
			r.stays = append(r.stays, len(r.talents))
		}
		r.talents = append(r.talents, t)
		r.rows = append(r.rows, r.newRow(t))
		r.names = append(r.names, agency.Fold(t.Name))
	}
	return r
}

func (r *Roster) newRow(t *agency.Talent) row {
	made := row{
		hair:    place(agency.HairFamilies, agency.HairFamily(t.Measures.Hair)),
		eyes:    place(agency.EyeFamilies, agency.EyeFamily(t.Measures.Eyes)),
		newFace: t.Cover.File != "" && t.HasNamed(agency.NewFaces),
	}
	if letter := agency.Letter(t.Name); letter != "" {
		made.letter = letter[0] - 'A' + 1
	}
	for i := range r.groups {
		if r.groups[i].Contains(t) {
			made.groups |= 1 << i
		}
	}
	if cm, ok := agency.ParseLength(t.Measures.Height); ok && cm <= agency.MaxHeight {
		made.height = float32(cm)
	}
	return made
}

// place is the position of a value from 1, or 0 where it is not in the list.
func place(list []string, value string) uint8 {
	return uint8(slices.Index(list, value) + 1) // #nosec G115 -- of a dozen
}

// Len is the number of talents.
func (r *Roster) Len() int { return len(r.talents) }

// All lists every talent in the back end's order.
func (r *Roster) All() []*agency.Talent { return r.talents }

// ByID finds a talent by its id; nil where there is none, or no roster.
func (r *Roster) ByID(id string) *agency.Talent {
	if r == nil {
		return nil
	}
	if at, ok := r.byID[id]; ok {
		return r.talents[at]
	}
	return nil
}

// Named are the first n talents with this part of a name whom fits accepts.
func (r *Roster) Named(part string, n int, fits func(*agency.Talent) bool) []*agency.Talent {
	var found []*agency.Talent
	named := r.named(part)
	for i, t := range r.talents {
		if len(found) < n && named(i) && fits(t) {
			found = append(found, t)
		}
	}
	return found
}

// NewFaces are the first n talents with a cover who are new faces; kids are not shown beside adults.
func (r *Roster) NewFaces(n int) []*agency.Talent {
	hidden := r.groupsOfMinors()
	if r.kidsEverywhere {
		hidden = 0
	}
	var faces []*agency.Talent
	for i := range r.rows {
		if len(faces) < n && r.rows[i].newFace && r.rows[i].groups&hidden == 0 {
			faces = append(faces, r.talents[i])
		}
	}
	return faces
}

// Similar are up to n talents of the list that a talent is booked from: those after them in the back end's order, then
// those from the beginning. Kids are shown with kids only.
func (r *Roster) Similar(t *agency.Talent, n int) []*agency.Talent {
	m := r.matching(t.BookingList(), time.Time{})
	if !t.InKids() {
		m.excluded |= r.groupsOfMinors()
	}
	start, listed := r.byID[t.ID]
	var similar []*agency.Talent
	for step := range r.rows {
		at := (start + step) % len(r.rows)
		if len(similar) < n && m.board(&r.rows[at]) && !(listed && at == start) {
			similar = append(similar, r.talents[at])
		}
	}
	return similar
}
