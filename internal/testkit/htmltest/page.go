// Package htmltest finds elements in pages, for the tests of every package.
package htmltest

import (
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// Page is a document as a browser reads it. A selector is CSS; the elements that it finds are in their order.
type Page struct {
	t    testing.TB
	root *html.Node
}

// Read reads a page, or a part of one.
func Read(t testing.TB, page string) Page {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	return Page{t, root}
}

// Find are the elements that a selector finds.
func (p Page) Find(selector string) []*html.Node {
	p.t.Helper()
	query, err := cascadia.ParseGroup(selector)
	require.NoError(p.t, err, selector)
	return cascadia.QueryAll(p.root, query)
}

// Attrs are the values of an attribute; empty for an element that lacks it.
func (p Page) Attrs(selector, name string) (values []string) {
	p.t.Helper()
	for _, element := range p.Find(selector) {
		value := ""
		for _, attribute := range element.Attr {
			if attribute.Key == name {
				value = attribute.Val
			}
		}
		values = append(values, value)
	}
	return values
}

// Attr is an attribute of the first element, which must be there.
func (p Page) Attr(selector, name string) string {
	p.t.Helper()
	values := p.Attrs(selector, name)
	require.NotEmpty(p.t, values, selector)
	return values[0]
}

// Words are the texts of the elements, with single spaces and without scripts.
func (p Page) Words(selector string) (all []string) {
	p.t.Helper()
	for _, element := range p.Find(selector) {
		var words strings.Builder
		for node := range element.Descendants() {
			if node.Type == html.TextNode && node.Parent.Data != "script" {
				words.WriteString(node.Data)
			}
		}
		all = append(all, strings.Join(strings.Fields(words.String()), " "))
	}
	return all
}

// Text is the text of the first element, which must be there.
func (p Page) Text(selector string) string {
	p.t.Helper()
	words := p.Words(selector)
	require.NotEmpty(p.t, words, selector)
	return words[0]
}
