package feed

import (
	"encoding/xml"
	"io"
)

// Page is an entry of a sitemap; all addresses are absolute.
type Page struct {
	Address    string
	Alternates []Alternate // the page in every language, itself included
	Pictures   []string
}

// Alternate is a page's address in a language; Lang "x-default" means all others.
type Alternate struct{ Lang, Address string }

type alternateLink struct {
	Rel      string `xml:"rel,attr"`
	HrefLang string `xml:"hreflang,attr,omitempty"`
	Href     string `xml:"href,attr"`
}

type picture struct {
	Loc string `xml:"image:loc"`
}

type sitemapEntry struct {
	Loc      string          `xml:"loc"`
	Links    []alternateLink `xml:"xhtml:link"`
	Pictures []picture       `xml:"image:image"`
}

// WriteSitemap writes a sitemap of at most 50,000 pages, as its format allows.
func WriteSitemap(w io.Writer, pages []Page) error {
	set := struct {
		XMLName xml.Name       `xml:"urlset"`
		XMLNS   string         `xml:"xmlns,attr"`
		XHTML   string         `xml:"xmlns:xhtml,attr"`
		Image   string         `xml:"xmlns:image,attr"`
		Pages   []sitemapEntry `xml:"url"`
	}{
		XMLNS: "http://www.sitemaps.org/schemas/sitemap/0.9",
		XHTML: "http://www.w3.org/1999/xhtml",
		Image: "http://www.google.com/schemas/sitemap-image/1.1",
		Pages: make([]sitemapEntry, len(pages)),
	}
	for i, page := range pages {
		set.Pages[i].Loc = page.Address
		for _, a := range page.Alternates {
			set.Pages[i].Links = append(set.Pages[i].Links,
				alternateLink{Rel: "alternate", HrefLang: a.Lang, Href: a.Address})
		}
		for _, address := range page.Pictures {
			set.Pages[i].Pictures = append(set.Pages[i].Pictures, picture{address})
		}
	}
	return encode(w, set)
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
	return encode(w, index)
}

func encode(w io.Writer, document any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	return xml.NewEncoder(w).Encode(document)
}
