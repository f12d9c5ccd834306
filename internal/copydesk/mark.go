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
	open = "\uE000"
	is   = "\uE001"
	end  = "\uE002"
)

var (
	signs    = regexp.MustCompile(open + "([^" + open + is + end + "]*)" + is + "|" + end)
	leftover = regexp.MustCompile("[" + open + is + end + "]")
)

// Mark adds its key to a text, for Reveal to find in the rendered page.
func Mark(key, text string) string { return open + key + is + text + end }

// Text is a text of a page. In is the attribute that holds it, or an element that can't show a key (title, option);
// empty for all others.
type Text struct{ Key, Words, In string }

// plain are the elements that contain text only.
var plain = []string{"title", "textarea", "option", "script", "style", "noscript"}

// Reveal turns the marks of a page into elements that show the key (zed-copy) and, of texts in attributes, into a note
// at their element (data-copy). It lists the texts of the page in order, and makes the page's links show the keys of
// the next page, too.
func Reveal(page []byte) (revealed []byte, found []Text) {
	var out bytes.Buffer
	r := reader{}
	inside := ""
	for tokens := xhtml.NewTokenizer(bytes.NewReader(page)); ; {
		kind := tokens.Next()
		if kind == xhtml.ErrorToken {
			return out.Bytes(), r.found // io.EOF: the input is in memory
		}
		raw := string(tokens.Raw())
		switch kind {
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			tag := tokens.Token()
			if slices.Contains(plain, tag.Data) {
				inside = tag.Data
			}
			if r.tag(&tag) {
				raw = tag.String()
			}
		case xhtml.EndTagToken:
			inside = ""
		case xhtml.TextToken:
			raw = r.text(raw, inside)
		}
		out.WriteString(raw)
	}
}

type reader struct{ found []Text }

func (r *reader) note(key, words, in string) {
	t := Text{Key: key, Words: strings.TrimSpace(words), In: in}
	if !slices.Contains(r.found, t) {
		r.found = append(r.found, t)
	}
}

// text writes the marks of the HTML between two tags as elements, or removes them if the element around it can't
// contain any.
func (r *reader) text(raw, inside string) string {
	if !strings.Contains(raw, open) {
		return leftover.ReplaceAllString(raw, "")
	}
	var out strings.Builder
	var keys []string // of open marks
	last := 0
	for _, at := range signs.FindAllStringSubmatchIndex(raw, -1) {
		out.WriteString(raw[last:at[0]])
		last = at[1]
		switch {
		case at[2] >= 0:
			keys = append(keys, raw[at[2]:at[3]])
			r.note(raw[at[2]:at[3]], html.UnescapeString(words(raw[at[1]:])), inside)
			if inside == "" {
				out.WriteString(`<zed-copy key="` + html.EscapeString(raw[at[2]:at[3]]) + `">`)
			}
		case len(keys) > 0:
			keys = keys[:len(keys)-1]
			if inside == "" {
				out.WriteString("</zed-copy>")
			}
		}
	}
	out.WriteString(raw[last:])
	if inside == "" {
		out.WriteString(strings.Repeat("</zed-copy>", len(keys))) // a mark that continues behind the next tag
	}
	return leftover.ReplaceAllString(out.String(), "")
}

// words is a marked text up to its end, without the marks in it.
func words(rest string) string {
	depth := 1
	for _, at := range signs.FindAllStringSubmatchIndex(rest, -1) {
		if at[2] >= 0 {
			depth++
		} else {
			depth--
		}
		if depth == 0 {
			rest = rest[:at[0]]
			break
		}
	}
	return signs.ReplaceAllString(rest, "")
}

// tag removes the marks from an element's attributes, and reports whether it changed anything.
func (r *reader) tag(tag *xhtml.Token) (changed bool) {
	var notes []string
	for i := range tag.Attr {
		a := &tag.Attr[i]
		if follows(tag.Data, a.Key) && strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "//") {
			a.Val, changed = WithKeys(a.Val), true
		}
		if !leftover.MatchString(a.Val) {
			continue
		}
		for _, at := range signs.FindAllStringSubmatchIndex(a.Val, -1) {
			if at[2] >= 0 {
				key := a.Val[at[2]:at[3]]
				r.note(key, words(a.Val[at[1]:]), a.Key)
				notes = append(notes, a.Key+": "+key)
			}
		}
		a.Val, changed = leftover.ReplaceAllString(signs.ReplaceAllString(a.Val, ""), ""), true
	}
	if len(notes) > 0 && tag.Data != "meta" && tag.Data != "link" {
		tag.Attr = append(tag.Attr, xhtml.Attribute{Key: "data-copy", Val: strings.Join(notes, ", ")})
	}
	return changed
}

func follows(element, attribute string) bool {
	return element == "a" && attribute == "href" || element == "form" && attribute == "action"
}

// WithKeys is the address of a page of this site with the keys of its texts shown.
func WithKeys(address string) string {
	path, fragment, found := strings.Cut(address, "#")
	sign := "?"
	if strings.Contains(path, "?") {
		sign = "&"
	}
	path += sign + "copy=keys"
	if found {
		path += "#" + fragment
	}
	return path
}
