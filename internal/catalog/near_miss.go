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
		for position, more := set.NextSet(0); more && len(misses) < n; position, more = set.NextSet(position + 1) {
			if t := r.talents[position]; !t.Minor(today) {
				misses = append(misses, agency.NearMiss{Talent: t, Misses: measure})
			}
		}
	}
	excluding := func(set *bitset.BitSet, tags ...any) *bitset.BitSet {
		for _, tag := range tags {
			if tagged := r.tagged[tag]; tagged != nil {
				set.InPlaceDifference(tagged)
			}
		}
		return set
	}

	anyHeight := f.WithHeights(0, 0)
	named := r.byNameAndHeight(anyHeight) // by name; the heights are taken out below
	if f.HeightFrom > 0 || f.HeightTo > 0 {
		narrow := func(set *bitset.BitSet, margin int) {
			from, to := f.HeightFrom, f.HeightTo // 0 is no limit
			if from > 0 {
				from = max(from-margin, 1)
			}
			if to > 0 {
				to += margin
			}
			r.heights.narrow(set, from, to)
		}
		candidates := excluding(r.match(named, anyHeight), agency.Kids)
		narrow(candidates, nearestHeights)
		inRange := candidates.Clone()
		narrow(inRange, 0)
		candidates.InPlaceDifference(inRange)
		for margin := 1; candidates.Any() && len(misses) < n; margin++ {
			candidates.CopyFull(inRange)
			narrow(inRange, margin)
			add(inRange, agency.Height)
			candidates.InPlaceDifference(inRange)
		}
		narrow(named, 0)
	}
	if f.Hair != "" && len(misses) < n {
		add(excluding(r.match(named, f.WithHair("")), hair(f.Hair), hair(""), agency.Kids), agency.Hair)
	}
	if f.Eyes != "" && len(misses) < n {
		add(excluding(r.match(named, f.WithEyes("")), eyes(f.Eyes), eyes(""), agency.Kids), agency.Eyes)
	}
	return misses
}
