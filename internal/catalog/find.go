package catalog

import (
	"math"
	"strings"
	"sync"

	"github.com/bits-and-blooms/bitset"

	"zedcard/internal/agency"
)

// gramLength is how many bytes of a name the index of names is made of.
const gramLength = 3

// nameIndex finds talents by any part of their name.
type nameIndex struct {
	folded []string            // by position, between line feeds, which no name has
	grams  map[string][]uint32 // the positions of the names that hold these three bytes, in order
	short  sync.Map            // string → *bitset.BitSet: the names with a shorter part, of those that were asked for
}

func newNameIndex(talents []agency.Talent) *nameIndex {
	n := &nameIndex{folded: make([]string, len(talents)), grams: map[string][]uint32{}}
	for i := range talents {
		// With the line feeds the shortest name has three bytes, and its first letter stands in a gram too.
		name := "\n" + agency.Fold(talents[i].Name) + "\n"
		n.folded[i] = name
		for from := 0; from+gramLength <= len(name); from++ {
			gram := name[from : from+gramLength]
			held := n.grams[gram]
			if len(held) == 0 || held[len(held)-1] != uint32(i) {
				n.grams[gram] = append(held, uint32(i))
			}
		}
	}
	return n
}

// containing is the set of talents whose name contains a folded text, which is not empty.
func (n *nameIndex) containing(part string) *bitset.BitSet {
	if len(part) < gramLength {
		return n.containingShort(part)
	}
	set := bitset.New(uint(len(n.folded)))
	rarest := n.grams[part[:gramLength]]
	for from := 1; from+gramLength <= len(part); from++ {
		if held := n.grams[part[from:from+gramLength]]; len(held) < len(rarest) {
			rarest = held
		}
	}
	for _, position := range rarest {
		if len(part) == gramLength || strings.Contains(n.folded[position], part) {
			set.Set(uint(position))
		}
	}
	return set
}

// containingShort is the set for a part that is shorter than a gram. Most names have it, so the set is kept; parts that
// no name has are as many as visitors think of, and are not.
func (n *nameIndex) containingShort(part string) *bitset.BitSet {
	if kept, ok := n.short.Load(part); ok {
		return kept.(*bitset.BitSet)
	}
	set := bitset.New(uint(len(n.folded)))
	for gram, held := range n.grams {
		if strings.Contains(gram, part) {
			for _, position := range held {
				set.Set(uint(position))
			}
		}
	}
	if set.Any() {
		n.short.Store(part, set)
	}
	return set
}

// heightIndex finds talents by their height; those whose height is not known, or not that of a
// person, are in no range. A set for each whole centimetre makes a range two operations.
type heightIndex struct {
	atLeast, atMost [agency.MaxHeight + 1]*bitset.BitSet
}

func newHeightIndex(talents []agency.Talent) *heightIndex {
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

// narrow takes out of a set whose height is not in the range, both ends included and 0 for none.
func (h *heightIndex) narrow(set *bitset.BitSet, from, to int) {
	if from > 0 {
		set.InPlaceIntersection(h.atLeast[min(from, agency.MaxHeight)])
	}
	if to > 0 {
		set.InPlaceIntersection(h.atMost[min(to, agency.MaxHeight)])
	}
}
