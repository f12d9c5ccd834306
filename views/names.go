package views

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"zedcard/internal/agency"
	"zedcard/internal/routes"
)

// breakable is the HTML of a name whose long words may break in a narrow column, with a hyphen between two syllables.
// Words of up to ten letters fit everywhere.
func breakable(name string) string {
	const maxUnbroken = 10
	var html strings.Builder
	for word := range strings.SplitAfterSeq(name, " ") {
		for part := range strings.SplitAfterSeq(word, "-") {
			letters := []rune(part)
			for utf8.RuneCountInString(strings.TrimRight(string(letters), " -")) > maxUnbroken {
				end := syllableEnd(letters, min(len(letters)/2, maxUnbroken-1))
				html.WriteString(templ.EscapeString(string(letters[:end])) + "&shy;")
				letters = letters[end:]
			}
			html.WriteString(templ.EscapeString(string(letters)))
		}
	}
	return html.String()
}

// syllableEnd is the last place up to at where a syllable seems to end: after a vowel, before a consonant and a vowel.
// Without one it is at.
func syllableEnd(letters []rune, at int) int {
	vowel := func(i int) bool {
		return strings.ContainsRune("aeiouyàáâãäåæèéêëìíîïòóôõöøùúûü", letters[i])
	}
	for end := at; end > 2; end-- {
		if vowel(end-1) && !vowel(end) && vowel(end+1) {
			return end
		}
	}
	return at
}

// groupName is the name of a tag's group (agency.GroupOf).
func groupName(p *Page, tag any) string { return p.name(p.Boards.GroupOf(tag)) }

// name is the name of a group in the page's language.
func (p *Page) name(g *agency.Group) string {
	if g.Key != "" {
		return p.T(g.Key)
	}
	return g.Name(p.Lang)
}

// allLabel is the label "all" of the row of subcategories, which agrees with the gender.
func allLabel(p *Page, f agency.Filter) string {
	board := p.Boards.GroupOf(f.Board)
	if f.Gender == agency.Woman || board != nil && board.Only == agency.Woman {
		return p.T("filter.all.woman")
	}
	return p.T("filter.all")
}

// menuBoards are the boards in the menu, without empty ones, and menuSubgroups a board's lists with an address of their
// own.
func menuBoards(p *Page) []*agency.Group {
	boards := menuGroups(p, func(g *agency.Group) bool { return g.Tag() == g.Filter.Board })
	if len(p.Empty) < len(p.Boards.Groups()) {
		boards = slices.DeleteFunc(boards, func(g *agency.Group) bool { return slices.Contains(p.Empty, g) })
	}
	return boards
}

func menuSubgroups(p *Page, board *agency.Group) []*agency.Group {
	return menuGroups(p, func(g *agency.Group) bool {
		return g.Filter.Board == board.Filter.Board && g.Tag() != g.Filter.Board
	})
}

func menuGroups(p *Page, include func(*agency.Group) bool) []*agency.Group {
	var shown []*agency.Group
	for _, g := range p.Boards.Groups() {
		if g.Screen != "" && !g.Unlisted && include(g) {
			shown = append(shown, g)
		}
	}
	return shown
}

// BoardNames are the names of the boards in the menu.
func BoardNames(p *Page) string {
	var names []string
	for _, board := range menuBoards(p) {
		names = append(names, p.name(board))
	}
	return strings.Join(names, ", ")
}

// BoardTitle is the name of a talent's board.
func BoardTitle(p *Page, t *agency.Talent) string { return p.name(p.Boards.HomeGroup(t)) }

// trades are what a creative does: the names of their categories, or that of the board.
func trades(p *Page, t *agency.Talent) string {
	var trades []string
	for _, group := range p.Boards.Crafts(t) {
		if group.Labels != nil {
			trades = append(trades, p.name(group))
		} else {
			trades = append(trades, p.T(group.Job))
		}
	}
	if trades == nil {
		return p.T(p.Boards.Job(t))
	}
	return strings.Join(trades, ", ")
}

// ListTitle is the heading of a list screen.
func ListTitle(p *Page, screen routes.Screen) string {
	if screen == routes.AllTalents {
		return p.T("list.everybody")
	}
	return p.name(p.Routes.ListFilter(screen).Group())
}

// ListSearchTitle is the title of a list screen in search results; empty if its heading suffices.
func ListSearchTitle(p *Page, screen routes.Screen) string {
	group := p.Routes.ListFilter(screen).Group()
	if screen == routes.AllTalents || group.Title == "" {
		return ""
	}
	return p.T(group.Title)
}

// CaptionParts splits a picture's caption at its dash: a person's name and role, a work's title and kind.
func CaptionParts(caption string) (name, rest string) {
	for _, dash := range []string{" — ", " – ", " - "} {
		if name, rest, ok := strings.Cut(caption, dash); ok {
			return strings.TrimSpace(name), strings.TrimSpace(rest)
		}
	}
	return strings.TrimSpace(caption), ""
}
