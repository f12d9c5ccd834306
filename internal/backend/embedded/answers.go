package embedded

import (
	"strconv"

	"zedcard/internal/agency"
	"zedcard/internal/backend/wire"
)

// The wire shapes.

// dataAnswer wraps what most calls answer with.
type dataAnswer struct {
	Data any `json:"data"`
}

// pageAnswer is one page of a list.
type pageAnswer struct {
	Data        any  `json:"data"`
	CurrentPage int  `json:"current_page"`
	LastPage    int  `json:"last_page"`
	Total       *int `json:"total,omitempty"`
}

type optionAnswer struct {
	Value  string `json:"value"`
	Label  string `json:"label"`
	Value2 string `json:"value2,omitempty"`
}

type placeAnswer struct {
	ID    string `json:"id"`
	Value string `json:"value"`
}

// optionsAnswer has the lists that every back end has, those of the form's section "more about you", and ranges that no
// form asks for.
type optionsAnswer struct {
	Countries []placeAnswer  `json:"countries"`
	Cities    []placeAnswer  `json:"cities,omitempty"`
	Eyes      []optionAnswer `json:"eyes"`
	Hair      []optionAnswer `json:"hair"`
	Height    []optionAnswer `json:"height"`
	Bust      []optionAnswer `json:"bust"`
	Waist     []optionAnswer `json:"waist"`
	Hips      []optionAnswer `json:"hips"`
	Shoes     []optionAnswer `json:"shoes"`
	Suit      []optionAnswer `json:"suit"`
	Gender    []optionAnswer `json:"gender"`
	HairKind  []optionAnswer `json:"hair_kind"`
	HairSize  []optionAnswer `json:"hair_size"`
	SkinColor []optionAnswer `json:"skin_color"`
	Chest     []optionAnswer `json:"chest,omitempty"`
	Jeans     []optionAnswer `json:"jeans,omitempty"`
	Shirt     []optionAnswer `json:"shirt,omitempty"`
	Weight    []optionAnswer `json:"weight,omitempty"`
}

func answerOptions(o agency.Options) optionsAnswer {
	places := func(places []agency.Place) []placeAnswer {
		return wire.Each(places, func(p agency.Place) placeAnswer { return placeAnswer(p) })
	}
	list := func(options []agency.Option) []optionAnswer {
		return wire.Each(options, func(o agency.Option) optionAnswer { return optionAnswer(o) })
	}
	return optionsAnswer{
		Countries: places(o.Countries), Cities: places(o.Cities), Eyes: list(o.Eyes), Hair: list(o.Hair),
		Height: list(o.Height), Bust: list(o.Bust), Waist: list(o.Waist), Hips: list(o.Hips), Shoes: list(o.Shoes),
		Suit: list(o.Suit), Gender: list(o.Gender), HairKind: list(o.HairKind), HairSize: list(o.HairSize),
		SkinColor: list(o.SkinColor), Chest: list(o.Chest), Jeans: list(o.Jeans), Shirt: list(o.Shirt),
		Weight: list(o.Weight),
	}
}

type slideAnswer struct {
	Mobile      string `json:"image_mobile"`
	Desktop     string `json:"image_desktop"`
	Description string `json:"description"`
}

func answerSlide(s agency.Slide) slideAnswer {
	return slideAnswer{s.Mobile, s.Desktop, strconv.Itoa(s.Group)}
}

type postAnswer struct {
	ID          string `json:"id"`
	Type        string `json:"type"`
	Slug        string `json:"slug"`
	Title       string `json:"title"`
	Excerpt     string `json:"excerpt"`
	Body        string `json:"body"`
	Cover       string `json:"cover"`
	PublishedAt string `json:"published_at"`
	Author      string `json:"author"`
}

func answerPost(p agency.Post) postAnswer {
	return postAnswer{p.ID, p.Type, p.Slug, p.Title, p.Excerpt, p.Body, p.Cover, wire.Day(p.PublishedAt), p.Author}
}

// entityAnswer says its language only where a language was requested.
type entityAnswer struct {
	Name     string        `json:"name"`
	Title    string        `json:"title"`
	Body     string        `json:"body"`
	Images   []imageAnswer `json:"images"`
	Language string        `json:"language,omitempty"`
}

func answerEntity(e agency.Entity) any {
	return entityAnswer{e.Name, e.Title, e.Body, wire.Each(e.Images, func(p agency.Picture) imageAnswer {
		return imageAnswer{p.File, p.Width, p.Height, p.Caption}
	}), e.Lang}
}

type imageAnswer struct {
	File    string `json:"file"`
	Width   int    `json:"width"`
	Height  int    `json:"height"`
	Caption string `json:"caption"`
}

type socialAnswer struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// errorAnswer is the body of every refusal; Errors says what is wrong with each field.
type errorAnswer struct {
	Message string              `json:"message"`
	Errors  map[string][]string `json:"errors,omitempty"`
}
