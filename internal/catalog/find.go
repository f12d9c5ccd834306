package catalog

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"zedcard/internal/agency"
)

// names finds talents by any part of their name. All names stand in one text, so that a search
// is one pass over it instead of one a talent.
type names struct {
	text   strings.Builder // folded names, each ended by a line feed, which none contains
	starts []int           // where the name of each position begins
}

func (n *names) add(name string) {
	n.starts = append(n.starts, n.text.Len())
	n.text.WriteString(agency.Fold(name))
	n.text.WriteByte('\n')
}

// with is the set of talents whose name contains a folded text.
func (n *names) with(part string) *bitset.BitSet {
	set := bitset.New(uint(len(n.starts)))
	text := n.text.String()
	for from := 0; ; {
		hit := strings.Index(text[from:], part)
		if hit < 0 {
			return set
		}
		hit += from
		next := sort.SearchInts(n.starts, hit+1)
		set.Set(uint(next - 1))
		if next == len(n.starts) {
			return set
		}
		from = n.starts[next]
	}
}

// heights finds talents by their height; those whose height is not known are in no range.
type heights []height

type height struct {
	cm       float64
	position uint
}

func (h *heights) add(position uint, cm float64) {
	*h = append(*h, height{cm, position})
}

func (h heights) sort() {
	slices.SortFunc(h, func(a, b height) int { return cmp.Compare(a.cm, b.cm) })
}

// between is the set of talents of a range of heights, both ends included and 0 for none.
func (h heights) between(from, to int, length uint) *bitset.BitSet {
	set := bitset.New(length)
	first := sort.Search(len(h), func(i int) bool { return h[i].cm >= float64(from) })
	for _, height := range h[first:] {
		if to > 0 && height.cm > float64(to) {
			break
		}
		set.Set(height.position)
	}
	return set
}
