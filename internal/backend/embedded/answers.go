package embedded

import (
	"encoding/json"
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

func answerTalent(t agency.Talent) talentAnswer {
	answer := talentAnswer{
		ID: json.Number(t.ID), Name: t.Name, Gender: t.Gender, Cover: t.Cover.File, Birthdate: day(t.Birthdate),
		Categories: []categoryAnswer{},
		Height:     t.Measures.Height, Bust: t.Measures.Bust, Waist: t.Measures.Waist, Suit: t.Measures.Suit,
		Hips: t.Measures.Hips, Shoes: t.Measures.Shoes, Hair: t.Measures.Hair, Eyes: t.Measures.Eyes,
		Jeans: t.Measures.Jeans, Chest: t.Measures.Chest,
	}
	if focus := t.Cover.Focus; focus != (agency.Focus{}) {
		answer.Focus = []int{focus.X, focus.Y}
	}
	for _, c := range t.Categories {
		answer.Categories = append(answer.Categories, categoryAnswer{c.ID, c.Name})
	}
	return answer
}

func answerProfile(t agency.Talent) talentAnswer {
	answer := answerTalent(t)
	answer.galleriesAnswer = &galleriesAnswer{
		Book: answerPictures(t.Book), Snap: answerPictures(t.Snap), Video: []videoAnswer{},
	}
	for _, v := range t.Video {
		answer.Video = append(answer.Video, videoAnswer(v))
	}
	return answer
}

func answerPictures(pictures []agency.Picture) []pictureAnswer {
	answer := []pictureAnswer{}
	for _, p := range pictures {
		answer = append(answer, pictureAnswer{p.ID, p.File, p.Width, p.Height, p.Caption})
	}
	return answer
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

func answerOptions(list []agency.Option) []optionAnswer {
	answer := []optionAnswer{}
	for _, o := range list {
		answer = append(answer, optionAnswer(o))
	}
	return answer
}

type placeAnswer struct {
	ID    string `json:"id"`
	Value string `json:"value"`
}

type slideAnswer struct {
	Mobile      string `json:"image_mobile"`
	Desktop     string `json:"image_desktop"`
	Description string `json:"description"`
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
