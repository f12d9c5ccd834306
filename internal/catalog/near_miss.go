package catalog

import (
	"time"

	"github.com/bits-and-blooms/bitset"

	"zedcard/internal/agency"
)

// nearestHeights is how many cm outside the asked range somebody may stand and still be close to it.
const nearestHeights = 5

// NearMisses is up to n talents who would be listed if one of height, hair and eyes had been asked for otherwise:
// first those who are a few centimetres off, the nearest first, then those with another hair, then with other eyes.
// Minors are never suggested.
func (r *Roster) NearMisses(f agency.Filter, n int, today time.Time) []agency.NearMiss {
	if f.Category == agency.Kids {
		return nil
	}
	var misses []agency.NearMiss
	add := func(set *bitset.BitSet, measure agency.Measure) {
		if kids := r.tagged[agency.Kids]; kids != nil {
			set.InPlaceDifference(kids)
		}
		for at, more := set.NextSet(0); more && len(misses) < n; at, more = set.NextSet(at + 1) {
			if t := &r.talents[at]; !t.Minor(today) {
				misses = append(misses, agency.NearMiss{Talent: t, Misses: measure})
			}
		}
	}
	without := func(set *bitset.BitSet, tags ...any) *bitset.BitSet {
		for _, tag := range tags {
			if tagged := r.tagged[tag]; tagged != nil {
				set.InPlaceDifference(tagged)
			}
		}
		return set
	}

	if f.HeightFrom > 0 || f.HeightTo > 0 {
		anyHeight := f.WithHeights(0, 0)
		all := r.match(r.within(anyHeight), anyHeight)
		within := func(beyond int) *bitset.BitSet {
			from, to := f.HeightFrom, f.HeightTo // 0 is no limit
			if from > 0 {
				from = max(from-beyond, 1)
			}
			if to > 0 {
				to += beyond
			}
			set := all.Clone()
			r.heights.narrow(set, from, to)
			return set
		}
		nearer := within(0)
		for beyond := 1; beyond <= nearestHeights && len(misses) < n; beyond++ {
			set := within(beyond)
			add(set.Difference(nearer), agency.Height)
			nearer = set
		}
	}
	within := r.within(f)
	if f.Hair != "" && len(misses) < n {
		add(without(r.match(within, f.WithHair("")), hair(f.Hair), hair("")), agency.Hair)
	}
	if f.Eyes != "" && len(misses) < n {
		add(without(r.match(within, f.WithEyes("")), eyes(f.Eyes), eyes("")), agency.Eyes)
	}
	return misses
}
