package views

import (
	"slices"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/routes"
)

// MaxRecipient is the longest name of whom a shortlist is for, in letters.
const MaxRecipient = 60

// Address is the address of a screen with the shortlist, for whom it is.
func (l Shortlist) Address(p *Page, screen routes.Screen) string {
	return routes.SharedPath(p.Lang, screen, l.IDs(), l.For)
}

// IsFor reports whether the shortlist is for somebody.
func (l Shortlist) IsFor() bool { return l.For != "" && !l.ForFault }

// Heading is whom the shortlist is for.
func (l Shortlist) Heading(p *Page) string {
	if l.IsFor() {
		return p.T("pack.title", "name", l.For)
	}
	return p.T("shortlist.title")
}

// Contents is what the shortlist has, and the day: Five faces · 25 November 2026.
func (l Shortlist) Contents(p *Page) string {
	key := "pack.faces"
	if slices.ContainsFunc(l.Talents, func(t *agency.Talent) bool { return p.isCreative(t) }) {
		key = "list.count"
	}
	n := len(l.Talents)
	number := p.Lang.Integer(n)
	if words := strings.Fields(p.Lang.T("pack.numbers")); n > 0 && n <= len(words) {
		number = words[n-1]
	}
	return p.T(p.Lang.Form(key, n), "n", number) + " · " + p.Lang.Date(l.Measures.Today)
}

// count is how many are on the shortlist, or on the one that is for somebody.
func (l Shortlist) count(p *Page) string {
	if l.IsFor() {
		return l.Contents(p)
	}
	return p.N("list.count", len(l.Talents))
}
