package catalog

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"zedcard/internal/agency"
)

// rowLength is how many talents are in a block of the list's order.
const rowLength = 3

// nearestHeights is how many cm outside the range a near miss may be.
const nearestHeights = 5

// Selection is what a list shows for a filter. Hair and Eyes are how many talents the list would have with another
// family of colours, "" for any.
type Selection struct {
	Total      int              // how many talents match
	Letters    []bool           // of the filter's alphabet: whether a talent matches the rest of the filter
	Items      []*agency.Talent // the first Shown of them, in the order on the screen
	Hair, Eyes map[string]int
}

// matching is a filter in the terms of rows.
type matching struct {
	required   []uint64 // a talent is in one group of each
	excluded   uint64   // and in none of these
	named      naming
	city       string // where a talent is on the day; empty: anywhere
	today      time.Time
	from, to   float64 // of the height, 0: no limit
	letters    []uint8 // of rows
	letter     uint8   // 0: any
	hair, eyes agency.Families
}

// groupsOfMinors are the groups of children, by bit.
func (r *Roster) groupsOfMinors() uint64 {
	return r.groupsThat(func(g *agency.Group) bool { return g.Minors })
}

func (r *Roster) groupsThat(include func(*agency.Group) bool) (found uint64) {
	for i, group := range r.boards.Groups() {
		if include(group) {
			found |= 1 << i
		}
	}
	return found
}

func (r *Roster) matching(f agency.Filter, today time.Time) matching {
	m := matching{
		named: r.named(f.Name), city: f.City, today: today,
		from: float64(f.HeightFrom), to: float64(f.HeightTo), hair: f.Hair, eyes: f.Eyes,
		letters: r.lettersOf(f.Alphabet()), letter: place(f.Alphabet().Letters(), f.Letter),
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

// naming tells whose names fit, a bit for each row; nil: everybody's.
type naming []uint64

func (n naming) fits(t *row) bool { return n == nil || n[t.at/64]>>(t.at%64)&1 == 1 }

func (n naming) add(at int) { n[at/64] |= 1 << (at % 64) }

// keptNamings is for how many texts a roster remembers whose names fit: whoever searches narrows the search down.
const keptNamings = 64

// named is the naming of those whose names contain a text. If nobody's does, one typing error in a word is forgiven.
func (r *Roster) named(text string) naming {
	if text = agency.Fold(text); text == "" {
		return nil
	}
	r.mu.Lock()
	found := r.namings[text]
	r.mu.Unlock()
	if found != nil {
		return found
	}
	found = r.find(text)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.namings) >= keptNamings {
		clear(r.namings)
	}
	r.namings[text] = found
	return found
}

func (r *Roster) find(text string) naming {
	found, exact := make(naming, len(r.rows)/64+1), false
	for from, at := 0, 0; ; {
		hit := strings.Index(r.names[from:], text)
		if hit < 0 {
			break
		}
		for hit += from; r.rows[at].nameEnd <= hit; at++ {
		}
		found.add(at)
		from, exact = r.rows[at].nameEnd, true
	}
	for i := range r.rows {
		if t := &r.rows[i]; !exact && agency.Resembles(r.names[t.nameStart:t.nameEnd], text) {
			found.add(t.at)
		}
	}
	return found
}

// among reports whether families include that of a row, which has its position from 1; no families include any.
func among(families agency.Families, position uint8) bool {
	return families == 0 || position > 0 && families>>(position-1)&1 == 1
}

// fits reports whether a talent has the name and is in the city of a filter.
func (m *matching) fits(t *row) bool {
	return m.named.fits(t) && (m.city == "" || t.CurrentStay(m.today).City == m.city)
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

// IsEmpty reports whether nobody is on a board, or on a part of one.
func (r *Roster) IsEmpty(g *agency.Group) bool {
	m := r.matching(r.boards.FilterOf(g), time.Time{})
	for i := range r.rows {
		if m.board(&r.rows[i]) {
			return false
		}
	}
	return true
}

// outside is by how many centimetres a talent's height is outside the filter's range; an unknown one is far off.
func (m *matching) outside(t *row) float64 {
	switch {
	case m.from == 0 && m.to == 0:
		return 0
	case t.height == 0:
		return math.Inf(1)
	case t.height < m.from:
		return m.from - t.height
	case m.to > 0:
		return max(t.height-m.to, 0)
	}
	return 0
}

// Cities are the cities where talents of a filter's board are in town today or later, in a language's order.
func (r *Roster) Cities(f agency.Filter, lang string, today time.Time) []string {
	var cities []string
	m := r.matching(f.WithCity("").WithName(""), today)
	for i := range r.stays {
		t := &r.stays[i]
		if city := t.CurrentStay(today).City; city != "" && m.board(t) {
			cities = append(cities, city)
		}
	}
	slices.Sort(cities)
	cities = slices.Compact(cities)
	if len(cities) > 1 {
		collate.New(language.Make(lang)).SortStrings(cities)
	}
	return cities
}

// Select is what the list shows for a filter: one pass over all talents.
func (r *Roster) Select(f agency.Filter, today time.Time) Selection {
	m := r.matching(f, today)
	s := Selection{Letters: make([]bool, len(f.Alphabet().Letters()))}
	hair, eyes := make([]int, len(agency.HairFamilies)+1), make([]int, len(agency.EyeFamilies)+1) // as rows have them
	// The last block of the order counts in full, even if the list ends within it.
	wanted := (f.Shown() + rowLength - 1) / rowLength * rowLength
	for i := range r.rows {
		t := &r.rows[i] // copying rows would take as long as looking at them
		if !m.board(t) || m.outside(t) > 0 || !m.fits(t) {
			continue
		}
		letter := m.letters[t.at]
		ofLetter := m.letter == 0 || letter == m.letter
		ofHair, ofEyes := among(m.hair, t.hair), among(m.eyes, t.eyes)
		if ofHair && ofEyes && letter > 0 {
			s.Letters[letter-1] = true
		}
		if ofLetter && ofEyes {
			hair[t.hair]++
		}
		if ofLetter && ofHair {
			eyes[t.eyes]++
		}
		if ofLetter && ofHair && ofEyes {
			s.Total++
			if len(s.Items) < wanted {
				s.Items = append(s.Items, t.Talent)
			}
		}
	}
	for start := rowLength; start < len(s.Items); start += 2 * rowLength {
		slices.Reverse(s.Items[start:min(start+rowLength, len(s.Items))])
	}
	s.Items = s.Items[:min(f.Shown(), len(s.Items))]
	s.Hair, s.Eyes = counted(agency.HairFamilies, hair), counted(agency.EyeFamilies, eyes)
	return s
}

// counted are numbers of talents by family of colours, "" for any.
func counted(families []string, byPlace []int) map[string]int {
	counts := map[string]int{"": byPlace[0]}
	for i, family := range families {
		counts[family] = byPlace[i+1]
		counts[""] += byPlace[i+1]
	}
	return counts
}

// NearMisses are up to n talents whom a filter leaves out for only one of height, hair and eyes: first by height, the
// nearest first, then by hair, then by eyes. Minors are never suggested.
func (r *Roster) NearMisses(f agency.Filter, n int, today time.Time) []agency.NearMiss {
	if f.OfMinors() {
		return nil
	}
	m := r.matching(f, today)
	m.excluded |= r.groupsOfMinors()
	type miss struct {
		agency.NearMiss
		distance float64 // in cm; colours come after every height
	}
	var misses []miss
	for i := range r.rows {
		t := &r.rows[i]
		if !m.board(t) || m.letter != 0 && m.letters[t.at] != m.letter || !m.fits(t) {
			continue
		}
		found := miss{agency.NearMiss{Talent: t.Talent}, m.outside(t)}
		ofHair, ofEyes := among(m.hair, t.hair), among(m.eyes, t.eyes)
		switch {
		case found.distance > 0 && found.distance <= nearestHeights && ofHair && ofEyes:
			found.Misses = agency.Height
		case found.distance == 0 && !ofHair && ofEyes && t.hair != 0:
			found.Misses, found.distance = agency.Hair, nearestHeights+1
		case found.distance == 0 && ofHair && !ofEyes && t.eyes != 0:
			found.Misses, found.distance = agency.Eyes, nearestHeights+2
		}
		if found.Misses == "" {
			continue
		}
		at := len(misses)
		for at > 0 && misses[at-1].distance > found.distance {
			at--
		}
		if at < n && !t.Minor(today) {
			misses = slices.Insert(misses, at, found)
			misses = misses[:min(n, len(misses))]
		}
	}
	var nearest []agency.NearMiss
	for _, miss := range misses {
		nearest = append(nearest, miss.NearMiss)
	}
	return nearest
}

// Nearest is the adult on a filter's board who comes nearest to its range of heights; nil where there is none. Hair,
// eyes and name count if anybody has them.
func (r *Roster) Nearest(f agency.Filter, today time.Time) (nearest *agency.Talent) {
	if f.HeightFrom == 0 && f.HeightTo == 0 || f.OfMinors() {
		return nil
	}
	for _, asked := range []agency.Filter{f, f.WithName("").WithHair(0).WithEyes(0)} {
		m := r.matching(asked, today)
		m.excluded |= r.groupsOfMinors()
		least := math.Inf(1)
		for i := range r.rows {
			t := &r.rows[i]
			if distance := m.outside(t); distance < least && m.board(t) && m.fits(t) &&
				among(m.hair, t.hair) && among(m.eyes, t.eyes) && !t.Minor(today) {
				nearest, least = t.Talent, distance
			}
		}
		if nearest != nil {
			break
		}
	}
	return nearest
}
