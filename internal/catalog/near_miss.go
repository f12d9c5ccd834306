package catalog

import (
	"time"

	"github.com/bits-and-blooms/bitset"

	"zedcard/internal/agency"
)

// nearestHeights is how many cm outside the range a near miss may be.
const nearestHeights = 5

// NearMisses are up to n talents whom a filter leaves out for only one of height, hair and eyes: first by height, the
// nearest first, then by hair, then by eyes. Minors are never suggested.
func (r *Roster) NearMisses(f agency.Filter, n int, today time.Time) []agency.NearMiss {
	if f.Category == agency.Kids {
		return nil
	}
	var misses []agency.NearMiss
	add := func(set *bitset.BitSet, measure agency.Measure) {
		for at, more := set.NextSet(0); more && len(misses) < n; at, more = set.NextSet(at + 1) {
			if t := r.talents[at]; !t.Minor(today) {
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

	anyHeight := f.WithHeights(0, 0)
	within := r.within(anyHeight) // by name; the heights are taken out below
	if f.HeightFrom > 0 || f.HeightTo > 0 {
		narrow := func(set *bitset.BitSet, beyond int) {
			from, to := f.HeightFrom, f.HeightTo // 0 is no limit
			if from > 0 {
				from = max(from-beyond, 1)
			}
			if to > 0 {
				to += beyond
			}
			r.heights.narrow(set, from, to)
		}
		outside := without(r.match(within, anyHeight), agency.Kids)
		narrow(outside, nearestHeights)
		reached := outside.Clone()
		narrow(reached, 0)
		outside.InPlaceDifference(reached)
		for beyond := 1; outside.Any() && len(misses) < n; beyond++ {
			outside.CopyFull(reached)
			narrow(reached, beyond)
			add(reached, agency.Height)
			outside.InPlaceDifference(reached)
		}
		narrow(within, 0)
	}
	if f.Hair != "" && len(misses) < n {
		add(without(r.match(within, f.WithHair("")), hair(f.Hair), hair(""), agency.Kids), agency.Hair)
	}
	if f.Eyes != "" && len(misses) < n {
		add(without(r.match(within, f.WithEyes("")), eyes(f.Eyes), eyes(""), agency.Kids), agency.Eyes)
	}
	return misses
}
