// Package crawl writes what is read by programs: sitemaps (sitemaps.org, with language alternates
// and pictures) and the blog's feed (Atom, RFC 4287).
package crawl

import (
	"encoding/xml"
	"io"
	"time"
)

// Page is an entry of a sitemap; all addresses are absolute.
type Page struct {
	Address    string
	Alternates []Alternate // the page in every language, itself included
	Pictures   []string
}

// Alternate is a page's address in a language, or for "x-default" the one for all others.
type Alternate struct{ Lang, Address string }

type xmlLink struct {
	Rel      string `xml:"rel,attr"`
	HrefLang string `xml:"hreflang,attr,omitempty"`
	Href     string `xml:"href,attr"`
}

type xmlPicture struct {
	Loc string `xml:"image:loc"`
}

type xmlPage struct {
	Loc      string       `xml:"loc"`
	Links    []xmlLink    `xml:"xhtml:link"`
	Pictures []xmlPicture `xml:"image:image"`
}

// WriteSitemap writes a sitemap of at most 50,000 pages, as its format allows.
func WriteSitemap(w io.Writer, pages []Page) error {
	set := struct {
		XMLName xml.Name  `xml:"urlset"`
		XMLNS   string    `xml:"xmlns,attr"`
		XHTML   string    `xml:"xmlns:xhtml,attr"`
		Image   string    `xml:"xmlns:image,attr"`
		Pages   []xmlPage `xml:"url"`
	}{
		XMLNS: "http://www.sitemaps.org/schemas/sitemap/0.9",
		XHTML: "http://www.w3.org/1999/xhtml",
		Image: "http://www.google.com/schemas/sitemap-image/1.1",
		Pages: make([]xmlPage, len(pages)),
	}
	for i, page := range pages {
		set.Pages[i].Loc = page.Address
		for _, a := range page.Alternates {
			set.Pages[i].Links = append(set.Pages[i].Links,
				xmlLink{Rel: "alternate", HrefLang: a.Lang, Href: a.Address})
		}
		for _, picture := range page.Pictures {
			set.Pages[i].Pictures = append(set.Pages[i].Pictures, xmlPicture{picture})
		}
	}
	return write(w, set)
}

// WriteIndex writes a sitemap index of these sitemaps.
func WriteIndex(w io.Writer, sitemaps []string) error {
	type sitemap struct {
		Loc string `xml:"loc"`
	}
	index := struct {
		XMLName  xml.Name  `xml:"sitemapindex"`
		XMLNS    string    `xml:"xmlns,attr"`
		Sitemaps []sitemap `xml:"sitemap"`
	}{XMLNS: "http://www.sitemaps.org/schemas/sitemap/0.9"}
	for _, address := range sitemaps {
		index.Sitemaps = append(index.Sitemaps, sitemap{address})
	}
	return write(w, index)
}

// Feed is a list of posts, newest first. Addresses are absolute; the feed's own is its id.
type Feed struct {
	Address string
	Lang    string
	Title   string
	About   string
	Home    string // the page that shows the same
	Author  string
	Entries []Entry
}

// Entry is a post of a feed, in a language of its own. Its address is its id.
type Entry struct {
	Address   string
	Lang      string
	Title     string
	Summary   string
	Author    string // empty: the feed's
	Published time.Time
}

type xmlAuthor struct {
	Name string `xml:"name"`
}

type xmlEntry struct {
	Lang      string     `xml:"xml:lang,attr"`
	ID        string     `xml:"id"`
	Title     string     `xml:"title"`
	Link      xmlLink    `xml:"link"`
	Published string     `xml:"published,omitempty"`
	Updated   string     `xml:"updated"`
	Author    *xmlAuthor `xml:"author"`
	Summary   string     `xml:"summary,omitempty"`
}

// WriteFeed writes an Atom feed. The format wants a date of every entry: one without is dated to
// the beginning of 1970, so that a reader sorts it last.
func WriteFeed(w io.Writer, f Feed) error {
	feed := struct {
		XMLName  xml.Name   `xml:"feed"`
		XMLNS    string     `xml:"xmlns,attr"`
		Lang     string     `xml:"xml:lang,attr"`
		ID       string     `xml:"id"`
		Title    string     `xml:"title"`
		Subtitle string     `xml:"subtitle,omitempty"`
		Updated  string     `xml:"updated"`
		Author   xmlAuthor  `xml:"author"`
		Links    []xmlLink  `xml:"link"`
		Entries  []xmlEntry `xml:"entry"`
	}{
		XMLNS: "http://www.w3.org/2005/Atom", Lang: f.Lang, ID: f.Address,
		Title: f.Title, Subtitle: f.About, Author: xmlAuthor{f.Author},
		Links: []xmlLink{{Rel: "self", Href: f.Address}, {Rel: "alternate", Href: f.Home}},
	}
	latest := time.Unix(0, 0)
	for _, e := range f.Entries {
		entry := xmlEntry{Lang: e.Lang, ID: e.Address, Title: e.Title, Summary: e.Summary, Link: xmlLink{
			Rel: "alternate", Href: e.Address,
		}}
		entry.Updated = stamp(time.Unix(0, 0))
		if !e.Published.IsZero() {
			entry.Published, entry.Updated = stamp(e.Published), stamp(e.Published)
			if e.Published.After(latest) {
				latest = e.Published
			}
		}
		if e.Author != "" {
			entry.Author = &xmlAuthor{e.Author}
		}
		feed.Entries = append(feed.Entries, entry)
	}
	feed.Updated = stamp(latest)
	return write(w, feed)
}

func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }

func write(w io.Writer, document any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	return xml.NewEncoder(w).Encode(document)
}
