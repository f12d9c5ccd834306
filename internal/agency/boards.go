package agency

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"zedcard/i18n"
)

// Board is a top-level board, or none where a list shows everybody. It stands in addresses.
type Board string

// The boards that every site has: models shows all talents who are neither children nor creatives on a site with
// boards of its own. A list without a board shows everybody.
const (
	AllBoards Board = ""
	Models    Board = "models"
	Creative  Board = "creative"
)

// ListCategory is a button of a list's category row. It stands in addresses.
type ListCategory string

// Subcategory is a button of the row that shows under a gender or a category. It stands in addresses.
type Subcategory string

// The groups that rules name; the others stand in Groups alone.
const (
	Fluid ListCategory = "fluid"
	Kids  ListCategory = "kids"
)

// CategoryID is the back end's number of a category.
type CategoryID int

// The categories that rules name.
const (
	ModelsID   CategoryID = 1
	CreativeID CategoryID = 1881
	KidsID     CategoryID = 1909
	FluidID    CategoryID = 1920
)

// NewFaces is the name of the back end's category that the future face page presents.
const NewFaces = "new faces"

// Group is a group of talents that a list can show: a whole board, or what a button narrows it to.
type Group struct {
	Filter Filter // what selects it: a board, and on it a gender, a category or a subcategory

	Labels map[i18n.Lang]string // its name in each language, where it is a board of the site's own

	Key   string // of the text of its name; empty: Labels
	Title string // of the text of its title in search results; empty: its name
	Job   string // of the text for what one of its talents does; empty: the board's own

	ID         CategoryID // of the back end's category; 0: it has no fixed number and goes by its names
	Names      []string   // of the back end's category, in lower case; of a default group those beside its tag
	KidsGender Gender     // kids of this gender belong to it, too
	Only       Gender     // nobody else belongs to it; empty: no matter

	NoGender bool // whether choosing it drops the gender
	Minors   bool // its talents are children
	Creative bool // its talents show works, no measures

	Screen   string // the screen of its own address; empty: it is in the query of its board's address
	Unlisted bool   // it is in no menu
	Paths    paths  // its address without the language's prefix; English also for languages without one
	Aliases  paths  // a second spelling of the address

	Booker Booker // of a board of the site's own
}

// Booker is who takes a board's bookings, and their direct line; empty where the agency names nobody.
type Booker struct{ Name, Phone, Email string }

// CallAddress is the address that calls a telephone number, as written for people.
func CallAddress(phone string) string {
	return "tel:" + strings.Map(func(r rune) rune {
		if r == '+' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, phone)
}

type paths = map[i18n.Lang]string

// Boards are the groups of a site: the one place that knows them. Filters, addresses, names, menus, sitemaps and the
// index follow from it. They never change.
type Boards struct {
	groups []*Group
	own    bool
	byTag  map[any]*Group
}

// NewBoards are these groups; nil: the default ones.
func NewBoards(own []*Group) *Boards {
	made := &Boards{groups: own, own: own != nil, byTag: map[any]*Group{}}
	if own == nil {
		made.groups = defaultGroups
	}
	for _, group := range slices.Backward(made.groups) { // the first of two that differ only in their parent
		made.byTag[group.Tag()] = group
	}
	return made
}

// defaults are the boards of a filter that doesn't say whose it is.
var defaults = NewBoards(nil)

// Groups lists the groups in the order of menus and buttons, a board before its parts. It must not be changed.
func (b *Boards) Groups() []*Group { return b.groups }

// Own reports whether the site has boards of its own.
func (b *Boards) Own() bool { return b.own }

// OwnGroups completes the boards of a site with models, the list of all of them.
func OwnGroups(boards []*Group) []*Group {
	return append([]*Group{{
		Filter: Filter{Board: Models},
		Key:    "nav.models", Job: "profile.job.model", Unlisted: true,
		Screen: "models", Paths: paths{i18n.EN: "/models"},
	}}, boards...)
}

var defaultGroups = []*Group{
	{
		Filter: Filter{Board: Models}, Key: "nav.models", Job: "profile.job.model", ID: ModelsID,
		Screen: "models", Paths: paths{i18n.EN: "/models"},
	},
	{
		Filter: Filter{Board: Models, Gender: Woman}, Key: "filter.woman", Title: "title.women",
		Screen: "women", Paths: paths{i18n.EN: "/models/women", i18n.PT: "/mulheres", i18n.ES: "/mujeres"},
	},
	{
		Filter: Filter{Board: Models, Gender: Man}, Key: "filter.man", Title: "title.men",
		Screen: "men", Paths: paths{i18n.EN: "/models/men", i18n.PT: "/homens", i18n.ES: "/homens"},
		Aliases: paths{i18n.ES: "/hombres"},
	},
	{
		Filter: Filter{Board: Models, Category: Fluid}, Key: "filter.fluid", Title: "title.fluid",
		ID: FluidID, NoGender: true,
		Screen: "fluid", Paths: paths{i18n.EN: "/models/fluid"},
	},
	{
		Filter: Filter{Board: Models, Category: Kids}, Key: "filter.kids", Title: "title.kids",
		ID: KidsID, NoGender: true, Minors: true,
		Screen: "kids", Paths: paths{i18n.EN: "/models/kids"},
	},
	{Filter: Filter{Board: Models, Gender: Woman, Subcategory: "curve"}, Key: "filter.curve", ID: 1911},
	{Filter: Filter{Board: Models, Gender: Woman, Subcategory: "fit"}, Key: "filter.fit", ID: 1910},
	{Filter: Filter{Board: Models, Gender: Woman, Subcategory: "life"}, Key: "filter.life", ID: 1912},
	{Filter: Filter{Board: Models, Gender: Woman, Subcategory: "petite"}, Key: "filter.petite", ID: 1918},
	{
		Filter: Filter{Board: Models, Gender: Man, Subcategory: "big"}, Key: "filter.big",
		ID: 1921, Names: []string{"big and tall"},
	},
	{Filter: Filter{Board: Models, Gender: Man, Subcategory: "fit"}, Key: "filter.fit", ID: 1910},
	{Filter: Filter{Board: Models, Gender: Man, Subcategory: "life"}, Key: "filter.life", ID: 1912},
	{
		Filter: Filter{Board: Models, Category: Kids, Subcategory: "girls"}, Key: "filter.girls",
		KidsGender: Woman, Minors: true,
	},
	{
		Filter: Filter{Board: Models, Category: Kids, Subcategory: "boys"}, Key: "filter.boys",
		KidsGender: Man, Minors: true,
	},
	{
		Filter: Filter{Board: Creative}, Key: "nav.creative", Title: "title.creative", Job: "profile.job.creative",
		ID: CreativeID, Creative: true,
		Screen: "creative", Paths: paths{i18n.EN: "/creative"},
	},
	{
		Filter: Filter{Board: Creative, Category: "photographer"}, Key: "filter.photographer",
		Job: "profile.job.photographer", ID: 1923, Creative: true,
	},
	{
		Filter: Filter{Board: Creative, Category: "make"}, Key: "filter.make",
		Job: "profile.job.make", ID: 1924, Names: []string{"make and hair"}, Creative: true,
	},
	{
		Filter: Filter{Board: Creative, Category: "stylist"}, Key: "filter.stylist",
		Job: "profile.job.stylist", ID: 1925, Creative: true,
	},
	{
		Filter: Filter{Board: Creative, Category: "influencers"}, Key: "filter.influencers",
		Job: "profile.job.influencer", Names: []string{"influencer"}, Creative: true,
	},
}

// Contains reports whether a talent belongs to a group, whatever board it is on.
func (b *Boards) Contains(g *Group, t *Talent) bool {
	switch tag := g.Tag(); {
	case g.Labels != nil:
		listed := func(c Category) bool { return b.lists(g, c) }
		return (g.Only == "" || t.Gender == g.Only) && slices.ContainsFunc(t.Categories, listed)
	case g.Unlisted:
		return !t.InKids() && b.BoardOf(t) == Models
	case tag == Kids:
		return t.InKids()
	case tag == g.Filter.Gender:
		return t.Gender == g.Filter.Gender
	case g.ID != 0:
		return t.Has(g.ID)
	case g.KidsGender != "" && t.Gender == g.KidsGender && t.InKids():
		return true
	}
	return slices.ContainsFunc(g.CategoryNames(), t.HasNamed)
}

// CategoryNames are the names of the back end's category, in lower case.
func (g *Group) CategoryNames() []string { return append([]string{fmt.Sprint(g.Tag())}, g.Names...) }

// lists reports whether the talents of a category are on a board of the site's own: the board itself, or a part.
func (b *Boards) lists(g *Group, c Category) bool {
	return slices.ContainsFunc(b.groups, func(part *Group) bool {
		return part.Filter.Board == g.Filter.Board && (g.Filter.Subcategory == "" || part == g) && part.is(c)
	})
}

// is reports whether a category of the back end is this board of the site's own, by its id, its names or its category.
func (g *Group) is(c Category) bool {
	name := normalName(c.Name)
	return g.ID != 0 && c.ID == g.ID ||
		slices.ContainsFunc(g.Names, func(own string) bool { return strings.EqualFold(own, name) })
}

// normalName is a name as it is compared, without case.
func normalName(name string) string { return norm.NFC.String(strings.TrimSpace(name)) }

// BoardNamed is the board or part of the site's own with this id or name; nil where there is none.
func BoardNamed(groups []*Group, name string) *Group {
	return find(groups, func(g *Group) bool { return g.Labels != nil && g.is(Category{Name: name}) })
}

// find is the first group that fits; nil where there is none.
func find(groups []*Group, fits func(*Group) bool) *Group {
	if at := slices.IndexFunc(groups, fits); at >= 0 {
		return groups[at]
	}
	return nil
}

// that are the groups that fit.
func (b *Boards) that(fit func(*Group) bool) []*Group {
	return slices.DeleteFunc(slices.Clone(b.groups), func(g *Group) bool { return !fit(g) })
}

// NewBoard is a board of a site's own, or a part of another one, with its name in each language and the back end's
// category, an id or a name, which may be empty.
func NewBoard(id string, parent Board, labels map[i18n.Lang]string, category string) *Group {
	g := &Group{Filter: Filter{Board: Board(id)}, Labels: labels, Job: "profile.job.model", Names: []string{id}}
	if parent != "" {
		g.Filter = Filter{Board: parent, Subcategory: Subcategory(id)}
	} else {
		g.Screen = id
	}
	for _, label := range labels {
		g.Names = append(g.Names, normalName(label))
	}
	if number, err := strconv.Atoi(category); err == nil {
		g.ID = CategoryID(number)
	} else if category != "" {
		g.Names = append(g.Names, normalName(category))
	}
	return g
}

// Name is the name of the group in a language.
func (g *Group) Name(l *i18n.Language) string {
	if g.Labels == nil {
		return l.T(g.Key)
	}
	id := string(g.Filter.Board) + string(g.Filter.Subcategory)
	return cmp.Or(g.Labels[l.Lang], g.Labels[l.Base()], g.Labels[l.First().Lang], g.Labels[i18n.EN], id)
}

// Tag is the most specific part of the group's filter: its subcategory, category, gender or board.
func (g *Group) Tag() any {
	switch {
	case g.Filter.Subcategory != "":
		return g.Filter.Subcategory
	case g.Filter.Category != "":
		return g.Filter.Category
	case g.Filter.Gender != "":
		return g.Filter.Gender
	}
	return g.Filter.Board
}

// shownOn reports whether lists of this board show the group's row of buttons.
func (g *Group) shownOn(b Board) bool { return b == AllBoards || b == g.Filter.Board }

// GroupOf is the group of a tag: a Board, a Gender, a ListCategory or a Subcategory; nil where there is none.
func (b *Boards) GroupOf(tag any) *Group { return b.byTag[tag] }

// Group is the group that a filter's board, gender, category and subcategory select; nil where they select none, or
// more than one.
func (f Filter) Group() *Group {
	chosen := Filter{Board: f.Board, Gender: f.Gender, Category: f.Category, Subcategory: f.Subcategory}
	return find(f.of().groups, func(g *Group) bool { return g.Filter == chosen })
}

// Creative reports whether the filter's board shows works instead of measures.
func (f Filter) Creative() bool {
	group := f.of().GroupOf(f.Board)
	return group != nil && group.Creative
}

// OfMinors reports whether the filter shows children only.
func (f Filter) OfMinors() bool {
	group := f.Group()
	return f.Category == Kids || group != nil && group.Minors
}

// List is the list of a whole board.
func (b *Boards) List(board Board) Filter { return Filter{boards: b, Board: board, Show: PageSize} }

// FilterOf is the list of a group.
func (b *Boards) FilterOf(g *Group) Filter {
	f := g.Filter
	f.boards, f.Show = b, PageSize
	return f
}

// of are the boards that the filter is one of.
func (f Filter) of() *Boards { return cmp.Or(f.boards, defaults) }

// BoardOf is the board a talent's own address stands under: creative for those who are only there, models for
// everybody else.
func (b *Boards) BoardOf(t *Talent) Board {
	creative, other := t.Has(CreativeID), t.Has(ModelsID)
	if b.own {
		on := b.that(func(g *Group) bool { return g.Labels != nil && b.Contains(g, t) })
		creative, other = len(on) > 0, find(on, func(g *Group) bool { return !g.Creative }) != nil
	}
	if creative && !other {
		return Creative
	}
	return Models
}

// HomeGroup is the group that a talent's page leads back to: of a site with boards of its own the first that they are
// on, else models or creative.
func (b *Boards) HomeGroup(t *Talent) *Group {
	return cmp.Or(b.GroupOf(b.BookingList(t).Board), b.GroupOf(Models))
}

// BookingList is the list a talent is booked from: kids, a craft of the creative board, or the models of a gender.
func (b *Boards) BookingList(t *Talent) Filter {
	f := b.List(b.BoardOf(t))
	switch {
	case b.own:
		board := find(b.groups, func(g *Group) bool { return g.Screen != "" && g.Labels != nil && b.Contains(g, t) })
		f.Board = cmp.Or(board, b.GroupOf(Models)).Filter.Board
	case f.Board == Creative:
		if crafts := b.Crafts(t); len(crafts) > 0 {
			return f.WithCategory(crafts[0].Filter.Category)
		}
	case t.InKids():
		return f.WithCategory(Kids)
	case t.Gender == "" && t.Has(FluidID):
		return f.WithCategory(Fluid)
	default:
		return f.WithGender(t.Gender)
	}
	return f
}

// HomeList is the list that a profile belongs to if its address names no other: a whole board, or the children's.
func (b *Boards) HomeList(t *Talent) Filter {
	if list := b.BookingList(t); list.Category == Kids {
		return list
	}
	return b.List(b.BoardOf(t))
}

// Crafts are the groups of creatives that a talent belongs to: categories of the creative board, or boards and their
// parts of the site's own.
func (b *Boards) Crafts(t *Talent) []*Group {
	return b.that(func(g *Group) bool {
		return g.Creative && (g.Labels != nil || g.Filter.Category != "") && b.Contains(g, t)
	})
}

// Job is the key of the text for what a talent does.
func (b *Boards) Job(t *Talent) string {
	if group := b.BookingList(t).Group(); group != nil && group.Job != "" {
		return group.Job
	}
	return b.HomeGroup(t).Job
}
