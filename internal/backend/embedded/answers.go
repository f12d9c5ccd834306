package embedded

import (
	"encoding/json"
	"strconv"
	"time"

	"zedcard/internal/agency"
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

type categoryAnswer struct {
	ID   agency.CategoryID `json:"id"`
	Name string            `json:"name"`
}

type talentAnswer struct {
	ID         json.Number      `json:"id"`
	Name       string           `json:"name"`
	Gender     agency.Gender    `json:"gender,omitempty"`
	Cover      string           `json:"cover,omitempty"`
	Focus      []int            `json:"focus,omitempty"` // ours: x and y of the cover's focal point
	Birthdate  string           `json:"birthdate,omitempty"`
	Categories []categoryAnswer `json:"categories"`
	Height     string           `json:"height,omitempty"`
	Bust       string           `json:"bust,omitempty"`
	Waist      string           `json:"waist,omitempty"`
	Suit       string           `json:"suit,omitempty"`
	Hips       string           `json:"hips,omitempty"`
	Shoes      string           `json:"shoes,omitempty"`
	Hair       string           `json:"hair,omitempty"`
	Eyes       string           `json:"eyes,omitempty"`
	Jeans      string           `json:"jeans,omitempty"`
	Chest      string           `json:"chest,omitempty"`

	*galleriesAnswer // in a profile only
}

type galleriesAnswer struct {
	Book  []pictureAnswer `json:"book"`
	Snap  []pictureAnswer `json:"snap"`
	Video []videoAnswer   `json:"video"`
}

type pictureAnswer struct {
	ID     string `json:"id"`
	File   string `json:"file"`
	Width  int    `json:"width"`
	Height int    `json:"height"`

	Caption string `json:"caption,omitempty"`
}

type videoAnswer struct {
	Provider string `json:"provider"`
	File     string `json:"file"`
	Preview  string `json:"preview"`
}

// each is the list of the items' shapes, [] for none.
func each[T, S any](items []T, shape func(T) S) []S {
	shapes := make([]S, len(items))
	for i, item := range items {
		shapes[i] = shape(item)
	}
	return shapes
}

func answerTalent(t *agency.Talent) talentAnswer {
	m := t.Measures
	answer := talentAnswer{
		ID: json.Number(t.ID), Name: t.Name, Gender: t.Gender, Cover: t.Cover.File, Birthdate: day(t.Birthdate),
		Categories: each(t.Categories, func(c agency.Category) categoryAnswer { return categoryAnswer{c.ID, c.Name} }),
		Height:     m.Height, Bust: m.Bust, Waist: m.Waist, Suit: m.Suit, Hips: m.Hips, Shoes: m.Shoes,
		Hair: m.Hair, Eyes: m.Eyes, Jeans: m.Jeans, Chest: m.Chest,
	}
	if focus := t.Cover.Focus; focus != (agency.Focus{}) {
		answer.Focus = []int{focus.X, focus.Y}
	}
	return answer
}

func answerProfile(t agency.Talent) any {
	answer := answerTalent(&t)
	answer.galleriesAnswer = &galleriesAnswer{
		Book: each(t.Book, answerPicture), Snap: each(t.Snap, answerPicture),
		Video: each(t.Video, func(v agency.Video) videoAnswer { return videoAnswer(v) }),
	}
	return answer
}

func answerPicture(p agency.Picture) pictureAnswer {
	return pictureAnswer{p.ID, p.File, p.Width, p.Height, p.Caption}
}

// day is yyyy-mm-dd, empty where unknown.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
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
		return each(places, func(p agency.Place) placeAnswer { return placeAnswer(p) })
	}
	list := func(options []agency.Option) []optionAnswer {
		return each(options, func(o agency.Option) optionAnswer { return optionAnswer(o) })
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
	return postAnswer{p.ID, p.Type, p.Slug, p.Title, p.Excerpt, p.Body, p.Cover, day(p.PublishedAt), p.Author}
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
	return entityAnswer{e.Name, e.Title, e.Body, each(e.Images, func(p agency.Picture) imageAnswer {
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
