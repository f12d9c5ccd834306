package agency

import (
	"slices"

	"zedcard/i18n"
)

// Board is one of the two top-level boards, or none where a list shows everybody. It stands in addresses.
type Board string

// The boards; a list without one shows everybody.
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

	Key   string // of the text of its name
	Title string // of the text of its title in search results; empty: its name
	Job   string // of the text for what one of its talents does; empty: the board's own

	ID         CategoryID // of the back end's category; 0: it has no fixed number and goes by its names
	Names      []string   // of the back end's category, in lower case
	KidsGender Gender     // kids of this gender belong to it, too

	NoGender bool // whether choosing it drops the gender

	Screen  string // the screen of its own address; empty: it is in the query of its board's address
	Paths   paths  // its address without the language's prefix; English also for languages without one
	Aliases paths  // a second spelling of the address
}

type paths = map[i18n.Lang]string

// Groups lists the groups in the order of menus and buttons, a board before its parts. It is the one place that
// knows them: filters, addresses, names, menus, sitemaps and the index follow from it.
var Groups = []Group{
	{
		Filter: Filter{Board: Models},
		Key:    "nav.models", Job: "profile.job.model", ID: ModelsID, Names: []string{"models"},
		Screen: "models", Paths: paths{i18n.EN: "/models"},
	},
	{
		Filter: Filter{Board: Models, Gender: Woman},
		Key:    "filter.woman", Title: "title.women",
		Screen: "women", Paths: paths{i18n.EN: "/models/women", i18n.PT: "/mulheres", i18n.ES: "/mujeres"},
	},
	{
		Filter: Filter{Board: Models, Gender: Man},
		Key:    "filter.man", Title: "title.men",
		Screen: "men", Paths: paths{i18n.EN: "/models/men", i18n.PT: "/homens", i18n.ES: "/homens"},
		Aliases: paths{i18n.ES: "/hombres"},
	},
	{
		Filter: Filter{Board: Models, Category: Fluid},
		Key:    "filter.fluid", Title: "title.fluid", ID: FluidID, Names: []string{"fluid"}, NoGender: true,
		Screen: "fluid", Paths: paths{i18n.EN: "/models/fluid"},
	},
	{
		Filter: Filter{Board: Models, Category: Kids},
		Key:    "filter.kids", Title: "title.kids", ID: KidsID, Names: []string{"kids"}, NoGender: true,
		Screen: "kids", Paths: paths{i18n.EN: "/models/kids"},
	},
	{
		Filter: Filter{Board: Models, Gender: Woman, Subcategory: "curve"},
		Key:    "filter.curve", ID: 1911, Names: []string{"curve"},
	},
	{
		Filter: Filter{Board: Models, Gender: Woman, Subcategory: "fit"},
		Key:    "filter.fit", ID: 1910, Names: []string{"fit"},
	},
	{
		Filter: Filter{Board: Models, Gender: Woman, Subcategory: "life"},
		Key:    "filter.life", ID: 1912, Names: []string{"life"},
	},
	{
		Filter: Filter{Board: Models, Gender: Woman, Subcategory: "petite"},
		Key:    "filter.petite", ID: 1918, Names: []string{"petite"},
	},
	{
		Filter: Filter{Board: Models, Gender: Man, Subcategory: "big"},
		Key:    "filter.big", ID: 1921, Names: []string{"big", "big and tall"},
	},
	{
		Filter: Filter{Board: Models, Gender: Man, Subcategory: "fit"},
		Key:    "filter.fit", ID: 1910, Names: []string{"fit"},
	},
	{
		Filter: Filter{Board: Models, Gender: Man, Subcategory: "life"},
		Key:    "filter.life", ID: 1912, Names: []string{"life"},
	},
	{
		Filter: Filter{Board: Models, Category: Kids, Subcategory: "girls"},
		Key:    "filter.girls", Names: []string{"girls"}, KidsGender: Woman,
	},
	{
		Filter: Filter{Board: Models, Category: Kids, Subcategory: "boys"},
		Key:    "filter.boys", Names: []string{"boys"}, KidsGender: Man,
	},
	{
		Filter: Filter{Board: Creative},
		Key:    "nav.creative", Title: "title.creative", Job: "profile.job.creative",
		ID: CreativeID, Names: []string{"creative"},
		Screen: "creative", Paths: paths{i18n.EN: "/creative"},
	},
	{
		Filter: Filter{Board: Creative, Category: "photographer"},
		Key:    "filter.photographer", Job: "profile.job.photographer", ID: 1923, Names: []string{"photographer"},
	},
	{
		Filter: Filter{Board: Creative, Category: "make"},
		Key:    "filter.make", Job: "profile.job.make", ID: 1924, Names: []string{"make", "make and hair"},
	},
	{
		Filter: Filter{Board: Creative, Category: "stylist"},
		Key:    "filter.stylist", Job: "profile.job.stylist", ID: 1925, Names: []string{"stylist"},
	},
	{
		Filter: Filter{Board: Creative, Category: "influencers"},
		Key:    "filter.influencers", Job: "profile.job.influencer", Names: []string{"influencers", "influencer"},
	},
}

// Contains reports whether a talent belongs to the group, whatever board it is on.
func (g *Group) Contains(t *Talent) bool {
	switch {
	case g.Tag() == Kids:
		return t.InKids()
	case g.ID != 0:
		return t.Has(g.ID)
	case len(g.Names) == 0:
		return t.Gender == g.Filter.Gender
	case g.KidsGender != "" && t.Gender == g.KidsGender && t.InKids():
		return true
	}
	return slices.ContainsFunc(g.Names, t.HasNamed)
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

// byTag are the groups by their tag. Of two with the same tag it has the first; they differ only in their parent.
var byTag = func() map[any]*Group {
	all := map[any]*Group{}
	for i := range Groups {
		if tag := Groups[i].Tag(); all[tag] == nil {
			all[tag] = &Groups[i]
		}
	}
	return all
}()

// GroupOf is the group of a tag: a Board, a Gender, a ListCategory or a Subcategory; nil where there is none.
func GroupOf(tag any) *Group { return byTag[tag] }

// Group is the group that a filter's board, gender, category and subcategory select; nil where they select none, or
// more than one.
func (f Filter) Group() *Group {
	chosen := Filter{Board: f.Board, Gender: f.Gender, Category: f.Category, Subcategory: f.Subcategory}
	for i := range Groups {
		if Groups[i].Filter == chosen {
			return &Groups[i]
		}
	}
	return nil
}

// Board is the board a talent's own address stands under: creative for those who are only there, models for
// everybody else.
func (t *Talent) Board() Board {
	if t.Has(CreativeID) && !t.Has(ModelsID) {
		return Creative
	}
	return Models
}

// BookingList is the list a talent is booked from: kids, a craft of the creative board, or the models of a gender.
func (t *Talent) BookingList() Filter {
	f := Filter{Board: t.Board(), Show: PageSize}
	switch {
	case f.Board == Creative:
		return f.WithCategory(t.creativeCategory())
	case t.InKids():
		return f.WithCategory(Kids)
	case t.Gender == "" && t.Has(FluidID):
		return f.WithCategory(Fluid)
	}
	return f.WithGender(t.Gender)
}

// creativeCategory is the first category of the creative board that a talent belongs to.
func (t *Talent) creativeCategory() ListCategory {
	for i := range Groups {
		g := &Groups[i]
		if g.Filter.Board == Creative && g.Filter.Category != "" && g.Filter.Subcategory == "" && g.Contains(t) {
			return g.Filter.Category
		}
	}
	return ""
}

// Job is the key of the text for what a talent does.
func (t *Talent) Job() string {
	if group := t.BookingList().Group(); group != nil && group.Job != "" {
		return group.Job
	}
	return GroupOf(t.Board()).Job
}
