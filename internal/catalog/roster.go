package catalog

import (
	"reflect"
	"slices"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"zedcard/internal/agency"
)

// maxResults is how many filters' results a roster caches. Gender, category, subcategory and letter make about a
// hundred; the others have names and heights.
const maxResults = 512

// Roster is the list of all talents with its index. It never changes: each fetched list makes a new one. The talents
// that it returns are shared and must not be changed.
type Roster struct {
	list         []*agency.Talent       // as it was given
	talents      []*agency.Talent       // those of the list that are shown, in the back end's order
	listings     []listing              // of talents
	byID         map[string]uint        // positions in talents
	tagged       map[any]*bitset.BitSet // positions in talents by tag; see tags
	names        *nameIndex
	heights      *heightIndex
	results      bounded[agency.Filter, *result]
	kids         KidsListed
	minorChanges int64 // the number of the last change of minors that it includes
}

// KidsListed is where talents in kids are listed.
type KidsListed bool

// On the kids board only, or on every board that their other categories name.
const (
	KidsApart      KidsListed = false
	KidsEverywhere KidsListed = true
)

// NewRoster indexes a list as the back end gave it. It leaves out talents without a name, and repeated ids, which a
// list that is read page by page may have. The list must not be changed afterwards.
func NewRoster(list []*agency.Talent, kids KidsListed) *Roster { return newRoster(list, kids, 0, nil) }

// newRoster takes over from a previous roster, unless it is nil, what that knows about the same talents: to find it is
// most of the work.
func newRoster(list []*agency.Talent, kids KidsListed, minorChanges int64, previous *Roster) *Roster {
	r := &Roster{
		list:         list,
		kids:         kids,
		minorChanges: minorChanges,
		talents:      make([]*agency.Talent, 0, len(list)),
		byID:         make(map[string]uint, len(list)),
		tagged:       map[any]*bitset.BitSet{},
		results:      newBounded[agency.Filter, *result](maxResults),
	}
	for _, t := range list {
		if _, repeated := r.byID[t.ID]; repeated || strings.TrimSpace(t.Name) == "" {
			continue
		}
		r.byID[t.ID] = uint(len(r.talents))
		r.talents = append(r.talents, t)
	}
	r.listings = make([]listing, len(r.talents))
	known := map[labels]*labels{}
	for i, t := range r.talents {
		at, listed := previous.position(t)
		if listed {
			r.listings[i] = previous.listings[at]
		} else {
			r.listings[i] = newListing(t, known)
		}
	}
	r.tag()
	if previous != nil && slices.EqualFunc(r.listings, previous.listings, sameName) {
		r.names = previous.names
	} else {
		r.names = newNameIndex(r.listings)
	}
	r.heights = newHeightIndex(r.listings)
	return r
}

// position is where a roster has that very talent; a nil roster has none.
func (r *Roster) position(t *agency.Talent) (uint, bool) {
	if r == nil {
		return 0, false
	}
	at, listed := r.byID[t.ID]
	return at, listed && r.talents[at] == t
}

// tag makes the sets of talents by tag.
func (r *Roster) tag() {
	sets := map[*labels][]*bitset.BitSet{}
	for i, listed := range r.listings {
		of, ok := sets[listed.labels]
		if !ok {
			for _, tag := range listed.labels.tags() {
				if r.tagged[tag] == nil {
					r.tagged[tag] = bitset.New(uint(len(r.talents)))
				}
				of = append(of, r.tagged[tag])
			}
			sets[listed.labels] = of
		}
		for _, set := range of {
			set.Set(uint(i))
		}
	}
}

// Len is the number of talents.
func (r *Roster) Len() int { return len(r.talents) }

// All lists every talent in the back end's order.
func (r *Roster) All() []*agency.Talent { return r.talents }

// ByID finds a talent by its id; nil where there is none.
func (r *Roster) ByID(id string) *agency.Talent {
	if at, ok := r.byID[id]; ok {
		return r.talents[at]
	}
	return nil
}

// NewFaces are the first n talents with a cover who are new faces.
func (r *Roster) NewFaces(n int) []*agency.Talent {
	faces := r.tagged[newFace{}]
	if faces == nil {
		return nil
	}
	return r.from(faces, 0, min(n, int(faces.Count())))
}

// from are n talents of a set from a position on, continued from the beginning. The set must have n or more.
func (r *Roster) from(set *bitset.BitSet, position uint, n int) []*agency.Talent {
	talents := make([]*agency.Talent, 0, n)
	for len(talents) < n {
		found, ok := set.NextSet(position)
		if !ok {
			found, _ = set.NextSet(0)
		}
		talents = append(talents, r.talents[found])
		position = found + 1
	}
	return talents
}

// builtFrom reports whether a roster of that very list would be the same, without a look at any talent.
func (r *Roster) builtFrom(list []*agency.Talent, minorChanges int64) bool {
	return r != nil && r.minorChanges == minorChanges &&
		len(list) > 0 && len(list) == len(r.list) && &list[0] == &r.list[0]
}

// equal reports whether two rosters list the same, so that the older one's results stay valid.
func (r *Roster) equal(other *Roster) bool {
	return slices.EqualFunc(r.talents, other.talents, func(a, b *agency.Talent) bool {
		return a == b || reflect.DeepEqual(a, b)
	})
}

// Tags that have no type in package agency.
type (
	letter  string
	hair    string
	eyes    string
	newFace struct{}
)

// listing is what the index knows about a talent.
type listing struct {
	folded string // the name, between line feeds, which no name contains
	height float64
	labels *labels // shared by all talents with the same
}

// labels are the values by which a talent can be filtered with a button or a select box.
type labels struct {
	groups             uint64 // those of agency.Groups that hold the talent, by bit
	letter, hair, eyes string
	newFace            bool
}

// newListing looks at a talent. known are the labels of others.
func newListing(t *agency.Talent, known map[labels]*labels) listing {
	l := labels{
		letter: agency.Letter(t.Name),
		hair:   agency.HairFamily(t.Measures.Hair), eyes: agency.EyeFamily(t.Measures.Eyes),
		newFace: t.Cover.File != "" && t.HasNamed(agency.NewFaces),
	}
	for i := range agency.Groups {
		if agency.Groups[i].Contains(t) {
			l.groups |= 1 << i
		}
	}
	if known[l] == nil {
		shared := l
		known[l] = &shared
	}
	// With the line feeds even the shortest name has a gram, and its first letter is in one.
	e := listing{folded: "\n" + agency.Fold(t.Name) + "\n", labels: known[l]}
	if cm, ok := agency.ParseLength(t.Measures.Height); ok && cm <= agency.MaxHeight {
		e.height = cm
	}
	return e
}

func sameName(a, b listing) bool { return a.folded == b.folded }

func (l *labels) tags() []any {
	tags := []any{letter(l.letter), hair(l.hair), eyes(l.eyes)}
	if l.newFace {
		tags = append(tags, newFace{})
	}
	for i := range agency.Groups {
		if tag := agency.Groups[i].Tag(); l.groups&(1<<i) != 0 && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags
}
