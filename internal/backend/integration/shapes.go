package integration

import (
	"encoding/json"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/backend/wire"
)

// The shapes in which talents and options are read.

type talentJSON struct {
	ID         wire.ID                `json:"id"`
	Name       wire.Text              `json:"name"`
	Gender     wire.Text              `json:"gender"`
	Cover      wire.Text              `json:"cover"`
	Focus      wire.List[wire.Number] `json:"focus"` // an extension, see agency.Focus
	Birthdate  birthJSON              `json:"birthdate"`
	Categories categoriesJSON         `json:"categories"`
	Height     wire.Text              `json:"height"`
	Bust       wire.Text              `json:"bust"`
	Waist      wire.Text              `json:"waist"`
	Suit       wire.Text              `json:"suit"`
	Hips       wire.Text              `json:"hips"`
	Shoes      wire.Text              `json:"shoes"`
	Hair       wire.Text              `json:"hair"`
	Eyes       wire.Text              `json:"eyes"`
	Jeans      wire.Text              `json:"jeans"`
	Chest      wire.Text              `json:"chest"`
	galleriesJSON
	Galleries json.RawMessage `json:"galleries"` // the galleries, on some back ends
}

type galleriesJSON struct {
	Book  wire.List[wire.Picture] `json:"book"`
	Snap  wire.List[wire.Picture] `json:"snap"`
	Video wire.List[wire.Video]   `json:"video"`
}

func (shape talentJSON) talent(rule agency.MinorCategories) agency.Talent {
	talent := agency.Talent{
		ID:         string(shape.ID),
		Name:       string(shape.Name),
		Gender:     gender(shape.Gender),
		Cover:      agency.Picture{File: string(shape.Cover), Focus: focus(shape.Focus)},
		Birthdate:  shape.Birthdate.date,
		Protected:  shape.unreadable() || shape.Categories.ofMinors(rule),
		Categories: shape.Categories.list,
		Measures: agency.Measures{
			Height: string(shape.Height),
			Bust:   string(shape.Bust),
			Waist:  string(shape.Waist),
			Suit:   string(shape.Suit),
			Hips:   string(shape.Hips),
			Shoes:  string(shape.Shoes),
			Hair:   string(shape.Hair),
			Eyes:   string(shape.Eyes),
			Jeans:  string(shape.Jeans),
			Chest:  string(shape.Chest),
		},
	}
	rule.Mark(&talent)
	var nested galleriesJSON
	if len(shape.Galleries) > 0 && json.Unmarshal(shape.Galleries, &nested) != nil {
		nested = galleriesJSON{} // unknown shape: no galleries
	}
	talent.Book = wire.Pictures(firstNonEmpty(shape.Book, nested.Book))
	talent.Snap = wire.Pictures(firstNonEmpty(shape.Snap, nested.Snap))
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

type optionJSON struct {
	Value  wire.Text `json:"value"`
	Label  wire.Text `json:"label"`
	Value2 wire.Text `json:"value2"`
}

type placeJSON struct {
	ID    wire.Text `json:"id"`
	Value wire.Text `json:"value"`
}

type optionsJSON struct {
	Countries wire.List[placeJSON]  `json:"countries"`
	Cities    wire.List[placeJSON]  `json:"cities"`
	Eyes      wire.List[optionJSON] `json:"eyes"`
	Hair      wire.List[optionJSON] `json:"hair"`
	Height    wire.List[optionJSON] `json:"height"`
	Bust      wire.List[optionJSON] `json:"bust"`
	Waist     wire.List[optionJSON] `json:"waist"`
	Hips      wire.List[optionJSON] `json:"hips"`
	Shoes     wire.List[optionJSON] `json:"shoes"`
	Suit      wire.List[optionJSON] `json:"suit"`
	Gender    wire.List[optionJSON] `json:"gender"`
	HairKind  wire.List[optionJSON] `json:"hair_kind"`
	HairSize  wire.List[optionJSON] `json:"hair_size"`
	SkinColor wire.List[optionJSON] `json:"skin_color"`
}

func (shape optionsJSON) options() agency.Options {
	return agency.Options{
		Countries: places(shape.Countries),
		Cities:    places(shape.Cities),
		Eyes:      options(shape.Eyes),
		Hair:      options(shape.Hair),
		Height:    options(shape.Height),
		Bust:      options(shape.Bust),
		Waist:     options(shape.Waist),
		Hips:      options(shape.Hips),
		Shoes:     options(shape.Shoes),
		Suit:      options(shape.Suit),
		Gender:    options(shape.Gender),
		HairKind:  options(shape.HairKind),
		HairSize:  options(shape.HairSize),
		SkinColor: options(shape.SkinColor),
	}
}

// options leaves out options without a value, and labels those without a label with their value.
func options(shapes []optionJSON) []agency.Option {
	var options []agency.Option
	for _, shape := range shapes {
		if shape.Value == "" {
			continue
		}
		if shape.Label == "" {
			shape.Label = shape.Value
		}
		options = append(options, agency.Option{
			Value: string(shape.Value), Label: string(shape.Label), Value2: string(shape.Value2),
		})
	}
	return options
}

func places(shapes []placeJSON) []agency.Place {
	var places []agency.Place
	for _, shape := range shapes {
		if shape.ID != "" && shape.Value != "" {
			places = append(places, agency.Place{ID: string(shape.ID), Value: string(shape.Value)})
		}
	}
	return places
}
