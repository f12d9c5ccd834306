// Package agency holds the nouns of the product: talents, boards, galleries, posts, options and
// submissions, with the rules that belong to them. It does no I/O.
package agency

import (
	"regexp"
	"slices"
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

// Category is one of the categories a talent is listed under.
type Category struct {
	ID     CategoryID `json:"id"`
	Name   string     `json:"name"`
	Adults bool       `json:"-"`                // MINOR_CATEGORIES says that it is not of minors, whatever its name
	Minors bool       `json:"minors,omitempty"` // it is a board of the site's own that is children's
}

// Talent is a person on a board. Text fields are as the back end gave them; files are
// storage paths or absolute addresses.
type Talent struct {
	ID         string
	Name       string
	Gender     Gender
	Cover      Picture   // without a file where there is none
	Birthdate  time.Time // zero where unknown; never leaves the server
	Protected  bool      // a minor regardless of the birth date: see Minor
	Categories []Category
	Measures   Measures
	Measured   time.Time // the day or the first of the month in which the measures were taken; zero where unknown
	Book       []Picture
	Snap       []Picture
	Digital    Digital // without a file where there is none
	Video      []Video
	Stay       Stay
	Instagram  string // the handle there; not shown of a minor
	Draft      bool   // not published: only editors see the talent
	Partial    bool   // from a list, without galleries: the profile could not be loaded
}

var instagram = regexp.MustCompile(`^(?:@|(?:https?://)?(?:www\.)?instagram\.com/)?([\w.]{1,30})/?(?:\?.*)?$`)

// InstagramHandle is the handle that a text such as @ana.silva or the address of a profile names; empty for others.
func InstagramHandle(text string) string {
	if found := instagram.FindStringSubmatch(strings.TrimSpace(text)); found != nil {
		return found[1]
	}
	return ""
}

// Stay is a time in a city where the talent can be booked; without a city there is none. From may be zero: already
// there.
type Stay struct {
	City        string
	From, Until time.Time // days, both included
}

// Over reports whether there is no stay today or later.
func (s Stay) Over(today time.Time) bool {
	return s.City == "" || s.Until.Format(time.DateOnly) < today.Format(time.DateOnly)
}

// Begun reports whether the stay has begun.
func (s Stay) Begun(today time.Time) bool {
	return s.From.IsZero() || s.From.Format(time.DateOnly) <= today.Format(time.DateOnly)
}

// CurrentStay is the talent's stay unless it is over. Where a minor is, nobody is told.
func (t *Talent) CurrentStay(today time.Time) Stay {
	if t.Stay.Over(today) || t.Minor(today) {
		return Stay{}
	}
	return t.Stay
}

// PictureFiles are the files of all pictures of a talent.
func (t *Talent) PictureFiles() []string {
	files := []string{t.Cover.File, t.Digital.File}
	for _, picture := range slices.Concat(t.Book, t.Snap) {
		files = append(files, picture.File)
	}
	for _, video := range t.Video {
		files = append(files, video.Preview)
	}
	return files
}

// Has reports whether the talent is listed under the category with this id.
func (t *Talent) Has(id CategoryID) bool {
	return slices.ContainsFunc(t.Categories, func(c Category) bool { return c.ID == id })
}

// HasNamed reports whether the talent is listed under a category of this name, in any case.
func (t *Talent) HasNamed(name string) bool {
	return slices.ContainsFunc(t.Categories, func(c Category) bool {
		return strings.EqualFold(strings.TrimSpace(c.Name), name)
	})
}

// Picture is a picture of a talent, or of a text, which has no owner. Width and Height are pixels, 0 where unknown.
type Picture struct {
	ID      string `json:"id,omitempty"`
	File    string `json:"file"`
	Focus   Focus  `json:"-"`
	Width   int    `json:"width"`
	Height  int    `json:"height"`
	Caption string `json:"caption,omitempty"`
	Credit
}

// Credit names who made a picture and who is in it, and for whom; empty where unknown.
type Credit struct {
	Photographer string `json:"photographer,omitempty"`
	Model        string `json:"model,omitempty"`
	Client       string `json:"client,omitempty"`
}

// Focus is the point of a picture that stays visible when it is cropped, in percent (1 to 100) from the left and the
// top. The zero Focus is none.
type Focus struct{ X, Y int }

// Crop is the part of a picture that is shown, around its focus.
type Crop uint8

// The crops: all of it, a card's 3:4, and that of 1200x630 for social networks.
const (
	Whole Crop = iota
	CardCrop
	ShareCrop
)

// Sources are the addresses of one picture: one that every browser can show, and srcsets in its format and, if there is
// one, for browsers with AVIF. Width and Height are the pixels of the largest size, 0 until the original has been read.
type Sources struct {
	Src    string `json:"src"`
	Srcset string `json:"srcset,omitempty"`
	AVIF   string `json:"avif,omitempty"`
	Width  int    `json:"width,omitempty"`
	Height int    `json:"height,omitempty"`
}

// Landscape reports whether the picture is wider than high.
func (p Picture) Landscape() bool { return p.Width > p.Height }

// Digital is a full-length picture. Crown and Ground are the fractions of its height, from the top, at which the top of
// the skull and the ground under the heels lie; 0 where unknown. Taken is the day on which it and the snaps were taken,
// zero where unknown.
type Digital struct {
	File   string    `json:"file"`
	Crown  float64   `json:"crown,omitempty"`
	Ground float64   `json:"ground,omitempty"`
	Taken  time.Time `json:"-"`

	Width  int `json:"width,omitempty"` // pixels; 0: unknown, as the height
	Height int `json:"height,omitempty"`
}

// Picture is the digital among other pictures.
func (d Digital) Picture() Picture { return Picture{File: d.File, Width: d.Width, Height: d.Height} }

// ToScale reports whether the picture says how large a person is in it.
func (d Digital) ToScale() bool {
	return d.File != "" && 0 < d.Crown && d.Crown < d.Ground && d.Ground <= 1
}

// Video is an embed of youtube or vimeo, in small letters. File is the provider's id; for vimeo a hash may
// follow after a slash.
type Video struct {
	Provider string `json:"provider"`
	File     string `json:"file"`
	Preview  string `json:"preview"`
}

// Slide is a picture of the home page; Group is the number in its description: 1 is the first
// carousel, 2 the second.
type Slide struct {
	Mobile  string `json:"image_mobile"`
	Desktop string `json:"image_desktop"`
	Group   int    `json:"-"`
	Talent  string `json:"-"` // the id of whom it shows or whose work it is; empty where it names nobody
}
