package catalog

import (
	"slices"

	"github.com/bits-and-blooms/bitset"

	"zedcard/internal/agency"
)

// rowLength is how many talents are in a block of the list's order.
const rowLength = 3

// Selection is what a list shows for a filter. Hair and Eyes are how many talents the list would have with another
// family of colours, "" for any; they are shared and must not be changed.
type Selection struct {
	Total      int              // how many talents match
	Letters    [26]bool         // A to Z: whether a talent matches the rest of the filter
	Items      []*agency.Talent // the first Shown of them, in the order on the screen
	Hair, Eyes map[string]int
}

// result are all talents who match a filter.
type result struct {
	set        *bitset.BitSet
	total      int
	letters    [26]bool
	hair, eyes map[string]int
}

// Select is what the list shows for a filter. The results of recent filters are cached; a new filter costs a few
// operations on bit sets.
func (r *Roster) Select(f agency.Filter) Selection {
	show := f.Shown()
	f.Show, f.View = 0, agency.CardsView // neither changes who matches
	result, ok := r.results.get(f)
	if !ok {
		result = r.find(f)
		r.results.set(f, result)
	}
	return Selection{
		Total:   result.total,
		Letters: result.letters,
		Items:   r.ordered(result.set, min(show, result.total)),
		Hair:    result.hair,
		Eyes:    result.eyes,
	}
}

func (r *Roster) find(f agency.Filter) *result {
	// Names and heights are searched once: no button changes them.
	base := r.byNameAndHeight(f)
	set := r.match(base, f)
	result := &result{set: set, total: int(set.Count())}

	anyLetter := f
	anyLetter.Letter = ""
	matches := r.match(base, anyLetter)
	for i := range result.letters {
		result.letters[i] = r.count(matches, letter('A'+rune(i))) > 0
	}
	r.matchInto(matches, base, f.WithHair(""))
	result.hair = map[string]int{"": int(matches.Count())}
	for _, family := range agency.HairFamilies {
		result.hair[family] = r.count(matches, hair(family))
	}
	r.matchInto(matches, base, f.WithEyes(""))
	result.eyes = map[string]int{"": int(matches.Count())}
	for _, family := range agency.EyeFamilies {
		result.eyes[family] = r.count(matches, eyes(family))
	}
	return result
}

// count is how many talents of a set have a tag.
func (r *Roster) count(set *bitset.BitSet, tag any) int {
	tagged := r.tagged[tag]
	if tagged == nil {
		return 0
	}
	return int(set.IntersectionCardinality(tagged))
}

// byNameAndHeight is the set of talents whose name and height match, or of all.
func (r *Roster) byNameAndHeight(f agency.Filter) *bitset.BitSet {
	set := bitset.New(uint(len(r.talents))).SetAll()
	if name := agency.Fold(f.Name); name != "" {
		set.InPlaceIntersection(r.names.containing(name))
	}
	r.heights.narrow(set, f.HeightFrom, f.HeightTo)
	return set
}

// match is the part of a set that has every tag of the filter.
func (r *Roster) match(base *bitset.BitSet, f agency.Filter) *bitset.BitSet {
	return r.matchInto(bitset.New(uint(len(r.talents))), base, f)
}

// matchInto is match that reuses the memory of set.
func (r *Roster) matchInto(set, base *bitset.BitSet, f agency.Filter) *bitset.BitSet {
	base.CopyFull(set)
	restrict := func(tag any, active bool) {
		if !active {
			return
		}
		if tagged := r.tagged[tag]; tagged != nil {
			set.InPlaceIntersection(tagged)
		} else {
			set.ClearAll()
		}
	}
	restrict(f.Board, f.Board != agency.AllBoards)
	restrict(f.Gender, f.Gender != "")
	restrict(f.Category, f.Category != "")
	if kids := r.tagged[agency.Kids]; r.kids == KidsApart && f.Category != agency.Kids && kids != nil {
		set.InPlaceDifference(kids)
	}
	restrict(f.Subcategory, f.Subcategory != "")
	restrict(letter(f.Letter), f.Letter != "")
	restrict(hair(f.Hair), f.Hair != "")
	restrict(eyes(f.Eyes), f.Eyes != "")
	return set
}

// ordered is the first n talents of a set in the order on the screen: blocks of three over the
// whole set, every second one reversed. n is at most the size of the set.
func (r *Roster) ordered(set *bitset.BitSet, n int) []*agency.Talent {
	if n <= 0 {
		return nil
	}
	// The last block counts in full, even if the list ends within it.
	blocks := (n + rowLength - 1) / rowLength
	_, positions := set.NextSetMany(0, make([]uint, blocks*rowLength))

	items := make([]*agency.Talent, len(positions))
	for i, position := range positions {
		items[i] = r.talents[position]
	}
	for start := rowLength; start < len(items); start += 2 * rowLength {
		slices.Reverse(items[start:min(start+rowLength, len(items))])
	}
	return items[:n]
}
