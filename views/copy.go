package views

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/routes"
)

// CopyDesk is the editors' view of all texts.
type CopyDesk struct {
	CopyFilter
	Langs []*i18n.Language // of the columns
	Rows  []CopyRow
}

// CopyFilter is what the desk shows.
type CopyFilter struct {
	Open   bool      // only texts that are missing or the same as the English
	Search string    // any part of a key or a text
	Lang   i18n.Lang // beside the first language; empty: all
}

// CopyRow is one text.
type CopyRow struct {
	Key   string
	Texts []CopyText // in the order of CopyDesk.Langs
	Rank  int        // 0 missing in a language, 1 same as the English, 2 done
}

// CopyText is one text in one language.
type CopyText struct {
	Lang                   *i18n.Language
	Words                  string
	Place                  string // of the site's own text, as file:line; empty: it is the program's
	Missing, SameAsEnglish bool
}

// NewCopyDesk lists every text, first those that are missing in a language, then those that equal the English one.
func NewCopyDesk(texts *i18n.Texts, filter CopyFilter) CopyDesk {
	desk := CopyDesk{CopyFilter: filter, Langs: texts.Langs()}
	if lang := texts.In(filter.Lang); slices.Contains(desk.Langs, lang) && lang.Lang == filter.Lang {
		desk.Langs = slices.Compact([]*i18n.Language{texts.First(), lang})
	}
	wanted := map[string][]i18n.Lang{}
	for _, lang := range desk.Langs {
		for _, key := range lang.Wanted() {
			wanted[key] = append(wanted[key], lang.Lang)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		if row := newCopyRow(key, desk.Langs, wanted[key]); filter.has(row) {
			desk.Rows = append(desk.Rows, row)
		}
	}
	slices.SortStableFunc(desk.Rows, func(a, b CopyRow) int { return a.Rank - b.Rank })
	return desk
}

func (f CopyFilter) has(row CopyRow) bool {
	search := agency.Fold(f.Search)
	found := strings.Contains(agency.Fold(row.Key), search) || slices.ContainsFunc(row.Texts, func(t CopyText) bool {
		return strings.Contains(agency.Fold(t.Words), search)
	})
	return found && (!f.Open || row.Rank < 2)
}

// newCopyRow is a text that some languages need.
func newCopyRow(key string, langs []*i18n.Language, wanted []i18n.Lang) CopyRow {
	row := CopyRow{Key: key, Rank: 2}
	for _, lang := range langs {
		own, _ := lang.Override(key)
		text := CopyText{Lang: lang, Place: own.Place}
		switch words := lang.T(key); {
		case !lang.Has(key) && !slices.Contains(wanted, lang.Lang): // a plural form that it doesn't have
		case !lang.Has(key) && i18n.MayLack(key):
			text.Words, text.SameAsEnglish = words, true
		case !lang.Has(key) || strings.TrimSpace(words) == "":
			text.Missing, row.Rank = true, 0
		case lang.Lang != i18n.EN && words == lang.In(i18n.EN).T(key):
			text.Words, text.SameAsEnglish, row.Rank = words, true, min(row.Rank, 1)
		default:
			text.Words = words
		}
		row.Texts = append(row.Texts, text)
	}
	return row
}

// address is the address of the desk with another value of one parameter.
func (f CopyFilter) address(name, value string) string {
	query := url.Values{"q": {f.Search}, "lang": {string(f.Lang)}}
	if f.Open {
		query.Set("only", "open")
	}
	query.Set(name, value)
	maps.DeleteFunc(query, func(_ string, values []string) bool { return values[0] == "" })
	return strings.TrimSuffix(routes.Copy+"?"+query.Encode(), "?")
}
