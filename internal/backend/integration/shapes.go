package integration

import (
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/backend/wire"
)

// talentJSON is a profile as it is read: what tells whether a talent is a minor is read more strictly than the rest.
type talentJSON struct {
	wire.Profile
	Birthdate  birthJSON      `json:"birthdate"`
	Categories categoriesJSON `json:"categories"`
	Nested     wire.Galleries `json:"galleries"` // the galleries, on some back ends
}

func (shape talentJSON) talent(rule agency.MinorCategories, texts *i18n.Texts) agency.Talent {
	talent := agency.Talent{
		ID:         string(shape.ID),
		Name:       shape.Name,
		Gender:     agency.GenderOf(shape.Gender, texts),
		Cover:      shape.CoverPicture(),
		Birthdate:  shape.Birthdate.date,
		Protected:  shape.unreadable() || shape.Categories.ofMinors(rule),
		Categories: shape.Categories.list,
		Measures:   shape.Measures,
		Book:       wire.Pictures(firstNonEmpty(shape.Book, shape.Nested.Book)),
		Snap:       wire.Pictures(firstNonEmpty(shape.Snap, shape.Nested.Snap)),
		Instagram:  agency.InstagramHandle(shape.Instagram),
		Stay:       shape.Stay(),
	}
	if talent.Digital = shape.Digital.Picture(); talent.Digital == (agency.Digital{}) {
		talent.Digital = shape.Nested.Digital.Picture()
	}
	for _, video := range firstNonEmpty(shape.Video, shape.Nested.Video) {
		if video.File != "" {
			video.Provider = strings.ToLower(video.Provider)
			talent.Video = append(talent.Video, video)
		}
	}
	rule.Mark(&talent)
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
