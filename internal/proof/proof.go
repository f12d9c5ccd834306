// Package proof proofreads the agency's own pages and posts: it reports dead links within the site, pictures without a
// description, and placeholders that are still to be filled in.
package proof

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"zedcard/internal/agency"
)

// Content is where pages and posts are read from.
type Content interface {
	Entity(ctx context.Context, name, lang string) (agency.Entity, error)
	Posts(ctx context.Context, kind string, show int) (posts []agency.Post, more bool, err error)
	Post(ctx context.Context, kind, slug string) (agency.Post, error)
}

// Reader reads the pages in these languages and the posts of these types. Status is the status of the site's answer to
// a path.
type Reader struct {
	Content Content
	Pages   []string
	// Optional are those of Pages that a back end need not have.
	Optional []string
	Langs    []string
	Types    []string
	Posts    int      // of a type, at most
	Foreign  []string // the demo agency's contacts, which a text must not give; nil: it may
	Status   func(path string) int
	// LinksOnly skips the pictures, for content whose pictures are checked elsewhere.
	LinksOnly bool
	// Locate is where a text has these words, as file:line, or "" if unknown. Nil: always unknown.
	Locate func(text Text, words string) string
}

// Text is a page in a language, or a post of a type.
type Text struct{ Page, Lang, Type, Slug string }

func (t Text) String() string {
	if t.Page != "" {
		return "page " + t.Page + " (" + t.Lang + ")"
	}
	return "post " + t.Type + "/" + t.Slug
}

// Report has a line for each finding. A page or post that can't be loaded is a problem, too. Only the agency can fill
// in Placeholders.
type Report struct{ Problems, Placeholders []string }

// Read reads all pages and posts.
func (r Reader) Read(ctx context.Context) Report {
	p := proofreader{Reader: r, statuses: map[string]int{}}
	for _, name := range r.Pages {
		for _, lang := range r.Langs {
			p.checkPage(ctx, name, lang)
		}
	}
	for _, kind := range r.Types {
		p.checkPosts(ctx, kind)
	}
	return p.report
}

type proofreader struct {
	Reader
	statuses map[string]int // by path
	report   Report
}

// addFault adds a fault of a text, with the place of these words in it.
func (p *proofreader) addFault(text Text, words, format string, values ...any) {
	p.add(&p.report.Problems, text, words, fmt.Sprintf(format, values...))
}

// add adds a line to a list, once: a page without a translation is read in every language.
func (p *proofreader) add(list *[]string, text Text, words, finding string) {
	location := ""
	if p.Locate != nil {
		location = p.Locate(text, words)
	}
	if location == "" {
		location = text.String()
	}
	if line := location + ": " + finding; !slices.Contains(*list, line) {
		*list = append(*list, line)
	}
}

// placeholder is a text in brackets. The demo's pages have them where every agency must write its own text.
var placeholder = regexp.MustCompile(`\[[^\[\]]+\]`)

func (p *proofreader) checkPlaceholders(text Text, content string) {
	for _, words := range placeholder.FindAllString(content, -1) {
		shown := strings.Join(strings.Fields(words), " ")
		p.add(&p.report.Placeholders, text, words, shown+" is for the agency to fill in")
	}
}

func (p *proofreader) checkPage(ctx context.Context, name, lang string) {
	text := Text{Page: name, Lang: lang}
	page, err := p.Content.Entity(ctx, name, lang)
	if errors.Is(err, agency.ErrNotFound) && slices.Contains(p.Optional, name) {
		return
	}
	if err != nil {
		p.addFault(text, "", "can't be read: %v", err)
		return
	}
	p.checkBody(text, page.Body)
	for _, picture := range page.Images {
		if !p.LinksOnly && strings.TrimSpace(picture.Caption) == "" {
			p.addFault(text, picture.File, "the picture %s has no caption", picture.File)
		}
	}
}

func (p *proofreader) checkPosts(ctx context.Context, kind string) {
	posts, _, err := p.Content.Posts(ctx, kind, p.Posts)
	if err != nil {
		if !errors.Is(err, agency.ErrNotFound) {
			p.report.Problems = append(p.report.Problems, fmt.Sprintf("posts of %s: can't be read: %v", kind, err))
		}
		return
	}
	for _, listed := range posts {
		text := Text{Type: kind, Slug: listed.Slug}
		post, err := p.Content.Post(ctx, kind, listed.Slug)
		if err != nil {
			p.addFault(text, "", "can't be read: %v", err)
			continue
		}
		p.checkBody(text, post.Body)
	}
}

// checkBody checks HTML from a back end, except elements that the site removes.
func (p *proofreader) checkBody(text Text, body string) {
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(body), root)
	if err != nil {
		p.addFault(text, "", "is no HTML: %v", err)
		return
	}
	for _, node := range nodes {
		p.checkNode(text, node)
	}
}

func (p *proofreader) checkNode(text Text, node *html.Node) {
	if node.Type == html.TextNode {
		for _, words := range p.Foreign {
			if strings.Contains(node.Data, words) {
				p.addFault(text, words, "%s is the demo agency’s: write your own", words)
			}
		}
		if text.Page != "" { // posts may quote with brackets
			p.checkPlaceholders(text, node.Data)
		}
	}
	switch node.DataAtom {
	case atom.A:
		p.checkLink(text, attr(node, "href"))
	case atom.Img:
		if !p.LinksOnly && strings.TrimSpace(attr(node, "alt")) == "" {
			p.addFault(text, attr(node, "src"), "the picture %s has no description", attr(node, "src"))
		}
	}
	for child := range node.ChildNodes() {
		p.checkNode(text, child)
	}
}

func (p *proofreader) checkLink(text Text, href string) {
	path, _, _ := strings.Cut(href, "#")
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") {
		return // on another site, or on the page itself
	}
	status, checked := p.statuses[path]
	if !checked {
		status = p.Status(path)
		p.statuses[path] = status
	}
	if status >= http.StatusBadRequest {
		p.addFault(text, href, "the link to %s leads nowhere (%d)", href, status)
	}
}

func attr(node *html.Node, name string) string {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
