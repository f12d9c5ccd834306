package check

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

	"zedcard/handlers"
	"zedcard/internal/agency"
)

// reader proofreads the agency's own pages and posts, in these languages and of these types: dead links within the
// site, pictures without a description, and placeholders that are still to be filled in.
type reader struct {
	content interface {
		Entity(ctx context.Context, name, lang string) (agency.Entity, error)
		Posts(ctx context.Context, kind string, show int) (posts []agency.Post, more bool, err error)
		Post(ctx context.Context, kind, slug string) (agency.Post, error)
	}
	pages     []string
	optional  []string // those of pages that a back end need not have
	langs     []string
	types     []string
	foreign   []string                            // the demo agency's contacts, which a text must not give
	linksOnly bool                                // for content whose pictures are checked elsewhere
	status    func(path string) int               // of the site's answer
	locate    func(of place, words string) string // where a text has these words; "": unknown; nil: always unknown

	statuses               map[string]int // by path
	problems, placeholders []string
}

// place is a page in a language, or a post of a type.
type place struct{ page, lang, kind, slug string }

func (t place) String() string {
	if t.page != "" {
		return "page " + t.page + " (" + t.lang + ")"
	}
	return "post " + t.kind + "/" + t.slug
}

// read has a line for each finding. A page or post that can't be loaded is a problem, too. Only the agency can fill in
// placeholders.
func (p *reader) read(ctx context.Context) (problems, placeholders []string) {
	p.statuses = map[string]int{}
	for _, name := range p.pages {
		for _, lang := range p.langs {
			p.checkPage(ctx, name, lang)
		}
	}
	for _, kind := range p.types {
		p.checkPosts(ctx, kind)
	}
	return p.problems, p.placeholders
}

// addFault adds a fault of a text, with the place of these words in it.
func (p *reader) addFault(text place, words, format string, values ...any) {
	p.add(&p.problems, text, words, fmt.Sprintf(format, values...))
}

// add adds a line to a list, once: a page without a translation is read in every language.
func (p *reader) add(list *[]string, text place, words, finding string) {
	location := ""
	if p.locate != nil {
		location = p.locate(text, words)
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

func (p *reader) checkPlaceholders(text place, content string) {
	for _, words := range placeholder.FindAllString(content, -1) {
		shown := strings.Join(strings.Fields(words), " ")
		p.add(&p.placeholders, text, words, shown+" is for the agency to fill in")
	}
}

func (p *reader) checkPage(ctx context.Context, name, lang string) {
	text := place{page: name, lang: lang}
	page, err := p.content.Entity(ctx, name, lang)
	if errors.Is(err, agency.ErrNotFound) && slices.Contains(p.optional, name) {
		return
	}
	if err != nil {
		p.addFault(text, "", "can't be read: %v", err)
		return
	}
	p.checkBody(text, page.Body)
	for _, picture := range page.Images {
		if !p.linksOnly && strings.TrimSpace(picture.Caption) == "" {
			p.addFault(text, picture.File, "the picture %s has no caption", picture.File)
		}
	}
}

func (p *reader) checkPosts(ctx context.Context, kind string) {
	posts, _, err := p.content.Posts(ctx, kind, handlers.MaxPosts)
	if err != nil {
		if !errors.Is(err, agency.ErrNotFound) {
			p.problems = append(p.problems, fmt.Sprintf("posts of %s: can't be read: %v", kind, err))
		}
		return
	}
	for _, listed := range posts {
		text := place{kind: kind, slug: listed.Slug}
		post, err := p.content.Post(ctx, kind, listed.Slug)
		if err != nil {
			p.addFault(text, "", "can't be read: %v", err)
			continue
		}
		p.checkBody(text, post.Body)
	}
}

// checkBody checks HTML from a back end, except elements that the site removes.
func (p *reader) checkBody(text place, body string) {
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

func (p *reader) checkNode(text place, node *html.Node) {
	if node.Type == html.TextNode {
		for _, words := range p.foreign {
			if strings.Contains(node.Data, words) {
				p.addFault(text, words, "%s is the demo agency’s: write your own", words)
			}
		}
		if text.page != "" { // posts may quote with brackets
			p.checkPlaceholders(text, node.Data)
		}
	}
	switch node.DataAtom {
	case atom.A:
		p.checkLink(text, attr(node, "href"))
	case atom.Img:
		if !p.linksOnly && strings.TrimSpace(attr(node, "alt")) == "" {
			p.addFault(text, attr(node, "src"), "the picture %s has no description", attr(node, "src"))
		}
	}
	for child := range node.ChildNodes() {
		p.checkNode(text, child)
	}
}

func (p *reader) checkLink(text place, href string) {
	path, _, _ := strings.Cut(href, "#")
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") {
		return // on another site, or on the page itself
	}
	status, checked := p.statuses[path]
	if !checked {
		status = p.status(path)
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
