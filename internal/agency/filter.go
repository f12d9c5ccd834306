package agency

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// PageSize is how many talents a list shows at first, and how many more at a time.
const PageSize = 20

// SheetSize is how many frames a contact sheet shows instead of PageSize cards: four rows of six.
const SheetSize = 24

// MaxHeight is the greatest height of a talent that counts as valid, in cm.
const MaxHeight = 300

// MaxShow is the most talents that one page shows: more than anybody scrolls to, and few enough that one address can't
// make the site render a whole large roster.
const MaxShow = 2000

// maxName is how many characters of a name are searched for.
const maxName = 100

// Filter is the state of a talent list, and everything in its address. A Filter from ParseFilter or from a method that
// changes one never contradicts itself (see normalized).
type Filter struct {
	boards   *Boards  // of the site; nil: the default ones
	alphabet Alphabet // of the page's language

	Board       Board
	Gender      Gender
	Category    ListCategory
	Subcategory Subcategory
	Letter      string // "" or one of the alphabet
	Show        int    // how many talents: PageSize, twice PageSize, ...
	View        View   // how they are shown; it filters nothing

	// The finder.
	Name                 string   // any part of a talent's name
	HeightFrom, HeightTo int      // cm, both included; 0 is no limit
	Hair, Eyes           Families // of HairFamilies, EyeFamilies; 0 is any
	City                 string   // where talents are in town
}

// View is a way to show a list of models. Other boards have the cards alone.
type View string

// The views; cards are the default.
const (
	CardsView View = ""
	SheetView View = "sheet" // a contact sheet
	NamesView View = "names" // an index of names, A to Z
)

// Views are all views, in the order of the view switch.
var Views = []View{CardsView, SheetView, NamesView}

// NearMiss is a talent whom a filter leaves out for a single measure: height, hair or eyes.
type NearMiss struct {
	Talent *Talent
	Misses Measure
}

// ParseFilter reads the state of a list from its address: path is what the path itself says (a board, and for
// /models/women and the like a gender or a category), query the rest. Unknown values are ignored; where the two
// contradict each other, the path counts.
func ParseFilter(path Filter, alphabet Alphabet, query url.Values) Filter {
	f := Filter{
		boards:     path.boards,
		alphabet:   alphabet,
		Board:      path.Board,
		Gender:     path.Gender,
		Category:   path.Category,
		Letter:     query.Get("letter"),
		Show:       parseShow(query.Get("show")),
		View:       oneOf(Views, View(query.Get("view"))),
		Name:       parseName(query.Get("q")),
		HeightFrom: parseHeight(query.Get("height_from")),
		HeightTo:   parseHeight(query.Get("height_to")),
		Hair:       FamiliesOf(HairFamilies, query["hair"]),
		Eyes:       FamiliesOf(EyeFamilies, query["eyes"]),
		City:       parseName(query.Get("city")),
	}
	if f.HeightTo > 0 && f.HeightFrom > f.HeightTo {
		f.HeightFrom, f.HeightTo = f.HeightTo, f.HeightFrom
	}
	if f.Gender == "" {
		f.Gender = oneOf(f.Genders(), Gender(query.Get("gender")))
	}
	category := oneOf(f.Categories(), ListCategory(query.Get("category")))
	if f.Category == "" && (path.Gender == "" || !f.withoutGender(category)) {
		f.Category = category
	}
	f.Subcategory = Subcategory(query.Get("subcategory"))
	return f.preselected().normalized()
}

// preselected reads values of the parameter subcategory that are not subcategories, but a gender or a category that
// drops the gender. They count where the address has neither.
func (f Filter) preselected() Filter {
	if f.Gender != "" || f.withoutGender(f.Category) {
		return f
	}
	f.Gender = oneOf(f.Genders(), Gender(f.Subcategory))
	if category := ListCategory(f.Subcategory); f.Category == "" && f.withoutGender(category) {
		f.Category = category
	}
	return f
}

// normalized removes contradictions: a gender or category that the board does not have, a gender beside a category that
// drops it, and a subcategory of another gender or category.
func (f Filter) normalized() Filter {
	if f.Category != "" {
		f.Category = oneOf(f.Categories(), f.Category)
	}
	if f.Gender != "" {
		f.Gender = oneOf(f.Genders(), f.Gender)
	}
	if f.withoutGender(f.Category) {
		f.Gender = ""
	}
	if f.Subcategory != "" {
		f.Subcategory = oneOf(f.Subcategories(), f.Subcategory)
	}
	if f.Letter != "" && !slices.Contains(f.alphabet.Letters(), f.Letter) {
		f.Letter = ""
	}
	if f.Board == AllBoards || f.Creative() {
		f.View = CardsView
	}
	return f
}

// withoutGender reports whether choosing a category drops the gender.
func (f Filter) withoutGender(c ListCategory) bool {
	group := f.of().GroupOf(c)
	return group != nil && group.NoGender
}

// Query is the query of the filter's address whose path already says path. Defaults are left out.
func (f Filter) Query(path Filter) url.Values {
	query := url.Values{}
	set := func(name, value, omitted string) {
		if value != omitted && value != "" {
			query.Set(name, value)
		}
	}
	set("category", string(f.Category), string(path.Category))
	set("city", f.City, "")
	set("gender", string(f.Gender), string(path.Gender))
	set("height_from", strconv.Itoa(f.HeightFrom), "0")
	set("height_to", strconv.Itoa(f.HeightTo), "0")
	set("letter", f.Letter, "")
	set("q", f.Name, "")
	set("show", strconv.Itoa(f.Show), strconv.Itoa(PageSize))
	set("subcategory", string(f.Subcategory), "")
	set("view", string(f.View), "")
	add := func(name string, values []string) {
		if len(values) > 0 {
			query[name] = values
		}
	}
	add("eyes", f.Eyes.Of(EyeFamilies))
	add("hair", f.Hair.Of(HairFamilies))
	return query
}

// Cleared keeps the board and its view, and clears everything else.
func (f Filter) Cleared() Filter {
	return Filter{boards: f.boards, alphabet: f.alphabet, Board: f.Board, Show: PageSize, View: f.View}
}

// WithView shows the same list in another view.
func (f Filter) WithView(view View) Filter {
	f.View = view
	return f.afterChange()
}

// WithGender chooses a gender ("" for none) and clears category and subcategory.
func (f Filter) WithGender(g Gender) Filter {
	f.Gender, f.Category, f.Subcategory = g, "", ""
	return f.afterChange()
}

// WithCategory chooses a category ("" for none). Fluid and kids clear gender and subcategory.
func (f Filter) WithCategory(c ListCategory) Filter {
	f.Category = c
	return f.afterChange()
}

// WithSubcategory chooses a subcategory; "" is the row's "all" button.
func (f Filter) WithSubcategory(s Subcategory) Filter {
	f.Subcategory = s
	return f.afterChange()
}

// Alphabet are the letters that a list may be narrowed to.
func (f Filter) Alphabet() Alphabet { return f.alphabet }

// In is the filter on a page of another language, whose alphabet may lack the letter.
func (f Filter) In(alphabet Alphabet) Filter {
	f.alphabet = alphabet
	return f.normalized()
}

// WithLetter chooses a letter, or clears it when it is the chosen one.
func (f Filter) WithLetter(letter string) Filter {
	if f.Letter == letter {
		letter = ""
	}
	f.Letter = letter
	return f.afterChange()
}

// WithName searches for a part of a name, "" for any name.
func (f Filter) WithName(name string) Filter {
	f.Name = name
	return f.afterChange()
}

// WithHeights chooses a range of heights in cm, 0 for no limit.
func (f Filter) WithHeights(from, to int) Filter {
	f.HeightFrom, f.HeightTo = from, to
	return f.afterChange()
}

// WithHair chooses families of hair colours, 0 for any.
func (f Filter) WithHair(families Families) Filter {
	f.Hair = families
	return f.afterChange()
}

// WithEyes chooses families of eye colours, 0 for any.
func (f Filter) WithEyes(families Families) Filter {
	f.Eyes = families
	return f.afterChange()
}

// WithCity chooses the city where talents are in town, "" for any talents.
func (f Filter) WithCity(city string) Filter {
	f.City = city
	return f.afterChange()
}

// Shown is how many talents the list shows in its view.
func (f Filter) Shown() int {
	if f.View == SheetView {
		return f.Show / PageSize * SheetSize
	}
	return f.Show
}

// More shows one more page of the same list. The caller must not go beyond MaxShow.
func (f Filter) More() Filter {
	f.Show += PageSize
	return f
}

// UpTo is the same list shown up to its nth talent, as far as MaxShow; an index of names shows all of them.
func (f Filter) UpTo(n int) Filter {
	f.Show = PageSize
	if f.View != NamesView {
		pages := (n + f.Shown() - 1) / f.Shown()
		f.Show = min(max(pages, 1)*PageSize, MaxShow)
	}
	return f
}

// afterChange ends every change of the filter: the list starts at its first page again.
func (f Filter) afterChange() Filter {
	f.Show = PageSize
	return f.normalized()
}

// Genders is the row of gender buttons, nil on a board without.
func (f Filter) Genders() []Gender {
	return buttons(f.of(), func(g *Group) (Gender, bool) {
		return g.Filter.Gender, g.Filter.Subcategory == "" && g.shownOn(f.Board)
	})
}

// Categories is the row of category buttons. A list of everybody has those of all boards.
func (f Filter) Categories() []ListCategory {
	return buttons(f.of(), func(g *Group) (ListCategory, bool) {
		return g.Filter.Category, g.Filter.Subcategory == "" && g.shownOn(f.Board)
	})
}

// All is the list without a filter; on a site with boards of its own that of all models, or the board of creatives.
func (f Filter) All() Filter {
	all := f.Cleared()
	if f.of().own && !f.Creative() {
		all.Board = Models
	}
	return all
}

// Boards are the boards beside a board of the site's own: those of models, or those of creatives; nil on a site with
// the default ones.
func (f Filter) Boards() []*Group {
	if !f.of().own {
		return nil
	}
	return f.of().that(func(g *Group) bool { return g.Labels != nil && g.Screen != "" && g.Creative == f.Creative() })
}

// Subcategories is the row that shows under the chosen gender or category, without its "all"; nil where there is no
// such row.
func (f Filter) Subcategories() []Subcategory {
	return buttons(f.of(), func(g *Group) (Subcategory, bool) {
		switch {
		case f.of().Own():
			return g.Filter.Subcategory, g.Filter.Board == f.Board
		case g.Filter.Category != "":
			return g.Filter.Subcategory, g.Filter.Category == f.Category
		}
		return g.Filter.Subcategory, g.Filter.Gender == f.Gender
	})
}

// buttons are the values that of returns for the groups, without empty ones.
func buttons[T ~string](b *Boards, of func(*Group) (value T, shown bool)) []T {
	var row []T
	for _, g := range b.groups {
		if value, shown := of(g); shown && value != "" {
			row = append(row, value)
		}
	}
	return row
}

// Active reports whether anything at all is chosen beyond the board.
func (f Filter) Active() bool {
	f.Show = PageSize
	return f != f.Cleared()
}

// oneOf is value if it is among the allowed ones, and the zero value otherwise.
func oneOf[T comparable](allowed []T, value T) T {
	if slices.Contains(allowed, value) {
		return value
	}
	var none T
	return none
}

func parseShow(text string) int {
	show, err := strconv.Atoi(text)
	if err != nil || show <= 0 || show%PageSize != 0 {
		return PageSize
	}
	return min(show, MaxShow)
}

func parseHeight(text string) int {
	cm, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || cm < 1 || cm > MaxHeight {
		return 0
	}
	return cm
}

func parseName(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if name := []rune(text); len(name) > maxName {
		return strings.TrimSpace(string(name[:maxName]))
	}
	return text
}
