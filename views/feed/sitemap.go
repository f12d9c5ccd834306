package feed

import (
	"encoding/xml"
	"io"
)

// Page is an entry of a sitemap; all addresses are absolute.
type Page struct {
	Address    string      `xml:"loc"`
	Alternates []Alternate `xml:"xhtml:link"` // the page in every language, itself included
	Pictures   []Picture   `xml:"image:image"`
}

// Alternate is a page's address in a language; Lang "x-default" means all others. Rel is "alternate".
type Alternate struct {
	Rel     string `xml:"rel,attr"`
	Lang    string `xml:"hreflang,attr"`
	Address string `xml:"href,attr"`
}

// Picture is the address of a picture.
type Picture struct {
	Address string `xml:"image:loc"`
}

// WriteSitemap writes a sitemap of at most 50,000 pages, as its format allows.
func WriteSitemap(w io.Writer, pages []Page) error {
	return encode(w, struct {
		XMLName xml.Name `xml:"urlset"`
		XMLNS   string   `xml:"xmlns,attr"`
		XHTML   string   `xml:"xmlns:xhtml,attr"`
		Image   string   `xml:"xmlns:image,attr"`
		Pages   []Page   `xml:"url"`
	}{
		XMLNS: "http://www.sitemaps.org/schemas/sitemap/0.9",
		XHTML: "http://www.w3.org/1999/xhtml",
		Image: "http://www.google.com/schemas/sitemap-image/1.1",
		Pages: pages,
	})
}

// WriteIndex writes a sitemap index of these sitemaps.
func WriteIndex(w io.Writer, sitemaps []string) error {
	type sitemap struct {
		Address string `xml:"loc"`
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
