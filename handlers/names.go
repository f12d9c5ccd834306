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

// selectList is what a list shows: in the order of the board, or by name in an index and below a letter.
func selectList(roster *catalog.Roster, lang i18n.Lang, f agency.Filter) (agency.Filter, catalog.Selection) {
	if f.View != agency.NamesView && f.Letter == "" {
		return f, roster.Select(f)
	}
	shown := f.Shown()
	if f.View == agency.NamesView {
		shown = namesShown
	}
	f, selection := selectAll(roster, lang, f)
	selection.Items = selection.Items[:min(len(selection.Items), shown)]
	return f, selection
}

// selectAll is selectList with all talents, as far as one page can show them. A long index of names has those of a
// letter, by default its first.
func selectAll(roster *catalog.Roster, lang i18n.Lang, f agency.Filter) (agency.Filter, catalog.Selection) {
	show := f.Show
	f.Show = agency.MaxShow
	selection := roster.Select(f)
	if f.View == agency.NamesView {
		show = agency.PageSize
		first := slices.Index(selection.Letters[:], true)
		if selection.Total > namesShown && f.Letter == "" && first >= 0 {
			f.Letter = string(rune('A' + first)) // #nosec G115 -- one of 26 letters
			selection = roster.Select(f)
		}
	}
	f.Show = show
	if f.View == agency.NamesView || f.Letter != "" {
		sortByName(lang, selection.Items)
	}
	return f, selection
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
