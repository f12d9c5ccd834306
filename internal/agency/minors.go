package agency

import (
	"slices"
	"strings"
	"time"
)

// The rule for minors. Of a minor, pages and cards show height, shoes, hair and eyes;
// pictures are kept out of search, share pictures, sitemaps and structured data; measures that are not shown are not
// sent to a back end either. The rule fails closed: whoever may be a minor is treated as one.

const (
	// AdultAge is the age in years from which the rule no longer applies.
	AdultAge = 18
	// MaxAge is the greatest plausible age in years. An earlier birth date is a mistake, or a database's value for
	// "unknown".
	MaxAge = 120
)

// Minor reports whether the rule for minors applies to the talent on this day: under 18, on the kids board, or
// Protected. A talent without a birth date counts as an adult.
func (t *Talent) Minor(today time.Time) bool {
	if t.Protected || t.InKids() {
		return true
	}
	return !t.Birthdate.IsZero() && (Underage(t.Birthdate, today) || t.implausiblyOld(today))
}

func (t *Talent) implausiblyOld(today time.Time) bool {
	return !t.Birthdate.IsZero() && Age(t.Birthdate, today) > MaxAge
}

// Underage reports whether somebody born on birth is under 18 today.
func Underage(birth, today time.Time) bool { return Age(birth, today) < AdultAge }

// Age is the number of whole years between birth and today.
func Age(birth, today time.Time) int {
	years := today.Year() - birth.Year()
	if today.Month() < birth.Month() || today.Month() == birth.Month() && today.Day() < birth.Day() {
		years--
	}
	return years
}

// InKids reports whether the talent belongs to the kids board, by the board's id, or by its name or that of one of its
// parts, or to a board of the site's own that says it is children's.
func (t *Talent) InKids() bool {
	return slices.ContainsFunc(t.Categories, func(c Category) bool {
		isNamed := func(name string) bool { return strings.EqualFold(strings.TrimSpace(c.Name), name) }
		return c.ID == KidsID ||
			!c.Adults && (isNamed("kids") || isNamed("girls") || isNamed("boys") || c.Minors)
	})
}

// Mark notes in a talent's categories which are boards of the site's own that are children's. It returns the talent
// itself where that changes nothing.
func (b *Boards) Mark(t *Talent) *Talent {
	isMinors := func(c Category) bool {
		return b.own && slices.ContainsFunc(b.groups, func(g *Group) bool { return g.Minors && g.is(c) })
	}
	if !slices.ContainsFunc(t.Categories, func(c Category) bool { return isMinors(c) != c.Minors }) {
		return t
	}
	marked := *t
	marked.Categories = slices.Clone(t.Categories)
	for i, c := range t.Categories {
		marked.Categories[i].Minors = isMinors(c)
	}
	return &marked
}

// MergeProtection takes over from another answer about the same talent whatever makes them a minor, or younger: where a
// list and a profile disagree, the more protective one counts.
func (t *Talent) MergeProtection(other *Talent, today time.Time) {
	t.Protected = t.Protected || other.Protected || other.implausiblyOld(today)
	if other.Birthdate.After(t.Birthdate) {
		t.Birthdate = other.Birthdate
	}
	if other.InKids() && !t.InKids() {
		t.Categories = append(slices.Clip(t.Categories), Category{ID: KidsID, Name: "kids"})
	}
}

// ForMinor are the measures that may be shown of a minor.
func (m Measures) ForMinor() Measures {
	return Measures{Height: m.Height, Shoes: m.Shoes, Hair: m.Hair, Eyes: m.Eyes}
}
