package wire

import (
	"encoding/json"
	"strconv"
	"time"

	"zedcard/internal/agency"
)

// The shape in which a talent is written, by a back end and in the call for a composite card. More shapes are read.

// Talent is a talent as lists have it.
type Talent struct {
	ID         ID            `json:"id"`
	Name       string        `json:"name"`
	Gender     agency.Gender `json:"gender,omitempty"`
	Cover      string        `json:"cover,omitempty"`
	Focus      []int         `json:"focus,omitempty"` // ours: x and y of the cover's focal point
	Birthdate  string        `json:"birthdate,omitempty"`
	Categories []Category    `json:"categories"`
	Height     string        `json:"height,omitempty"`
	Bust       string        `json:"bust,omitempty"`
	Waist      string        `json:"waist,omitempty"`
	Suit       string        `json:"suit,omitempty"`
	Hips       string        `json:"hips,omitempty"`
	Shoes      string        `json:"shoes,omitempty"`
	Hair       string        `json:"hair,omitempty"`
	Eyes       string        `json:"eyes,omitempty"`
	Jeans      string        `json:"jeans,omitempty"`
	Chest      string        `json:"chest,omitempty"`
}

// Profile is a talent with galleries.
type Profile struct {
	Talent
	Book  []Picture `json:"book"`
	Snap  []Picture `json:"snap"`
	Video []Video   `json:"video"`
}

// Category is a category of a talent.
type Category struct {
	ID   agency.CategoryID `json:"id"`
	Name string            `json:"name"`
}

// Video is a video of a talent.
type Video struct {
	Provider Text `json:"provider"`
	File     Text `json:"file"`
	Preview  Text `json:"preview"`
}

// ID is written as a number where it is one, as back ends write their own.
type ID string

// UnmarshalJSON reads a number or a text, and never fails.
func (id *ID) UnmarshalJSON(raw []byte) error { return (*Text)(id).UnmarshalJSON(raw) }

// MarshalJSON never fails.
func (id ID) MarshalJSON() ([]byte, error) {
	if number, err := strconv.Atoi(string(id)); err == nil && strconv.Itoa(number) == string(id) {
		return []byte(id), nil
	}
	return json.Marshal(string(id))
}

// TalentOf is a talent's shape.
func TalentOf(t *agency.Talent) Talent {
	m := t.Measures
	shape := Talent{
		ID: ID(t.ID), Name: t.Name, Gender: t.Gender, Cover: t.Cover.File, Birthdate: Day(t.Birthdate),
		Categories: Each(t.Categories, func(c agency.Category) Category { return Category{c.ID, c.Name} }),
		Height:     m.Height, Bust: m.Bust, Waist: m.Waist, Suit: m.Suit, Hips: m.Hips, Shoes: m.Shoes,
		Hair: m.Hair, Eyes: m.Eyes, Jeans: m.Jeans, Chest: m.Chest,
	}
	if focus := t.Cover.Focus; focus != (agency.Focus{}) {
		shape.Focus = []int{focus.X, focus.Y}
	}
	return shape
}

// ProfileOf is a talent's shape with galleries.
func ProfileOf(t *agency.Talent) Profile {
	return Profile{
		Talent: TalentOf(t), Book: Each(t.Book, PictureOf), Snap: Each(t.Snap, PictureOf),
		Video: Each(t.Video, func(v agency.Video) Video {
			return Video{Text(v.Provider), Text(v.File), Text(v.Preview)}
		}),
	}
}

// Each is the list of the items' shapes, [] for none.
func Each[T, S any](items []T, shape func(T) S) []S {
	shapes := make([]S, len(items))
	for i, item := range items {
		shapes[i] = shape(item)
	}
	return shapes
}

// Day is yyyy-mm-dd, empty where unknown.
func Day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}
