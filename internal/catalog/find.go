package catalog

import (
	"math"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"zedcard/internal/agency"
)

// maxCachedSearches is how many results of searches by name are cached: a visitor who searches a name goes on to filter
// the result and to page through its profiles.
const maxCachedSearches = 128

// gramLength is the length in bytes of the index's n-grams.
const gramLength = 3

// nameIndex finds talents by any part of their name.
type nameIndex struct {
	folded   []string            // by position, each between line feeds, which no name contains
	grams    map[string][]uint32 // the positions of the names with these three bytes, in order
	searches bounded[string, *bitset.BitSet]
}

func newNameIndex(talents []*agency.Talent) *nameIndex {
	n := &nameIndex{
		folded: make([]string, len(talents)), grams: map[string][]uint32{},
		searches: newBounded[string, *bitset.BitSet](maxCachedSearches),
	}
	for i := range talents {
		// With the line feeds even the shortest name has a gram, and its first letter is in one.
		name := "\n" + agency.Fold(talents[i].Name) + "\n"
		n.folded[i] = name
		for from := 0; from+gramLength <= len(name); from++ {
			gram := name[from : from+gramLength]
			positions := n.grams[gram]
			if len(positions) == 0 || positions[len(positions)-1] != uint32(i) {
				n.grams[gram] = append(positions, uint32(i))
			}
		}
	}
	return n
}

// containing is the set of talents whose name contains part, which is folded and not empty. The set is shared and must
// not be changed.
func (n *nameIndex) containing(part string) *bitset.BitSet {
	if cached, ok := n.searches.get(part); ok {
		return cached
	}
	set := bitset.New(uint(len(n.folded)))
	if len(part) < gramLength {
		n.addShort(set, part)
	} else {
		n.add(set, part)
	}
	n.searches.set(part, set)
	return set
}

func (n *nameIndex) add(set *bitset.BitSet, part string) {
	rarest := n.grams[part[:gramLength]]
	for from := 1; from+gramLength <= len(part); from++ {
		if positions := n.grams[part[from:from+gramLength]]; len(positions) < len(rarest) {
			rarest = positions
		}
	}
	for _, position := range rarest {
		if len(part) == gramLength || strings.Contains(n.folded[position], part) {
			set.Set(uint(position))
		}
	}
}

// addShort is add for a part that is shorter than a gram.
func (n *nameIndex) addShort(set *bitset.BitSet, part string) {
	for gram, positions := range n.grams {
		if strings.Contains(gram, part) {
			for _, position := range positions {
				set.Set(uint(position))
			}
		}
	}
}

// heightIndex finds talents by their height; those with an unknown or implausible height are in no range. With one set
// for each centimetre a range takes two operations.
type heightIndex struct {
	atLeast, atMost [agency.MaxHeight + 1]*bitset.BitSet
}

func newHeightIndex(talents []*agency.Talent) *heightIndex {
	var h heightIndex
	for cm := range h.atLeast {
		h.atLeast[cm] = bitset.New(uint(len(talents)))
		h.atMost[cm] = bitset.New(uint(len(talents)))
	}
	for i := range talents {
		cm, ok := agency.ParseLength(talents[i].Measures.Height)
		if ok && cm <= agency.MaxHeight {
			h.atLeast[int(math.Floor(cm))].Set(uint(i))
			h.atMost[int(math.Ceil(cm))].Set(uint(i))
		}
	}
	for cm := 1; cm <= agency.MaxHeight; cm++ {
		h.atMost[cm].InPlaceUnion(h.atMost[cm-1])
		h.atLeast[agency.MaxHeight-cm].InPlaceUnion(h.atLeast[agency.MaxHeight-cm+1])
	}
	return &h
}

// narrow removes talents from a set whose height is outside the range (inclusive, 0 for no limit).
func (h *heightIndex) narrow(set *bitset.BitSet, from, to int) {
	if from > 0 {
		set.InPlaceIntersection(h.atLeast[min(from, agency.MaxHeight)])
	}
	if to > 0 {
		set.InPlaceIntersection(h.atMost[min(to, agency.MaxHeight)])
	}
}
