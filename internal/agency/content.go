package agency

import "time"

// Post is an entry of the blog. Body is HTML from the back end and must be sanitised before it is shown. Cover is a
// picture's file; PublishedAt is zero where unknown.
type Post struct {
	ID          string
	Type        string
	Slug        string
	Title       string
	Excerpt     string
	Body        string
	Cover       string
	PublishedAt time.Time
	Author      string
	Draft       bool // not published: only editors see it
}

// PostPage is one page of a type's posts, as the panel paginates them.
type PostPage struct {
	Posts    []Post
	Page     int // from 1
	LastPage int
}

// Entity is a named page of the panel (about, privacy, future-face). Body is HTML and must be
// sanitised before it is shown. Lang is the language that the panel says it answered in, empty
// where it does not say.
type Entity struct {
	Name   string
	Title  string
	Body   string
	Images []Picture
	Lang   string
	Draft  bool // not published: only editors see it
}

// SocialMedia is a link to one of the agency's profiles elsewhere.
type SocialMedia struct {
	Name string
	URL  string
}

// Option is an entry of a select box. For hair and eyes Value is English, Label Spanish and
// Value2 Portuguese; elsewhere Label shows both units and Value2 is empty.
type Option struct {
	Value, Label, Value2 string
	Names                map[string]string // in further languages, by tag; only the embedded back end has them
}

// Place is a country or a city.
type Place struct {
	ID, Value string
}

// Options are the lists of the application form. Cities is filled if a country was given.
type Options struct {
	Countries, Cities                      []Place
	Eyes, Hair                             []Option
	Height, Bust, Waist, Hips, Shoes, Suit []Option
	Gender                                 []Option
	HairKind, HairSize, SkinColor          []Option
	Chest, Jeans, Shirt, Weight            []Option // no form asks for them
}

// OptionsQuery selects lists: labels in a language, and the cities of a country (its id; empty for none).
type OptionsQuery struct {
	Language, Country string
}
