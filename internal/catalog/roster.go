package catalog

import (
	"reflect"
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
	list         []agency.Talent        // as it was given
	talents      []*agency.Talent       // those of the list that are shown, in the back end's order
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
func NewRoster(list []agency.Talent, kids KidsListed) *Roster { return newRoster(list, kids, 0) }

func newRoster(list []agency.Talent, kids KidsListed, minorChanges int64) *Roster {
	r := &Roster{
		list:         list,
		kids:         kids,
		minorChanges: minorChanges,
		talents:      make([]*agency.Talent, 0, len(list)),
		byID:         make(map[string]uint, len(list)),
		tagged:       map[any]*bitset.BitSet{},
		results:      newBounded[agency.Filter, *result](maxResults),
	}
	for i := range list {
		id := list[i].ID
		if _, repeated := r.byID[id]; repeated || strings.TrimSpace(list[i].Name) == "" {
			continue
		}
		r.byID[id] = uint(len(r.talents))
		r.talents = append(r.talents, &list[i])
	}
	for i := range r.talents {
		for _, tag := range tags(r.talents[i]) {
			if r.tagged[tag] == nil {
				r.tagged[tag] = bitset.New(uint(len(r.talents)))
			}
			r.tagged[tag].Set(uint(i))
		}
	}
	r.names = newNameIndex(r.talents)
	r.heights = newHeightIndex(r.talents)
	return r
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
func (r *Roster) builtFrom(list []agency.Talent, minorChanges int64) bool {
	return r.minorChanges == minorChanges && len(list) > 0 && len(list) == len(r.list) && &list[0] == &r.list[0]
}

// equal reports whether two rosters list the same, so that the older one's results stay valid.
func (r *Roster) equal(other *Roster) bool {
	return reflect.DeepEqual(r.talents, other.talents)
}

// Tags that have no type in package agency.
type (
	letter  string
	hair    string
	eyes    string
	newFace struct{}
)

// tags are the values by which a talent can be filtered with a button or a select box.
func tags(t *agency.Talent) []any {
	var tags []any
	add := func(tag any, holds bool) {
		if holds {
			tags = append(tags, tag)
		}
	}
	for i := range agency.Groups {
		group := &agency.Groups[i]
		add(group.Tag(), group.Contains(t))
	}
	add(newFace{}, t.Cover.File != "" && t.HasNamed(agency.NewFaces))
	add(letter(agency.Letter(t.Name)), true)
	add(hair(agency.HairFamily(t.Measures.Hair)), true)
	add(eyes(agency.EyeFamily(t.Measures.Eyes)), true)
	return tags
}
