// Package copydesk is for editors of the site's texts: it shows the keys of the texts on a page, and the screens on
// which each text is used.
package copydesk

import (
	"bytes"
	"html"
	"regexp"
	"slices"
	"strings"

	xhtml "golang.org/x/net/html"
)

// A mark is a text with its key: open, key, is, text, end. The delimiters are in Unicode's private use area, so no text
// contains them and no encoder escapes them.
const (
	markOpen      = "\uE000"
	markSeparator = "\uE001"
	markEnd       = "\uE002"
)

var (
	markPattern = regexp.MustCompile(
		markOpen + "([^" + markOpen + markSeparator + markEnd + "]*)" + markSeparator + "|" + markEnd)
	delimiters = regexp.MustCompile("[" + markOpen + markSeparator + markEnd + "]")
)

// Mark adds its key to a text, for Reveal to find in the rendered page.
func Mark(key, text string) string { return markOpen + key + markSeparator + text + markEnd }

// Text is a text of a page. In is the attribute that holds it, or an element that can't show a key (title, option);
// empty for all others.
type Text struct{ Key, Words, Location string }

// textOnlyElements are the elements that contain text only.
var textOnlyElements = []string{"title", "textarea", "option", "script", "style", "noscript"}

// Reveal turns the marks of a page into elements that show the key (zed-copy) and, of texts in attributes, into a note
// at their element (data-copy). It lists the texts of the page in order, and makes the page's links show the keys of
// the next page, too.
func Reveal(page []byte) (revealed []byte, found []Text) {
	var out bytes.Buffer
	r := reader{}
	element := ""
	for tokens := xhtml.NewTokenizer(bytes.NewReader(page)); ; {
		kind := tokens.Next()
		if kind == xhtml.ErrorToken {
			return out.Bytes(), r.found // io.EOF: the input is in memory
		}
		raw := string(tokens.Raw())
		switch kind {
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			tag := tokens.Token()
			if slices.Contains(textOnlyElements, tag.Data) {
				element = tag.Data
			}
			if r.tag(&tag) {
				raw = tag.String()
			}
		case xhtml.EndTagToken:
			element = ""
		case xhtml.TextToken:
			raw, _ = r.unmark(raw, element)
		}
		out.WriteString(raw)
	}
}

type reader struct{ found []Text }

// unmark removes the marks of a text, or writes them as elements if there may be any, and gives their keys.
func (r *reader) unmark(raw, location string) (unmarked string, keys []string) {
	var out strings.Builder
	show, open, last := location == "", 0, 0
	for _, match := range markPattern.FindAllStringSubmatchIndex(raw, -1) {
		out.WriteString(raw[last:match[0]])
		last = match[1]
		switch isStart := match[2] >= 0; {
		case isStart:
			key := raw[match[2]:match[3]]
			keys, open = append(keys, key), open+1
			words := strings.TrimSpace(html.UnescapeString(markedText(raw[match[1]:])))
			if t := (Text{Key: key, Words: words, Location: location}); !slices.Contains(r.found, t) {
				r.found = append(r.found, t)
			}
			if show {
				out.WriteString(`<zed-copy key="` + html.EscapeString(key) + `">`)
			}
		case open > 0:
			open--
			if show {
				out.WriteString("</zed-copy>")
			}
		}
	}
	out.WriteString(raw[last:])
	if show {
		out.WriteString(strings.Repeat("</zed-copy>", open)) // a mark that continues behind the next tag
	}
	return delimiters.ReplaceAllString(out.String(), ""), keys
}

// markedText is a marked text up to its end, without the marks in it.
func markedText(rest string) string {
	depth := 1
	for _, match := range markPattern.FindAllStringSubmatchIndex(rest, -1) {
		if match[2] >= 0 {
			depth++
		} else {
			depth--
		}
		if depth == 0 {
			rest = rest[:match[0]]
			break
		}
	}
	return markPattern.ReplaceAllString(rest, "")
}

// tag removes the marks from an element's attributes, and reports whether it changed anything.
func (r *reader) tag(tag *xhtml.Token) (changed bool) {
	var notes []string
	for i := range tag.Attr {
		a := &tag.Attr[i]
		if isLink(tag.Data, a.Key) && strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "//") {
			a.Val, changed = WithKeys(a.Val), true
		}
		if !delimiters.MatchString(a.Val) {
			continue
		}
		unmarked, keys := r.unmark(a.Val, a.Key)
		a.Val, changed = unmarked, true
		for _, key := range keys {
			notes = append(notes, a.Key+": "+key)
		}
	}
	if len(notes) > 0 && tag.Data != "meta" && tag.Data != "link" {
		tag.Attr = append(tag.Attr, xhtml.Attribute{Key: "data-copy", Val: strings.Join(notes, ", ")})
	}
	return changed
}

func isLink(element, attribute string) bool {
	return element == "a" && attribute == "href" || element == "form" && attribute == "action"
}

// WithKeys is the address of a page of this site with the keys of its texts shown.
func WithKeys(address string) string {
	path, fragment, found := strings.Cut(address, "#")
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	path += separator + "copy=keys"
	if found {
		path += "#" + fragment
	}
	return path
}
