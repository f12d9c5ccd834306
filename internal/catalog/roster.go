package catalog

import (
	"slices"
	"strings"
	"sync"
	"time"

	"zedcard/internal/agency"
)

// Roster is the list of all talents, with what lists filter by worked out once. Its content never changes: each fetched
// list makes a new one. The talents that it returns are shared and must not be changed.
type Roster struct {
	list    []*agency.Talent          // as it was given
	rows    []row                     // those of the list that are shown, in the back end's order
	all     []*agency.Talent          // of rows
	stays   []row                     // those who say where they are
	byID    map[string]int            // positions in rows
	listed  map[string]*agency.Talent // as the list has them, also those without a name
	names   string                    // of rows, folded, one behind the other
	boards  *agency.Boards            // whose groups rows are of
	content Content                   // that the list is of

	kidsEverywhere bool // see Options

	mu      sync.Mutex
	namings map[string]naming           // by folded text
	letters map[agency.Alphabet][]uint8 // of rows: their letter's position from 1, 0 for none
	places  map[dictionary][]int        // of rows: their place by name
}

// row is a talent and what it is filtered by.
type row struct {
	*agency.Talent
	at                 int    // its position in rows
	nameStart, nameEnd int    // in Roster.names
	groups             uint64 // those of the roster that hold the talent, by bit
	height             float64
	hair, eyes         uint8 // 0: unknown; otherwise the position from 1
}

// newRoster makes a roster of a list as the back end gave it. Left out are hidden talents, those without a name, and
// repeated ids, which a list that is read page by page may have. The list must not be changed afterwards.
func newRoster(
	list []*agency.Talent, boards *agency.Boards, kidsEverywhere bool, isHidden func(id string) bool,
) *Roster {
	r := &Roster{
		list:           list,
		boards:         boards,
		kidsEverywhere: kidsEverywhere,
		rows:           make([]row, 0, len(list)),
		all:            make([]*agency.Talent, 0, len(list)),
		byID:           make(map[string]int, len(list)),
		listed:         make(map[string]*agency.Talent, len(list)),
		namings:        map[string]naming{},
		letters:        map[agency.Alphabet][]uint8{},
		places:         map[dictionary][]int{},
	}
	var names strings.Builder
	for _, listed := range list {
		if isHidden(listed.ID) || r.listed[listed.ID] != nil {
			continue
		}
		t := boards.Mark(listed)
		r.listed[t.ID] = t
		if strings.TrimSpace(t.Name) != "" {
			made := r.newRow(t)
			made.at, made.nameStart = len(r.rows), names.Len()
			names.WriteString(agency.Fold(t.Name) + "\n")
			made.nameEnd = names.Len()
			r.byID[t.ID] = made.at
			r.rows = append(r.rows, made)
			r.all = append(r.all, t)
			if t.Stay.City != "" {
				r.stays = append(r.stays, r.rows[len(r.rows)-1])
			}
		}
	}
	r.names = names.String()
	return r
}

func (r *Roster) newRow(t *agency.Talent) row {
	made := row{
		Talent: t,
		hair:   place(agency.HairFamilies, agency.HairFamily(t.Measures.Hair)),
		eyes:   place(agency.EyeFamilies, agency.EyeFamily(t.Measures.Eyes)),
		groups: r.groupsThat(func(g *agency.Group) bool { return r.boards.Contains(g, t) }),
	}
	if cm, ok := agency.ParseLength(t.Measures.Height); ok && cm <= agency.MaxHeight {
		made.height = cm
	}
	return made
}

// place is the position of a value from 1, or 0 where it is not in the list.
func place(list []string, value string) uint8 {
	return uint8(slices.Index(list, value) + 1) // #nosec G115 -- of a dozen
}

// Boards are those that lists of the roster are made of.
func (r *Roster) Boards() *agency.Boards { return r.boards }

// Len is the number of talents.
func (r *Roster) Len() int { return len(r.all) }

// All lists every talent in the back end's order.
func (r *Roster) All() []*agency.Talent {
	if r == nil {
		return nil
	}
	return r.all
}

// listedAs is what the list says of a talent, also without a name; nil where it has none, or there is no roster.
func (r *Roster) listedAs(id string) *agency.Talent {
	if r == nil {
		return nil
	}
	return r.listed[id]
}

// isOf reports whether the roster is of a list and of boards.
func (r *Roster) isOf(list []*agency.Talent, boards *agency.Boards) bool {
	return r != nil && r.boards == boards && len(r.list) == len(list) && (len(list) == 0 || &r.list[0] == &list[0])
}

// ByID finds a talent by its id; nil where there is none, or no roster.
func (r *Roster) ByID(id string) *agency.Talent {
	if r == nil {
		return nil
	}
	if at, ok := r.byID[id]; ok {
		return r.all[at]
	}
	return nil
}

// Named are the first n talents with this part of a name whom fits accepts.
func (r *Roster) Named(part string, n int, fits func(*agency.Talent) bool) []*agency.Talent {
	named := r.named(part)
	return r.first(n, 0, func(t *row) bool { return named.fits(t) && fits(t.Talent) })
}

// WithName is the only talent of a name, without regard to case and accents; nil where there is none, or several.
func (r *Roster) WithName(name string) (found *agency.Talent) {
	folded := agency.Fold(name) + "\n"
	for i := range r.rows {
		if row := &r.rows[i]; r.names[row.nameStart:row.nameEnd] == folded {
			if found != nil {
				return nil
			}
			found = row.Talent
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
	return r.first(n, 0, func(t *row) bool {
		return t.groups&hidden == 0 && t.Cover.File != "" && t.HasNamed(agency.NewFaces)
	})
}

// Similar are up to n talents of the list that a talent is booked from: those after them in the back end's order, then
// those from the beginning. Kids are shown with kids only.
func (r *Roster) Similar(t *agency.Talent, n int) []*agency.Talent {
	m := r.matching(r.boards.BookingList(t), time.Time{})
	if !t.InKids() {
		m.excluded |= r.groupsOfMinors()
	}
	return r.first(n, r.byID[t.ID], func(other *row) bool { return m.board(other) && other.ID != t.ID })
}

// first are the first n talents that fit, from a position on and then from the beginning.
func (r *Roster) first(n, start int, fits func(*row) bool) (found []*agency.Talent) {
	for i := range r.rows {
		if at := (start + i) % len(r.rows); len(found) < n && fits(&r.rows[at]) {
			found = append(found, r.all[at])
		}
	}
	return found
}
