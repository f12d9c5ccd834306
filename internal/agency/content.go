package agency

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// AreLost reports whether so many talents are gone, of those that there were, that it is no editor's work: all, or at
// least three and more than a third.
func AreLost(gone, of, left int) bool { return gone > 0 && left == 0 || gone >= 3 && gone*3 > of }

// Post is an entry of the blog. Body is HTML from the back end and must be sanitised before it is shown. Cover is a
// picture's file; PublishedAt is zero where unknown.
type Post struct {
	ID          string    `json:"id"`
	Type        string    `json:"type"`
	Slug        string    `json:"slug"`
	Title       string    `json:"title"`
	Excerpt     string    `json:"excerpt"`
	Body        string    `json:"body"`
	Cover       string    `json:"cover"`
	PublishedAt time.Time `json:"-"`
	Author      string    `json:"author"`
	Draft       bool      `json:"-"` // not published: only editors see it
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
	Name   string    `json:"name"`
	Title  string    `json:"title"`
	Body   string    `json:"body"`
	Images []Picture `json:"images"`
	Lang   string    `json:"language,omitempty"`
	Draft  bool      `json:"-"` // not published: only editors see it
}

// SocialMedia is a link to one of the agency's profiles elsewhere.
type SocialMedia struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// Option is an entry of a select box. For hair and eyes Value is English, Label Spanish and
// Value2 Portuguese; elsewhere Label shows both units and Value2 is empty.
type Option struct {
	Value  string            `json:"value"`
	Label  string            `json:"label"`
	Value2 string            `json:"value2,omitempty"`
	Names  map[string]string `json:"names,omitempty"` // in further languages, by tag; of the embedded back end alone
}

// Place is a country or a city.
type Place struct {
	ID    string `json:"id"`
	Value string `json:"value"`
}

// Options are the lists of the application form. Cities is filled if a country was given.
type Options struct {
	Countries []Place  `json:"countries"`
	Cities    []Place  `json:"cities,omitempty"`
	Eyes      []Option `json:"eyes"`
	Hair      []Option `json:"hair"`
	Height    []Option `json:"height"`
	Bust      []Option `json:"bust"`
	Waist     []Option `json:"waist"`
	Hips      []Option `json:"hips"`
	Shoes     []Option `json:"shoes"`
	Suit      []Option `json:"suit"`
	Gender    []Option `json:"gender"`
	HairKind  []Option `json:"hair_kind"`
	HairSize  []Option `json:"hair_size"`
	SkinColor []Option `json:"skin_color"`
	Sizes     string   `json:"sizes,omitempty"` // ours: the system of bare sizes, as EU; empty: not known

	// No form asks for these.
	Chest  []Option `json:"chest,omitempty"`
	Jeans  []Option `json:"jeans,omitempty"`
	Shirt  []Option `json:"shirt,omitempty"`
	Weight []Option `json:"weight,omitempty"`
}

// OptionsQuery selects lists: labels in a language, and the cities of a country (its id; empty for none).
type OptionsQuery struct {
	Language, Country string
}

// The named pages that are kept ready. Some panels have no safety page.
const (
	PrivacyPage = "privacy"
	SafetyPage  = "safety"
)

// Panel is what is read from the panel back end.
type Panel interface {
	Slides(ctx context.Context, kind string) ([]Slide, error)
	Posts(ctx context.Context, kind string, paginate, page int) (PostPage, error)
	Post(ctx context.Context, kind, slug string) (Post, error)
	Entity(ctx context.Context, name, lang string) (Entity, error)
	SocialMedias(ctx context.Context) ([]SocialMedia, error)
}

// Integration is what is read from the integration back end.
type Integration interface {
	Talents(ctx context.Context) ([]*Talent, error)
	Profile(ctx context.Context, id string) (Talent, error)
	Options(ctx context.Context, query OptionsQuery) (Options, error)
}

// What can go wrong between the site and a back end. Clients wrap these, so that a page can tell
// them apart with errors.Is.
var (
	// ErrNotFound: the back end answered that it does not exist.
	ErrNotFound = errors.New("not found")
	// ErrGone: it does not exist any more; it is an ErrNotFound too.
	ErrGone = fmt.Errorf("gone: %w", ErrNotFound)
	// ErrUnavailable: the back end did not answer, or not with what it should have.
	ErrUnavailable = errors.New("unavailable")
	// ErrRejected: the back end refused what was sent, for good.
	ErrRejected = errors.New("rejected")
	// ErrNotTaken: something answered as if it had taken what was sent, but not as the back end does.
	ErrNotTaken = errors.New("not taken")
)

// PageOf gives one page of a list and the number of the last one.
func PageOf[T any](list []T, page, perPage int) (part []T, last int) {
	last = max((len(list)+perPage-1)/perPage, 1)
	if page > last {
		return nil, last
	}
	return list[(page-1)*perPage : min(page*perPage, len(list))], last
}
