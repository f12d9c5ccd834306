package views

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/copydesk"
	"zedcard/internal/routes"
)

// CopyDesk is the editors' view of all texts.
type CopyDesk struct {
	Screens          []CopyScreen
	Rows             []CopyRow
	Screen           string // the selected one; empty: all
	OnlyUntranslated bool   // only texts that are missing or the same as the English
}

// CopyScreen is a screen with the number of its texts.
type CopyScreen struct {
	Name  string
	Count int
}

// CopyRow is one text.
type CopyRow struct {
	Key   string
	Texts []CopyText // in the order of i18n.Langs()
	copydesk.Use
	Rank int // 0 missing in a language, 1 same as the English, 2 done
}

// CopyText is one text in one language; PageURL is the address of a page with it.
type CopyText struct {
	Lang                   i18n.Lang
	Words, PageURL         string
	Missing, SameAsEnglish bool
}

// NewCopyDesk lists every text, first those that are missing in a language, then those that equal the English one.
// pageOf returns the address of a page of a screen, or "".
func NewCopyDesk(
	uses map[string]copydesk.Use, pageOf func(i18n.Lang, string) string, screen string, open bool,
) CopyDesk {
	desk := CopyDesk{Screen: screen, OnlyUntranslated: open}
	counts := map[string]int{}
	for _, key := range i18n.AllKeys() {
		row := newCopyRow(key, uses[key], pageOf)
		for _, name := range row.Screens {
			counts[name]++
		}
		if (screen == "" || slices.Contains(row.Screens, screen)) && (!open || row.Rank < 2) {
			desk.Rows = append(desk.Rows, row)
		}
	}
	slices.SortStableFunc(desk.Rows, func(a, b CopyRow) int { return a.Rank - b.Rank })
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		desk.Screens = append(desk.Screens, CopyScreen{name, counts[name]})
	}
	return desk
}

func newCopyRow(key string, use copydesk.Use, pageOf func(i18n.Lang, string) string) CopyRow {
	row := CopyRow{Key: key, Use: use, Rank: 2}
	for _, lang := range i18n.Langs() {
		text := CopyText{Lang: lang, Missing: !lang.Has(key) || strings.TrimSpace(lang.T(key)) == ""}
		if !text.Missing {
			text.Words = lang.T(key)
			text.SameAsEnglish = lang != i18n.EN && text.Words == i18n.EN.T(key)
		}
		switch {
		case text.Missing:
			row.Rank = 0
		case text.SameAsEnglish:
			row.Rank = min(row.Rank, 1)
		}
		for _, screen := range use.Screens {
			if page := pageOf(lang, screen); page != "" {
				text.PageURL = copydesk.WithKeys(page)
				break
			}
		}
		row.Texts = append(row.Texts, text)
	}
	return row
}

// copyAddress is the address of the desk for one screen, and with open only its unfinished texts.
func copyAddress(screen string, open bool) string {
	query := url.Values{}
	if screen != "" {
		query.Set("screen", screen)
	}
	if open {
		query.Set("only", "open")
	}
	if len(query) == 0 {
		return routes.Copy
	}
	return routes.Copy + "?" + query.Encode()
}
