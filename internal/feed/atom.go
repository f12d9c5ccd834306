// Package feed writes what programs read of the site: sitemaps, with the languages and pictures of each page
// (sitemaps.org), and feeds of posts (Atom, RFC 4287).
package feed

import (
	"encoding/xml"
	"io"
	"time"
)

// Feed is a list of posts, newest first. Addresses are absolute; Address is also the feed's id.
type Feed struct {
	Address  string
	Lang     string
	Title    string
	Subtitle string
	Home     string // the page with the same posts
	Author   string
	Entries  []Entry
}

// Entry is a post of a feed, with its own language. Its address is also its id.
type Entry struct {
	Address   string
	Lang      string
	Title     string
	Summary   string
	Author    string // empty: the feed's
	Published time.Time
}

type link struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
}

type author struct {
	Name string `xml:"name"`
}

type element struct {
	Lang      string  `xml:"xml:lang,attr"`
	ID        string  `xml:"id"`
	Title     string  `xml:"title"`
	Link      link    `xml:"link"`
	Published string  `xml:"published,omitempty"`
	Updated   string  `xml:"updated"`
	Author    *author `xml:"author"`
	Summary   string  `xml:"summary,omitempty"`
}

// WriteAtom writes an Atom feed. The format requires a date for every entry: one without gets the beginning of 1970, so
// that readers sort it last.
func WriteAtom(w io.Writer, f Feed) error {
	document := struct {
		XMLName  xml.Name  `xml:"feed"`
		XMLNS    string    `xml:"xmlns,attr"`
		Lang     string    `xml:"xml:lang,attr"`
		ID       string    `xml:"id"`
		Title    string    `xml:"title"`
		Subtitle string    `xml:"subtitle,omitempty"`
		Updated  string    `xml:"updated"`
		Author   author    `xml:"author"`
		Links    []link    `xml:"link"`
		Entries  []element `xml:"entry"`
	}{
		XMLNS: "http://www.w3.org/2005/Atom", Lang: f.Lang, ID: f.Address,
		Title: f.Title, Subtitle: f.Subtitle, Author: author{f.Author},
		Links: []link{{Rel: "self", Href: f.Address}, {Rel: "alternate", Href: f.Home}},
	}
	latest := time.Unix(0, 0)
	for _, e := range f.Entries {
		entry := element{
			Lang: e.Lang, ID: e.Address, Title: e.Title, Summary: e.Summary,
			Link: link{Rel: "alternate", Href: e.Address},
		}
		entry.Updated = stamp(time.Unix(0, 0))
		if !e.Published.IsZero() {
			entry.Published, entry.Updated = stamp(e.Published), stamp(e.Published)
			if e.Published.After(latest) {
				latest = e.Published
			}
		}
		if e.Author != "" {
			entry.Author = &author{e.Author}
		}
		document.Entries = append(document.Entries, entry)
	}
	document.Updated = stamp(latest)
	return encode(w, document)
}

func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }
