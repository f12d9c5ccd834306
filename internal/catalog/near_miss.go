package catalog

import (
	"cmp"
	"slices"
	"time"

	"zedcard/internal/agency"
)

// nearestHeights is how many cm outside the range a near miss may be.
const nearestHeights = 5

// NearMisses are up to n talents whom a filter leaves out for only one of height, hair and eyes: first by height, the
// nearest first, then by hair, then by eyes. Minors are never suggested.
func (r *Roster) NearMisses(f agency.Filter, n int, today time.Time) []agency.NearMiss {
	if f.OfMinors() {
		return nil
	}
	m := r.matching(f, today)
	m.excluded |= r.groupsOfMinors()
	type miss struct {
		agency.NearMiss
		distance int // in whole cm
	}
	var byHeight, byHair, byEyes []miss
	for i := range r.rows {
		t := &r.rows[i]
		if !m.board(t) || !m.named(i) ||
			m.letter != 0 && t.letter != m.letter {
			continue
		}
		ofHeight, ofHair, ofEyes := m.tall(t, 0), among(m.hair, t.hair), among(m.eyes, t.eyes)
		switch {
		case !ofHeight && ofHair && ofEyes:
			distance := 1
			for distance <= nearestHeights && !m.tall(t, float32(distance)) {
				distance++
			}
			if distance <= nearestHeights {
				found := agency.NearMiss{Talent: r.talents[i], Misses: agency.Height}
				byHeight = append(byHeight, miss{found, distance})
			}
		case ofHeight && !ofHair && ofEyes && t.hair != 0:
			byHair = append(byHair, miss{NearMiss: agency.NearMiss{Talent: r.talents[i], Misses: agency.Hair}})
		case ofHeight && ofHair && !ofEyes && t.eyes != 0:
			byEyes = append(byEyes, miss{NearMiss: agency.NearMiss{Talent: r.talents[i], Misses: agency.Eyes}})
		}
	}
	slices.SortStableFunc(byHeight, func(a, b miss) int { return cmp.Compare(a.distance, b.distance) })
	var misses []agency.NearMiss
	for _, m := range slices.Concat(byHeight, byHair, byEyes) {
		if len(misses) < n && !m.Talent.Minor(today) {
			misses = append(misses, m.NearMiss)
		}
	}
	return misses
}

// Nearest is the adult on a filter's board who comes nearest to its range of heights; nil where there is none. Hair,
// eyes and name count if anybody has them.
func (r *Roster) Nearest(f agency.Filter, today time.Time) *agency.Talent {
	if f.HeightFrom == 0 && f.HeightTo == 0 || f.OfMinors() {
		return nil
	}
	for _, asked := range []agency.Filter{f, f.WithName("").WithHair(0).WithEyes(0)} {
		m := r.matching(asked, today)
		m.excluded |= r.groupsOfMinors()
		var nearest *agency.Talent
		var least float32
		for i := range r.rows {
			t := &r.rows[i]
			if t.height == 0 || !m.board(t) || !m.named(i) || !among(m.hair, t.hair) || !among(m.eyes, t.eyes) ||
				r.talents[i].Minor(today) {
				continue
			}
			distance := max(m.from-t.height, 0)
			if m.to > 0 {
				distance = max(distance, t.height-m.to)
			}
			if nearest == nil || distance < least {
				nearest, least = r.talents[i], distance
			}
		}
		if nearest != nil {
			return nearest
		}
	}
	return nil
}
