package remote

import (
	"zedcard/i18n"
	"zedcard/internal/agency"
)

// talentJSON is a profile as it is read: what tells whether a talent is a minor is read more strictly than the rest.
type talentJSON struct {
	Profile
	Birthdate  birthJSON      `json:"birthdate"`
	Categories categoriesJSON `json:"categories"`
	Nested     Galleries      `json:"galleries"` // the galleries, on some back ends
}

// talent is the talent of the shape, and the fields of its videos that can't be read.
func (shape talentJSON) talent(rule agency.MinorCategories, texts *i18n.Texts) (talent agency.Talent, unread []string) {
	talent = agency.Talent{
		ID:         string(shape.ID),
		Name:       shape.Name,
		Gender:     agency.GenderOf(shape.Gender, texts),
		Cover:      shape.CoverPicture(),
		Birthdate:  shape.Birthdate.date,
		Protected:  shape.unreadable() || shape.Categories.ofMinors(rule),
		Categories: shape.Categories.list,
		Measures:   shape.Measures,
		Measured:   shape.MeasuredOn(),
		Book:       Pictures(firstNonEmpty(shape.Book, shape.Nested.Book)),
		Snap:       Pictures(firstNonEmpty(shape.Snap, shape.Nested.Snap)),
		Instagram:  agency.InstagramHandle(shape.Instagram),
		Stay:       shape.Stay(),
	}
	if talent.Digital = shape.Digital.Picture(); talent.Digital == (agency.Digital{}) {
		talent.Digital = shape.Nested.Digital.Picture()
	}
	for _, sent := range firstNonEmpty(shape.Video, shape.Nested.Video) {
		if video, ok := agency.ParseVideo(sent.Provider, sent.File); ok {
			video.Preview = sent.Preview
			talent.Video = append(talent.Video, video)
		} else {
			unread = append(unread, "file")
		}
	}
	rule.Mark(&talent)
	return talent, unread
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
