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

// namesShown is how many names one page lists, each with the addresses of a picture. A longer list is split by letter.
const namesShown = 200

// namesOf selects the talents for the index of names: all of a list, or of a long one those of the chosen letter, by
// default its first.
func namesOf(roster *catalog.Roster, filter agency.Filter) (agency.Filter, catalog.Selection) {
	filter.Show = agency.MaxShow
	selection := roster.Select(filter)
	if selection.Total > namesShown && filter.Letter == "" {
		if first := slices.Index(selection.Letters[:], true); first >= 0 {
			filter.Letter = string(rune('A' + first)) // #nosec G115 -- one of 26 letters
			selection = roster.Select(filter)
		}
	}
	filter.Show = agency.PageSize
	return filter, selection
}

// sortByName sorts talents by first letter, then by the language's collation. Names with no letter of A to Z come last.
func sortByName(lang i18n.Lang, talents []*agency.Talent) {
	collator := collate.New(language.Make(string(lang)), collate.IgnoreCase)
	slices.SortStableFunc(talents, func(a, b *agency.Talent) int {
		return cmp.Or(
			cmp.Compare(cmp.Or(agency.Letter(a.Name), "~"), cmp.Or(agency.Letter(b.Name), "~")),
			collator.CompareString(a.Name, b.Name))
	})
}
