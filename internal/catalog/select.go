package catalog

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"zedcard/internal/agency"
)

// rowLength is how many talents are in a block of the list's order.
const rowLength = 3

// Selection is what a list shows for a filter. Hair and Eyes are how many talents the list would have with another
// family of colours, "" for any.
type Selection struct {
	Total      int              // how many talents match
	Letters    [26]bool         // A to Z: whether a talent matches the rest of the filter
	Items      []*agency.Talent // the first Shown of them, in the order on the screen
	Hair, Eyes map[string]int
}

// matching is a filter in the terms of rows.
type matching struct {
	required   []uint64          // a talent is in one group of each
	excluded   uint64            // and in none of these
	named      func(at int) bool // and in town, by the place in the roster
	from, to   float32           // of the height, 0: no limit
	letter     uint8             // 0: any
	hair, eyes agency.Families
}

// groupsOfMinors are the groups of children, by bit.
func (r *Roster) groupsOfMinors() uint64 {
	return r.groupsThat(func(g *agency.Group) bool { return g.Minors })
}

func (r *Roster) groupsThat(include func(*agency.Group) bool) (found uint64) {
	for i := range r.groups {
		if include(&r.groups[i]) {
			found |= 1 << i
		}
	}
	return found
}

func (r *Roster) matching(f agency.Filter, today time.Time) matching {
	m := matching{
		named: r.named(f.Name), from: float32(f.HeightFrom), to: float32(f.HeightTo), hair: f.Hair, eyes: f.Eyes,
	}
	if f.City != "" {
		named := m.named
		m.named = func(at int) bool {
			return r.talents[at].CurrentStay(today).City == f.City && named(at)
		}
	}
	if f.Letter != "" {
		m.letter = f.Letter[0] - 'A' + 1
	}
	// Two groups have the same tag if they differ only in their parent.
	for _, tag := range []any{f.Board, f.Gender, f.Category, f.Subcategory} {
		if !reflect.ValueOf(tag).IsZero() {
			m.required = append(m.required, r.groupsThat(func(g *agency.Group) bool { return g.Tag() == tag }))
		}
	}
	if !r.kidsEverywhere && !f.OfMinors() {
		m.excluded = r.groupsOfMinors()
	}
	return m
}

// search is who has a text in their name, by the place in the roster.
type search struct {
	text string
	has  []bool
}

// named tells whose names contain a text. If nobody's does, one typing error in a word is forgiven. The last search is
// remembered: one page asks up to five times.
func (r *Roster) named(text string) func(at int) bool {
	text = agency.Fold(text)
	if text == "" {
		return func(int) bool { return true }
	}
	last := r.lastSearch.Load()
	if last == nil || last.text != text {
		last = &search{text, make([]bool, len(r.names))}
		for _, matches := range []func(name, text string) bool{strings.Contains, agency.Resembles} {
			for at, name := range r.names {
				last.has[at] = matches(name, text)
			}
			if slices.Contains(last.has, true) {
				break
			}
		}
		r.lastSearch.Store(last)
	}
	return func(at int) bool { return last.has[at] }
}

// among reports whether families include that of a row, which has its position from 1; no families include any.
func among(families agency.Families, position uint8) bool {
	return families == 0 || position > 0 && families>>(position-1)&1 == 1
}

// board reports whether a talent is on the board, and in the groups, of a filter.
func (m *matching) board(t *row) bool {
	for _, groups := range m.required {
		if t.groups&groups == 0 {
			return false
		}
	}
	return t.groups&m.excluded == 0
}

// tall reports whether a talent's height is in the filter's range, or at most so many centimetres outside it. An
// unknown height is in none.
func (m *matching) tall(t *row, margin float32) bool {
	if m.from == 0 && m.to == 0 {
		return true
	}
	return t.height > 0 && (m.from == 0 || t.height >= m.from-margin) && (m.to == 0 || t.height <= m.to+margin)
}

// Cities are the cities where talents of a filter's board are in town today or later, in their order.
func (r *Roster) Cities(f agency.Filter, today time.Time) []string {
	var cities []string
	m := r.matching(f.WithCity(""), today)
	for _, at := range r.stays {
		if city := r.talents[at].CurrentStay(today).City; city != "" && m.board(&r.rows[at]) {
			cities = append(cities, city)
		}
	}
	slices.Sort(cities)
	return slices.Compact(cities)
}

// Select is what the list shows for a filter: one pass over all talents.
func (r *Roster) Select(f agency.Filter, today time.Time) Selection {
	m := r.matching(f, today)
	var hair, eyes [256]int // by position, 0 for unknown
	var s Selection
	var anyHair, anyEyes int
	// The last block of the order counts in full, even if the list ends within it.
	wanted := (f.Shown() + rowLength - 1) / rowLength * rowLength
	for i := range r.rows {
		t := &r.rows[i]
		if !m.board(t) || !m.tall(t, 0) || !m.named(i) {
			continue
		}
		ofLetter := m.letter == 0 || t.letter == m.letter
		ofHair := among(m.hair, t.hair)
		ofEyes := among(m.eyes, t.eyes)
		if ofHair && ofEyes && t.letter > 0 {
			s.Letters[t.letter-1] = true
		}
		if ofLetter && ofEyes {
			anyHair++
			hair[t.hair]++
		}
		if ofLetter && ofHair {
			anyEyes++
			eyes[t.eyes]++
		}
		if ofLetter && ofHair && ofEyes {
			s.Total++
			if len(s.Items) < wanted {
				s.Items = append(s.Items, r.talents[i])
			}
		}
	}
	for start := rowLength; start < len(s.Items); start += 2 * rowLength {
		slices.Reverse(s.Items[start:min(start+rowLength, len(s.Items))])
	}
	s.Items = s.Items[:min(f.Shown(), len(s.Items))]
	s.Hair, s.Eyes = counted(agency.HairFamilies, anyHair, &hair), counted(agency.EyeFamilies, anyEyes, &eyes)
	return s
}

// counted are numbers of talents by family of colours, "" for any.
func counted(families []string, any int, byPlace *[256]int) map[string]int {
	counts := make(map[string]int, len(families)+1)
	for i, family := range families {
		counts[family] = byPlace[i+1]
	}
	counts[""] = any
	return counts
}
