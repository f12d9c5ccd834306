package catalog

import (
	"math"
	"strings"

	"github.com/bits-and-blooms/bitset"
	"github.com/maypok86/otter/v2"

	"zedcard/internal/agency"
)

// maxNamesAsked is of how many parts of names the answer is kept. Who looks for a name goes on to choose a height, and
// walks through the talents found.
const maxNamesAsked = 128

// gramLength is how many bytes of a name the index of names is made of.
const gramLength = 3

// nameIndex finds talents by any part of their name.
type nameIndex struct {
	folded []string            // by position, between line feeds, which no name has
	grams  map[string][]uint32 // the positions of the names that hold these three bytes, in order
	asked  *otter.Cache[string, *bitset.BitSet]
}

func newNameIndex(talents []agency.Talent) *nameIndex {
	n := &nameIndex{
		folded: make([]string, len(talents)), grams: map[string][]uint32{},
		asked: otter.Must(&otter.Options[string, *bitset.BitSet]{MaximumSize: maxNamesAsked}),
	}
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

// containing is the set of talents whose name contains a folded text, which is not empty. The set is shared and only to
// be read.
func (n *nameIndex) containing(part string) *bitset.BitSet {
	if kept, ok := n.asked.GetIfPresent(part); ok {
		return kept
	}
	set := bitset.New(uint(len(n.folded)))
	if len(part) < gramLength {
		n.addShort(set, part)
	} else {
		n.add(set, part)
	}
	n.asked.Set(part, set)
	return set
}

func (n *nameIndex) add(set *bitset.BitSet, part string) {
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
}

// addShort is add for a part that is shorter than a gram.
func (n *nameIndex) addShort(set *bitset.BitSet, part string) {
	for gram, held := range n.grams {
		if strings.Contains(gram, part) {
			for _, position := range held {
				set.Set(uint(position))
			}
		}
	}
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
