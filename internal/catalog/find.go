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
	listings []listing
	grams    map[gram][]uint32 // the positions of the names with these three bytes, in order
	searches bounded[string, *bitset.BitSet]
}

// gram are three bytes as a number, which a map finds faster than a text.
type gram uint32

func gramAt(text string, at int) gram {
	return gram(text[at])<<16 | gram(text[at+1])<<8 | gram(text[at+2])
}

// #nosec G115 -- its three bytes
func (g gram) String() string { return string([]byte{byte(g >> 16), byte(g >> 8), byte(g)}) }

func newNameIndex(listings []listing) *nameIndex {
	n := &nameIndex{
		listings: listings, grams: map[gram][]uint32{},
		searches: newBounded[string, *bitset.BitSet](maxCachedSearches),
	}
	for i := range listings {
		name := listings[i].folded
		for from := 0; from+gramLength <= len(name); from++ {
			gram := gramAt(name, from)
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
	set := bitset.New(uint(len(n.listings)))
	if len(part) < gramLength {
		n.addShort(set, part)
	} else {
		n.add(set, part)
	}
	n.searches.set(part, set)
	return set
}

func (n *nameIndex) add(set *bitset.BitSet, part string) {
	rarest := n.grams[gramAt(part, 0)]
	for from := 1; from+gramLength <= len(part); from++ {
		if positions := n.grams[gramAt(part, from)]; len(positions) < len(rarest) {
			rarest = positions
		}
	}
	for _, position := range rarest {
		if len(part) == gramLength || strings.Contains(n.listings[position].folded, part) {
			set.Set(uint(position))
		}
	}
}

// addShort is add for a part that is shorter than a gram.
func (n *nameIndex) addShort(set *bitset.BitSet, part string) {
	for gram, positions := range n.grams {
		if strings.Contains(gram.String(), part) {
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

func newHeightIndex(listings []listing) *heightIndex {
	var h heightIndex
	size := uint(len(listings))
	add := func(sets *[agency.MaxHeight + 1]*bitset.BitSet, cm float64, i int) {
		if sets[int(cm)] == nil {
			sets[int(cm)] = bitset.New(size)
		}
		sets[int(cm)].Set(uint(i))
	}
	for i := range listings {
		if cm := listings[i].height; cm > 0 {
			add(&h.atLeast, math.Floor(cm), i)
			add(&h.atMost, math.Ceil(cm), i)
		}
	}
	// Heights that nobody has share the set of the next one.
	below, above := bitset.New(size), bitset.New(size)
	for cm := range h.atMost {
		below = joined(&h.atMost[cm], below)
		above = joined(&h.atLeast[agency.MaxHeight-cm], above)
	}
	return &h
}

// joined adds a set to the one at a height, or puts it there if there is none, and returns the result.
func joined(at **bitset.BitSet, set *bitset.BitSet) *bitset.BitSet {
	if *at == nil {
		*at = set
	} else {
		(*at).InPlaceUnion(set)
	}
	return *at
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
