package handlers_test

import (
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// find reads a page as a browser does and gives the elements that a CSS selector finds, in their order.
func find(t *testing.T, page, selector string) []*html.Node {
	t.Helper()
	document, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	query, err := cascadia.ParseGroup(selector)
	require.NoError(t, err, selector)
	return cascadia.QueryAll(document, query)
}

// attrs are the values of an attribute of the elements that a selector finds; empty for one that lacks it.
func attrs(t *testing.T, page, selector, name string) (values []string) {
	t.Helper()
	for _, element := range find(t, page, selector) {
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

// attr is an attribute of the first element that a selector finds, which must be there.
func attr(t *testing.T, page, selector, name string) string {
	t.Helper()
	values := attrs(t, page, selector, name)
	require.NotEmpty(t, values, selector)
	return values[0]
}

// wordsOf are the texts of the elements that a selector finds, with single spaces.
func wordsOf(t *testing.T, page, selector string) (all []string) {
	t.Helper()
	for _, element := range find(t, page, selector) {
		var words strings.Builder
		for node := range element.Descendants() {
			if node.Type == html.TextNode {
				words.WriteString(node.Data)
			}
		}
		all = append(all, strings.Join(strings.Fields(words.String()), " "))
	}
	return all
}
