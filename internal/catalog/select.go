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
	result, ok := r.results.GetIfPresent(f)
	if !ok {
		result = r.find(f)
		r.results.Set(f, result)
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
	within := r.within(f)
	set := r.match(within, f)
	result := &result{set: set, total: int(set.Count())}

	anyLetter := f
	anyLetter.Letter = ""
	rest := r.match(within, anyLetter)
	for i := range result.letters {
		result.letters[i] = r.count(rest, letter('A'+rune(i))) > 0
	}
	r.matchInto(rest, within, f.WithHair(""))
	result.hair = map[string]int{"": int(rest.Count())}
	for _, family := range agency.HairFamilies {
		result.hair[family] = r.count(rest, hair(family))
	}
	r.matchInto(rest, within, f.WithEyes(""))
	result.eyes = map[string]int{"": int(rest.Count())}
	for _, family := range agency.EyeFamilies {
		result.eyes[family] = r.count(rest, eyes(family))
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

// within is the set of talents whose name and height match, or of all.
func (r *Roster) within(f agency.Filter) *bitset.BitSet {
	set := bitset.New(uint(len(r.talents))).SetAll()
	if name := agency.Fold(f.Name); name != "" {
		set.InPlaceIntersection(r.names.containing(name))
	}
	r.heights.narrow(set, f.HeightFrom, f.HeightTo)
	return set
}

// match is the part of a set that has every tag of the filter.
func (r *Roster) match(within *bitset.BitSet, f agency.Filter) *bitset.BitSet {
	return r.matchInto(bitset.New(uint(len(r.talents))), within, f)
}

// matchInto is match that reuses the memory of set.
func (r *Roster) matchInto(set, within *bitset.BitSet, f agency.Filter) *bitset.BitSet {
	within.CopyFull(set)
	keep := func(tag any, asked bool) {
		if !asked {
			return
		}
		if tagged := r.tagged[tag]; tagged != nil {
			set.InPlaceIntersection(tagged)
		} else {
			set.ClearAll()
		}
	}
	keep(f.Board, f.Board != agency.AllBoards)
	keep(f.Gender, f.Gender != "")
	keep(f.Category, f.Category != "")
	if kids := r.tagged[agency.Kids]; r.kids == KidsApart && f.Category != agency.Kids && kids != nil {
		set.InPlaceDifference(kids)
	}
	keep(f.Subcategory, f.Subcategory != "")
	keep(letter(f.Letter), f.Letter != "")
	keep(hair(f.Hair), f.Hair != "")
	keep(eyes(f.Eyes), f.Eyes != "")
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
