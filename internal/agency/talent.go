// Package agency holds the nouns of the product: talents, boards, galleries, posts, options and
// submissions, with the rules that belong to them. It does no I/O.
package agency

import (
	"strings"
	"time"
)

// Gender is "woman", "man" or empty where the back end gives none.
type Gender string

// The genders that back ends give.
const (
	Woman Gender = "woman"
	Man   Gender = "man"
)

// CategoryID is the back end's number of a category.
type CategoryID int

// The numbers of categories, the same on every back end. Categories without a fixed number
// (influencers, girls, boys) are known by their name.
const (
	ModelsID       CategoryID = 1
	CreativeID     CategoryID = 1881
	KidsID         CategoryID = 1909
	FitID          CategoryID = 1910
	CurveID        CategoryID = 1911
	LifeID         CategoryID = 1912
	PetiteID       CategoryID = 1918
	FluidID        CategoryID = 1920
	BigID          CategoryID = 1921
	PhotographerID CategoryID = 1923
	MakeID         CategoryID = 1924
	StylistID      CategoryID = 1925
)

// Category is one of the categories a talent is listed under.
type Category struct {
	ID   CategoryID
	Name string
}

// Talent is a person on a board. Text fields are as the back end gave them; files are
// storage paths or absolute addresses.
type Talent struct {
	ID         string
	Name       string
	Gender     Gender
	Cover      Picture   // without a file where there is none
	Birthdate  time.Time // zero where unknown; never leaves the server
	Protected  bool      // a minor whatever the birth date says: see Minor
	Categories []Category
	Measures   Measures
	Book       []Picture
	Snap       []Picture
	Video      []Video
	Partial    bool // the profile could not be loaded: this is what a list says, without galleries
}

// Has reports whether the talent is listed under the category with this id.
func (t *Talent) Has(id CategoryID) bool {
	for _, c := range t.Categories {
		if c.ID == id {
			return true
		}
	}
	return false
}

// HasNamed reports whether the talent is listed under a category of this name, in any case.
func (t *Talent) HasNamed(name string) bool {
	for _, c := range t.Categories {
		if strings.EqualFold(strings.TrimSpace(c.Name), name) {
			return true
		}
	}
	return false
}

// Board is one of the two top-level boards, or none where the list has no category filter.
type Board string

// The boards; a list without one shows everybody.
const (
	AllBoards Board = ""
	Models    Board = "models"
	Creative  Board = "creative"
)

// Board is the board a talent's own address stands under: creative for those who are only
// there, models for everybody else.
func (t *Talent) Board() Board {
	if t.Has(CreativeID) && !t.Has(ModelsID) {
		return Creative
	}
	return Models
}

// List is the list a talent is booked from: kids, a craft of the creative board, or the models of
// a gender.
func (t *Talent) List() Filter {
	f := Filter{Board: t.Board(), Show: PageSize}
	switch {
	case f.Board == Creative:
		return f.WithCategory(t.craft())
	case t.InKids():
		return f.WithCategory(Kids)
	case t.Gender == "" && t.Has(FluidID):
		return f.WithCategory(Fluid)
	}
	return f.WithGender(t.Gender)
}

func (t *Talent) craft() ListCategory {
	switch {
	case t.Has(PhotographerID):
		return Photographer
	case t.Has(MakeID):
		return Make
	case t.Has(StylistID):
		return Stylist
	case t.HasNamed("influencers"), t.HasNamed("influencer"):
		return Influencers
	}
	return ""
}

// Picture is a picture of a talent. Width and Height are pixels, 0 where unknown.
type Picture struct {
	ID      string
	File    string
	Focus   Focus
	Width   int
	Height  int
	Caption string
}

// Focus is the point of a picture that stays in sight where it is cut, in percent (1 to 100) from the left and the top.
// The zero Focus is none.
type Focus struct{ X, Y int }

// Landscape reports whether the picture is wider than high.
func (p Picture) Landscape() bool { return p.Width > p.Height }

// Video is an embed of youtube or vimeo. File is the provider's id; for vimeo a hash may
// follow after a slash.
type Video struct {
	Provider string
	File     string
	Preview  string
}

// Slide is a picture of the home page; Group is the number in its description: 1 is the first
// carousel, 2 the second.
type Slide struct {
	Mobile  string
	Desktop string
	Group   int
}
