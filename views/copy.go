package views

import (
	"maps"
	"slices"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
)

// CopyDesk is the editors' view of all texts.
type CopyDesk struct {
	Search string           // any part of a key or a text
	Langs  []*i18n.Language // of the columns
	Rows   []CopyRow
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

// NewCopyDesk lists the texts that a search finds, first those that are missing in a language, then those that equal
// the English one.
func NewCopyDesk(texts *i18n.Texts, search string) CopyDesk {
	desk := CopyDesk{Search: search, Langs: texts.Langs()}
	wanted := map[string][]i18n.Lang{}
	for _, lang := range desk.Langs {
		for _, key := range lang.Wanted() {
			wanted[key] = append(wanted[key], lang.Lang)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		if row := newCopyRow(key, desk.Langs, wanted[key]); row.has(agency.Fold(search)) {
			desk.Rows = append(desk.Rows, row)
		}
	}
	slices.SortStableFunc(desk.Rows, func(a, b CopyRow) int { return a.Rank - b.Rank })
	return desk
}

func (r CopyRow) has(search string) bool {
	return strings.Contains(agency.Fold(r.Key), search) || slices.ContainsFunc(r.Texts, func(t CopyText) bool {
		return strings.Contains(agency.Fold(t.Words), search)
	})
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
