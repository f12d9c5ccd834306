// Package richtext sanitises HTML from a back end: no scripts, styles, ids or htmx attributes, and nothing loaded from
// other sites. Pictures get the site's own addresses and headings generated ids, and the first paragraph becomes the
// lede.
package richtext

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"zedcard/internal/agency"
)

// Text is sanitised HTML. Lede is the first paragraph, Body the rest.
type Text struct {
	Lede, Body string
	Headings   []Heading
}

// Heading is a section of the text with the id that links jump to.
type Heading struct{ ID, Text string }

var policy = newPolicy()

func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "strong", "b", "em", "i", "u", "s", "small", "sub", "sup", "mark",
		"h2", "h3", "h4", "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "cite", "q", "code", "pre",
		"figure", "figcaption", "table", "caption", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("https", "http", "mailto", "tel")
	p.AllowRelativeURLs(true)
	p.AllowAttrs("src", "alt", "width", "height").OnElements("img")
	p.AllowAttrs("lang").Globally()
	p.AllowAttrs("scope").Matching(bluemonday.SpaceSeparatedTokens).OnElements("th")
	p.RequireNoReferrerOnLinks(false)
	return p
}

// Picture is an image of the text with addresses of this site.
type Picture struct {
	agency.Sources
	Sizes string // the attribute sizes
}

// Clean sanitises fragment. picture turns the source of an image into addresses of this site; if Src is empty the image
// is left out.
func Clean(fragment string, picture func(src string) Picture) (Text, error) {
	body := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(policy.Sanitize(fragment)), body)
	if err != nil {
		return Text{}, err
	}
	for _, node := range nodes {
		body.AppendChild(node)
	}
	var text Text
	text.prepare(body, picture)
	if lede := firstParagraph(body); lede != nil {
		body.RemoveChild(lede)
		if text.Lede, err = render(lede); err != nil {
			return Text{}, err
		}
	}
	text.Body, err = render(slices.Collect(body.ChildNodes())...)
	return text, err
}

// MapLinks replaces the addresses that a fragment links to.
func MapLinks(fragment string, to func(address string) string) string {
	var mapped strings.Builder
	for tokens := html.NewTokenizer(strings.NewReader(fragment)); tokens.Next() != html.ErrorToken; {
		raw := string(tokens.Raw())
		if token := tokens.Token(); token.DataAtom == atom.A && token.Type == html.StartTagToken {
			for i := range token.Attr {
				if a := &token.Attr[i]; a.Key == "href" {
					a.Val = to(a.Val)
				}
			}
			raw = token.String()
		}
		mapped.WriteString(raw)
	}
	return mapped.String()
}

// Check reports why a page can't show a fragment: it nests too deep.
func Check(fragment string) error {
	_, err := Clean(fragment, func(string) Picture { return Picture{} })
	return err
}

// prepare gives headings their ids, pictures their addresses, and links to other sites their rel.
func (t *Text) prepare(node *html.Node, picture func(string) Picture) {
	for child := node.FirstChild; child != nil; {
		next := child.NextSibling
		switch child.DataAtom {
		case atom.H2:
			id := "section-" + strconv.Itoa(len(t.Headings)+1)
			t.Headings = append(t.Headings, Heading{ID: id, Text: textOf(child)})
			setAttr(child, "id", id)
		case atom.Img:
			if resolved := picture(attr(child, "src")); resolved.Src != "" {
				setPicture(child, resolved)
			} else {
				node.RemoveChild(child)
			}
		case atom.A:
			if target, err := url.Parse(attr(child, "href")); err == nil && target.Host != "" {
				setAttr(child, "rel", "noopener")
			}
		}
		t.prepare(child, picture)
		child = next
	}
}

// setPicture sets an image's addresses, with a <source> for AVIF, and its size, which reserves its space.
func setPicture(img *html.Node, p Picture) {
	setAttr(img, "src", p.Src)
	if p.Srcset != "" {
		setAttr(img, "srcset", p.Srcset)
		setAttr(img, "sizes", p.Sizes)
	}
	if p.Width > 0 {
		setAttr(img, "width", strconv.Itoa(p.Width))
		setAttr(img, "height", strconv.Itoa(p.Height))
	}
	setAttr(img, "alt", attr(img, "alt")) // without alt, screen readers would read out the address
	setAttr(img, "loading", "lazy")
	if p.AVIF == "" {
		return
	}
	picture := &html.Node{Type: html.ElementNode, Data: "picture", DataAtom: atom.Picture}
	img.Parent.InsertBefore(picture, img)
	img.Parent.RemoveChild(img)
	picture.AppendChild(
		&html.Node{Type: html.ElementNode, Data: "source", DataAtom: atom.Source, Attr: []html.Attribute{
			{Key: "type", Val: "image/avif"}, {Key: "srcset", Val: p.AVIF}, {Key: "sizes", Val: p.Sizes},
		}})
	picture.AppendChild(img)
}

func firstParagraph(body *html.Node) *html.Node {
	for child := range body.ChildNodes() {
		if child.DataAtom == atom.P {
			return child
		}
		if child.Type != html.TextNode || strings.TrimSpace(child.Data) != "" {
			return nil
		}
	}
	return nil
}

func textOf(node *html.Node) string {
	var text strings.Builder
	for inner := range node.Descendants() {
		if inner.Type == html.TextNode {
			text.WriteString(inner.Data)
		}
	}
	return strings.TrimSpace(text.String())
}

func attr(node *html.Node, name string) string {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func setAttr(node *html.Node, name, value string) {
	for i, a := range node.Attr {
		if a.Key == name {
			node.Attr[i].Val = value
			return
		}
	}
	node.Attr = append(node.Attr, html.Attribute{Key: name, Val: value})
}

func render(nodes ...*html.Node) (string, error) {
	var text strings.Builder
	for _, node := range nodes {
		if err := html.Render(&text, node); err != nil {
			return "", err
		}
	}
	return strings.TrimSpace(text.String()), nil
}
