package handlers

import (
	"cmp"
	"slices"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/catalog"
)

// namesShown is how many names stand on one page, each with a picture's addresses. Where more are found, it is a
// page of one letter.
const namesShown = 200

// namesOf finds all talents of a list for the index of names; of a long list those of its first letter, unless one was
// chosen.
func namesOf(roster *catalog.Roster, filter agency.Filter) (agency.Filter, catalog.Selection) {
	filter.Show = agency.MaxShow
	selection := roster.Select(filter)
	if selection.Total > namesShown && filter.Letter == "" {
		if first := slices.Index(selection.Letters[:], true); first >= 0 {
			filter.Letter = string(rune('A' + first))
			selection = roster.Select(filter)
		}
	}
	filter.Show = agency.PageSize
	return filter, selection
}

// sortByName sorts talents by their letter, and under it as the language sorts names with accents. Names that are under
// no letter of A to Z come last.
func sortByName(lang i18n.Lang, talents []*agency.Talent) {
	collator := collate.New(language.Make(string(lang)), collate.IgnoreCase)
	slices.SortStableFunc(talents, func(a, b *agency.Talent) int {
		return cmp.Or(
			cmp.Compare(cmp.Or(agency.Letter(a.Name), "~"), cmp.Or(agency.Letter(b.Name), "~")),
			collator.CompareString(a.Name, b.Name))
	})
}
