package views

import (
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"zedcard/internal/agency"
	"zedcard/internal/routes"
)

// breakable is the HTML of a name whose long words may break in a narrow column, with a hyphen, into parts of the same
// length. Words of up to eleven letters fit everywhere.
func breakable(name string) string {
	const maxUnbroken = 11
	var html strings.Builder
	for word := range strings.SplitAfterSeq(name, " ") {
		for part := range strings.SplitAfterSeq(word, "-") {
			letters := []rune(part)
			length := utf8.RuneCountInString(strings.TrimRight(part, " -"))
			for parts := (length + maxUnbroken - 1) / maxUnbroken; parts > 1; parts-- {
				size := (len(letters) + parts - 1) / parts
				html.WriteString(templ.EscapeString(string(letters[:size])) + "&shy;")
				letters = letters[size:]
			}
			html.WriteString(templ.EscapeString(string(letters)))
		}
	}
	return html.String()
}

// groupName is the name of a tag's group (agency.GroupOf).
func groupName(p *Page, tag any) string { return p.name(agency.GroupOf(tag)) }

// name is the name of a group in the page's language.
func (p *Page) name(g *agency.Group) string {
	if g.Key != "" {
		return p.T(g.Key)
	}
	return g.Name(p.Lang)
}

// allLabel is the label "all" of the row of subcategories, which agrees with the gender.
func allLabel(p *Page, f agency.Filter) string {
	board := agency.GroupOf(f.Board)
	if f.Gender == agency.Woman || board != nil && board.Only == agency.Woman {
		return p.T("filter.all.woman")
	}
	return p.T("filter.all")
}

// menuBoards are the boards in the menu, and menuSubgroups a board's lists with an address of their own.
func menuBoards() []*agency.Group {
	return menuGroups(func(g *agency.Group) bool { return g.Tag() == g.Filter.Board })
}

func menuSubgroups(board *agency.Group) []*agency.Group {
	return menuGroups(func(g *agency.Group) bool {
		return g.Filter.Board == board.Filter.Board && g.Tag() != g.Filter.Board
	})
}

func menuGroups(include func(*agency.Group) bool) []*agency.Group {
	var shown []*agency.Group
	groups := agency.Groups()
	for i := range groups {
		if g := &groups[i]; g.Screen != "" && !g.Unlisted && include(g) {
			shown = append(shown, g)
		}
	}
	return shown
}

// BoardNames are the names of the boards in the menu.
func BoardNames(p *Page) string {
	var names []string
	for _, board := range menuBoards() {
		names = append(names, p.name(board))
	}
	return strings.Join(names, ", ")
}

// BoardTitle is the name of a talent's board.
func BoardTitle(p *Page, t *agency.Talent) string { return p.name(t.HomeGroup()) }

// trades are what a creative does: the names of their categories, or that of the board.
func trades(p *Page, t *agency.Talent) string {
	var trades []string
	for _, group := range t.Crafts() {
		if group.Labels != nil {
			trades = append(trades, p.name(group))
		} else {
			trades = append(trades, p.T(group.Job))
		}
	}
	if trades == nil {
		return p.T(t.Job())
	}
	return strings.Join(trades, ", ")
}

// ListTitle is the heading of a list screen.
func ListTitle(p *Page, screen routes.Screen) string {
	if screen == routes.AllTalents {
		return p.T("list.everybody")
	}
	return p.name(routes.ListFilter(screen).Group())
}

// ListSearchTitle is the title of a list screen in search results; empty if its heading suffices.
func ListSearchTitle(p *Page, screen routes.Screen) string {
	group := routes.ListFilter(screen).Group()
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
