package integration

import (
	"cmp"
	"encoding/json"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/backend/wire"
)

// talentJSON is a profile as it is read: what tells whether a talent is a minor is read more strictly than the rest.
type talentJSON struct {
	wire.Profile
	Birthdate  birthJSON       `json:"birthdate"`
	Categories categoriesJSON  `json:"categories"`
	Nested     json.RawMessage `json:"galleries"` // the galleries, on some back ends
}

func (shape talentJSON) talent(rule agency.MinorCategories) agency.Talent {
	talent := agency.Talent{
		ID:         string(shape.ID),
		Name:       string(shape.Name),
		Gender:     gender(shape.Gender),
		Cover:      shape.CoverPicture(),
		Birthdate:  shape.Birthdate.date,
		Protected:  shape.unreadable() || shape.Categories.ofMinors(rule),
		Categories: shape.Categories.list,
		Measures:   shape.Measures(),
		Instagram:  agency.InstagramHandle(string(shape.Instagram)),
		Stay:       shape.Stay(),
		Living:     string(shape.Living),
	}
	talent.Cover.Focus = focus(shape.Focus)
	rule.Mark(&talent)
	var nested wire.Galleries
	if len(shape.Nested) > 0 && json.Unmarshal(shape.Nested, &nested) != nil {
		nested = wire.Galleries{} // unknown shape: no galleries
	}
	talent.Book = wire.Pictures(firstNonEmpty(shape.Book, nested.Book))
	talent.Snap = wire.Pictures(firstNonEmpty(shape.Snap, nested.Snap))
	talent.Digital = cmp.Or(shape.FullLength(), nested.FullLength())
	for _, video := range firstNonEmpty(shape.Video, nested.Video) {
		if video.File != "" {
			talent.Video = append(talent.Video, agency.Video{
				Provider: strings.ToLower(string(video.Provider)),
				File:     string(video.File),
				Preview:  string(video.Preview),
			})
		}
	}
	return talent
}

// unreadable reports whether the birth date or the categories can't be read.
func (shape talentJSON) unreadable() bool {
	return shape.Birthdate.unreadable || shape.Categories.unreadable
}

func firstNonEmpty[T any](first, second []T) []T {
	if len(first) > 0 {
		return first
	}
	return second
}

// focus is the focal point of two numbers within the picture; anything else is none.
func focus(numbers []wire.Number) agency.Focus {
	valid := func(n wire.Number) bool { return n >= 1 && n <= 100 }
	if len(numbers) != 2 || !valid(numbers[0]) || !valid(numbers[1]) {
		return agency.Focus{}
	}
	return agency.Focus{X: int(numbers[0]), Y: int(numbers[1])}
}

func gender(text wire.Text) agency.Gender {
	switch gender := agency.Gender(strings.ToLower(string(text))); gender {
	case agency.Woman, agency.Man:
		return gender
	}
	return ""
}
