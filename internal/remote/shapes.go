package remote

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"zedcard/internal/agency"
)

// The shapes of what passes between the site and a back end, where they differ from the types of package agency. They
// write what our back end answers, and read all that others do.

// Talent is a talent as lists have it.
type Talent struct {
	ID         ID                `json:"id"`
	Name       string            `json:"name"`
	Gender     string            `json:"gender,omitempty"`
	Cover      string            `json:"cover,omitempty"`
	Focus      []int             `json:"focus,omitempty"` // ours: x and y of the cover's focal point
	Birthdate  string            `json:"birthdate,omitempty"`
	Categories []agency.Category `json:"categories"`
	agency.Measures

	// Ours: see agency.Talent and agency.Stay, and the caption and credit of the cover.
	Measured          string `json:"measured,omitempty"`
	InTown            string `json:"in_town,omitempty"`
	InTownFrom        string `json:"in_town_from,omitempty"`
	InTownUntil       string `json:"in_town_until,omitempty"`
	CoverCaption      string `json:"cover_caption,omitempty"`
	CoverPhotographer string `json:"cover_photographer,omitempty"`
	CoverModel        string `json:"cover_model,omitempty"`
	CoverClient       string `json:"cover_client,omitempty"`
}

// Profile is a talent with galleries.
type Profile struct {
	Talent
	Galleries
	Instagram string `json:"instagram,omitempty"` // ours
}

// Galleries are a talent's pictures and videos.
type Galleries struct {
	Book    []agency.Picture `json:"book"`
	Snap    []agency.Picture `json:"snap"`
	Video   []agency.Video   `json:"video"`
	Digital Digital          `json:"digital,omitzero"` // ours
}

// Digital is a full-length picture, with the day on which it was taken.
type Digital struct {
	agency.Digital
	Date string `json:"date,omitempty"`
}

// Picture is the digital of the shape.
func (d Digital) Picture() agency.Digital {
	d.Taken, _ = ParseTime(d.Date) // one that can't be read: unknown
	return d.Digital
}

// Slide is a slide of the home page. Its description holds its group.
type Slide struct {
	agency.Slide
	Description string `json:"description"`
	Talent      ID     `json:"talent,omitempty"` // ours
}

// Post is a post of the blog.
type Post struct {
	agency.Post
	PublishedAt string `json:"published_at"`
}

// ID is written as a number where it is one, as back ends write their own.
type ID string

// MarshalJSON never fails.
func (id ID) MarshalJSON() ([]byte, error) {
	if number, err := strconv.Atoi(string(id)); err == nil && strconv.Itoa(number) == string(id) {
		return []byte(id), nil
	}
	return json.Marshal(string(id))
}

// TalentOf is a talent's shape.
func TalentOf(t *agency.Talent) Talent {
	shape := Talent{
		ID: ID(t.ID), Name: t.Name, Gender: string(t.Gender), Cover: t.Cover.File, Birthdate: day(t.Birthdate),
		Categories: slices.Concat([]agency.Category{}, t.Categories), Measures: t.Measures,
		Measured: day(t.Measured),
		InTown:   t.Stay.City, InTownFrom: day(t.Stay.From), InTownUntil: day(t.Stay.Until),
		CoverCaption:      t.Cover.Caption,
		CoverPhotographer: t.Cover.Photographer, CoverModel: t.Cover.Model, CoverClient: t.Cover.Client,
	}
	if focus := t.Cover.Focus; focus != (agency.Focus{}) {
		shape.Focus = []int{focus.X, focus.Y}
	}
	return shape
}

// ProfileOf is a talent's shape with galleries.
func ProfileOf(t *agency.Talent) Profile {
	galleries := WithLists(Galleries{t.Book, t.Snap, t.Video, Digital{t.Digital, day(t.Digital.Taken)}})
	return Profile{Talent: TalentOf(t), Galleries: galleries, Instagram: t.Instagram}
}

// CoverPicture is the cover of the shape. A focal point that is not within the picture is none.
func (t Talent) CoverPicture() agency.Picture {
	cover := agency.Picture{File: t.Cover, Caption: t.CoverCaption, Credit: agency.Credit{
		Photographer: t.CoverPhotographer, Model: t.CoverModel, Client: t.CoverClient,
	}}
	if len(t.Focus) == 2 && slices.Min(t.Focus) >= 1 && slices.Max(t.Focus) <= 100 {
		cover.Focus = agency.Focus{X: t.Focus[0], Y: t.Focus[1]}
	}
	return cover
}

// MeasuredOn is the day of the shape's measures, or the first of their month; zero for what can't be read.
func (t Talent) MeasuredOn() time.Time {
	day, readable := ParseTime(t.Measured)
	if !readable {
		day, _ = time.Parse("2006-01", t.Measured)
	}
	return day
}

// Stay is that of the shape; none without a last day.
func (t Talent) Stay() agency.Stay {
	from, _ := ParseTime(t.InTownFrom) // one that can't be read: already there
	until, _ := ParseTime(t.InTownUntil)
	if until.IsZero() || t.InTown == "" {
		return agency.Stay{}
	}
	return agency.Stay{City: t.InTown, From: from, Until: until}
}

// Pictures are those that have a file, none with a negative size.
func Pictures(all []agency.Picture) (pictures []agency.Picture) {
	for _, p := range all {
		if p.Width, p.Height = max(p.Width, 0), max(p.Height, 0); p.File != "" {
			pictures = append(pictures, p)
		}
	}
	return pictures
}

// CleanOptions leaves out options and places that have no value, and what no form asks for. An option without a label
// has its value as label.
func CleanOptions(o *agency.Options) {
	o.Chest, o.Jeans, o.Shirt, o.Weight = nil, nil, nil, nil
	lists := reflect.ValueOf(o).Elem()
	for _, field := range lists.Fields() {
		switch list := field.Addr().Interface().(type) {
		case *[]agency.Place:
			*list = slices.DeleteFunc(*list, func(p agency.Place) bool { return p.ID == "" || p.Value == "" })
		case *[]agency.Option:
			*list = slices.DeleteFunc(*list, func(o agency.Option) bool { return o.Value == "" })
			for i := range *list {
				(*list)[i].Label = cmp.Or((*list)[i].Label, (*list)[i].Value)
			}
		}
	}
}

// SlideOf is a slide's shape.
func SlideOf(s agency.Slide) Slide { return Slide{s, strconv.Itoa(s.Group), ID(s.Talent)} }

// Unwrap finds the group in the description, which an editor may have formatted ("<p>1</p>").
func (s Slide) Unwrap() agency.Slide {
	digits := strings.FieldsFunc(s.Description, func(r rune) bool { return !unicode.IsDigit(r) })
	slide := s.Slide
	slide.Talent = string(s.Talent)
	if len(digits) > 0 {
		slide.Group, _ = strconv.Atoi(digits[0]) // too large a number is no group: 0
	}
	return slide
}

// PostOf is a post's shape.
func PostOf(p agency.Post) Post { return Post{p, day(p.PublishedAt)} }

// Unwrap is the post of the shape, which is of this type where it names none.
func (p Post) Unwrap(kind string) agency.Post {
	post := p.Post
	post.Type = cmp.Or(post.Type, kind)
	post.PublishedAt, _ = ParseTime(p.PublishedAt) // unknown where it can't be read
	return post
}

// Each is the list of the items' shapes, [] for none.
func Each[T, S any](items []T, shape func(T) S) []S {
	shapes := make([]S, len(items))
	for i, item := range items {
		shapes[i] = shape(item)
	}
	return shapes
}

// WithLists is a struct whose missing lists are empty ones, which JSON writes as [].
func WithLists[T any](value T) T {
	fields := reflect.ValueOf(&value).Elem()
	for _, field := range fields.Fields() {
		if field.Kind() == reflect.Slice && field.IsNil() {
			field.Set(reflect.MakeSlice(field.Type(), 0, 0))
		}
	}
	return value
}

// day is yyyy-mm-dd, empty where unknown.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}
