package catalog

import (
	"slices"

	"github.com/bits-and-blooms/bitset"

	"zedcard/internal/agency"
)

// rowLength is how many talents are in a block of the list's order.
const rowLength = 3

// Selection is what a list shows for a filter. Facets is shared and only to be read.
type Selection struct {
	Total   int              // how many talents match
	Letters [26]bool         // A to Z: whether the rest of the filter leaves a talent there
	Items   []*agency.Talent // the first Shown of them, in the order on the screen
	Facets  Facets
}

// Facets says how many talents the list would hold after a click: each count is that of the
// transition of the same name (agency.Filter), so a count above 0 never leads to an empty list.
// The key "" is a row's own "all".
type Facets struct {
	Genders       map[agency.Gender]int
	Categories    map[agency.ListCategory]int
	Subcategories map[agency.Subcategory]int
	Hair, Eyes    map[string]int // by family
}

// result is what a filter leaves, however much of it is shown.
type result struct {
	set     *bitset.BitSet
	total   int
	letters [26]bool
	facets  Facets
}

// Select is what the list shows for a filter. What has been asked before costs the same for
// any number of talents; a new question costs a few operations on bit sets.
func (r *Roster) Select(f agency.Filter) Selection {
	show := f.Shown()
	f.Show, f.View = 0, agency.CardsView // neither changes who is found
	result, ok := r.results.GetIfPresent(f)
	if !ok {
		result = r.find(f)
		r.results.Set(f, result)
	}
	return Selection{
		Total:   result.total,
		Letters: result.letters,
		Items:   r.ordered(result.set, min(show, result.total)),
		Facets:  result.facets,
	}
}

func (r *Roster) find(f agency.Filter) *result {
	// Names and heights are looked for once: no button changes them.
	within := r.within(f)
	scratch := bitset.New(uint(len(r.talents)))
	match := func(f agency.Filter) *bitset.BitSet { return r.matchInto(scratch, within, f) }
	count := func(f agency.Filter) int { return int(match(f).Count()) }
	// tagged counts those of a set with a tag, "" for all of them.
	tagged := func(set *bitset.BitSet, tag any, value string) int {
		if value == "" {
			return int(set.Count())
		}
		if with := r.tagged[tag]; with != nil {
			return int(set.IntersectionCardinality(with))
		}
		return 0
	}

	result := &result{set: r.match(within, f)}
	result.total = int(result.set.Count())

	anyLetter := f
	anyLetter.Letter = ""
	rest := match(anyLetter)
	for i := range result.letters {
		value := string('A' + rune(i))
		result.letters[i] = tagged(rest, letter(value), value) > 0
	}

	result.facets = Facets{
		Genders:    counts(f.Genders(), func(g agency.Gender) int { return count(f.WithGender(g)) }),
		Categories: counts(f.Categories(), func(c agency.ListCategory) int { return count(f.WithCategory(c)) }),
		Subcategories: counts(all(f.Subcategories()),
			func(s agency.Subcategory) int { return count(f.WithSubcategory(s)) }),
	}
	rest = match(f.WithHair(""))
	result.facets.Hair = counts(all(agency.HairFamilies), func(family string) int {
		return tagged(rest, hair(family), family)
	})
	rest = match(f.WithEyes(""))
	result.facets.Eyes = counts(all(agency.EyeFamilies), func(family string) int {
		return tagged(rest, eyes(family), family)
	})
	return result
}

func counts[T comparable](values []T, count func(T) int) map[T]int {
	counts := make(map[T]int, len(values))
	for _, value := range values {
		counts[value] = count(value)
	}
	return counts
}

// all puts a row's "all" before its values, where there is such a row.
func all[T ~string](values []T) []T {
	if values == nil {
		return nil
	}
	return append([]T{""}, values...)
}

// within is the set of talents whose name and height fit, or of all.
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

// matchInto is match in a set whose memory is at hand.
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
	// The block in which the list is cut counts whole.
	blocks := (n + rowLength - 1) / rowLength
	_, positions := set.NextSetMany(0, make([]uint, blocks*rowLength))

	items := make([]*agency.Talent, len(positions))
	for i, position := range positions {
		items[i] = &r.talents[position]
	}
	for start := rowLength; start < len(items); start += 2 * rowLength {
		slices.Reverse(items[start:min(start+rowLength, len(items))])
	}
	return items[:n]
}
