// Package feed writes what programs read of the site: sitemaps, with the languages and pictures of each page
// (sitemaps.org), and feeds of posts (Atom, RFC 4287).
package feed

import (
	"encoding/xml"
	"io"
	"time"
)

// Feed is a list of posts, newest first. Addresses are absolute; Address is also the feed's id. WriteAtom fills in
// Updated and Links.
type Feed struct {
	XMLName  xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	Lang     string   `xml:"xml:lang,attr"`
	Address  string   `xml:"id"`
	Title    string   `xml:"title"`
	Subtitle string   `xml:"subtitle,omitempty"`
	Updated  string   `xml:"updated"`
	Author   string   `xml:"author>name"`
	Links    []Link   `xml:"link"`
	Entries  []Entry  `xml:"entry"`
	Home     string   `xml:"-"` // the page with the same posts
}

// Entry is a post of a feed, with its own language. Its address is also its id. WriteAtom fills in Link, By, Published
// and Updated.
type Entry struct {
	Lang      string    `xml:"xml:lang,attr"`
	Address   string    `xml:"id"`
	Title     string    `xml:"title"`
	Link      Link      `xml:"link"`
	Published string    `xml:"published,omitempty"`
	Updated   string    `xml:"updated"`
	By        *Person   `xml:"author"`
	Author    string    `xml:"-"` // empty: the feed's
	Summary   string    `xml:"summary,omitempty"`
	Date      time.Time `xml:"-"` // zero: unknown
}

// Person is somebody with a name.
type Person struct {
	Name string `xml:"name"`
}

// Link is an address related to a feed or an entry.
type Link struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
}

// WriteAtom writes an Atom feed. The format requires a date for every entry: one without gets the beginning of 1970, so
// that readers sort it last.
func WriteAtom(w io.Writer, f Feed) error {
	f.Links = []Link{{"self", f.Address}, {"alternate", f.Home}}
	f.Updated = "1970-01-01T00:00:00Z"
	for i := range f.Entries {
		e := &f.Entries[i]
		e.Link, e.Updated = Link{"alternate", e.Address}, "1970-01-01T00:00:00Z"
		if e.Author != "" {
			e.By = &Person{e.Author}
		}
		if !e.Date.IsZero() {
			e.Updated = e.Date.UTC().Format(time.RFC3339)
			e.Published, f.Updated = e.Updated, max(f.Updated, e.Updated)
		}
	}
	return encode(w, f)
}
