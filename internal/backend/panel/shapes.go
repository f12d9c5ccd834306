package panel

import (
	"strconv"
	"strings"
	"unicode"

	"zedcard/internal/agency"
	"zedcard/internal/backend/wire"
)

// The wire shapes.

type slideJSON struct {
	Mobile      wire.Text `json:"image_mobile"`
	Desktop     wire.Text `json:"image_desktop"`
	Description wire.Text `json:"description"`
}

// slide finds the group in the description, which an editor may have formatted ("<p>1</p>").
func (s slideJSON) slide() agency.Slide {
	digits := strings.FieldsFunc(string(s.Description), func(r rune) bool { return !unicode.IsDigit(r) })
	slide := agency.Slide{Mobile: string(s.Mobile), Desktop: string(s.Desktop)}
	if len(digits) > 0 {
		slide.Group, _ = strconv.Atoi(digits[0]) // too large a number is no group: 0
	}
	return slide
}

type socialJSON struct {
	Name wire.Text `json:"name"`
	URL  wire.Text `json:"url"`
}

type postJSON struct {
	ID          wire.Text `json:"id"`
	Type        wire.Text `json:"type"`
	Slug        wire.Text `json:"slug"`
	Title       wire.Text `json:"title"`
	Excerpt     wire.Text `json:"excerpt"`
	Body        wire.Text `json:"body"`
	Cover       wire.Text `json:"cover"`
	PublishedAt wire.Text `json:"published_at"`
	Author      wire.Text `json:"author"`
}

func (p postJSON) post(kind string) agency.Post {
	published, _ := wire.ParseTime(string(p.PublishedAt)) // unknown where it can't be read
	post := agency.Post{
		ID:          string(p.ID),
		Type:        string(p.Type),
		Slug:        string(p.Slug),
		Title:       string(p.Title),
		Excerpt:     string(p.Excerpt),
		Body:        string(p.Body),
		Cover:       string(p.Cover),
		PublishedAt: published,
		Author:      string(p.Author),
	}
	if post.Type == "" {
		post.Type = kind
	}
	return post
}

type entityJSON struct {
	Name     wire.Text               `json:"name"`
	Title    wire.Text               `json:"title"`
	Body     wire.Text               `json:"body"`
	Language wire.Text               `json:"language"`
	Images   wire.List[wire.Picture] `json:"images"`
}

func (e entityJSON) entity(name string) agency.Entity {
	entity := agency.Entity{
		Name:   string(e.Name),
		Title:  string(e.Title),
		Body:   string(e.Body),
		Lang:   string(e.Language),
		Images: wire.Pictures(e.Images),
	}
	if entity.Name == "" {
		entity.Name = name
	}
	return entity
}
