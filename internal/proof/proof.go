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
	Langs   []string
	Types   []string
	Posts   int // of a type, at most
	Status  func(path string) int
	// LinksOnly skips the pictures, for content whose pictures are checked elsewhere.
	LinksOnly bool
	// Place is where a text has these words, as file:line, or "" if unknown. Nil: always unknown.
	Place func(of Text, words string) string
}

// Text is a page in a language, or a post of a type.
type Text struct{ Page, Lang, Type, Slug string }

func (t Text) String() string {
	if t.Page != "" {
		return "page " + t.Page + " (" + t.Lang + ")"
	}
	return "post " + t.Type + "/" + t.Slug
}

// Report has a line for each finding. A page or post that can't be loaded is a fault, too. Blanks are placeholders that
// only the agency can fill in.
type Report struct{ Faults, Blanks []string }

// Read reads all pages and posts.
func (r Reader) Read(ctx context.Context) Report {
	p := proof{Reader: r, answers: map[string]int{}}
	for _, name := range r.Pages {
		for _, lang := range r.Langs {
			p.page(ctx, name, lang)
		}
	}
	for _, kind := range r.Types {
		p.posts(ctx, kind)
	}
	return p.report
}

type proof struct {
	Reader
	answers map[string]int // by path
	report  Report
}

// fault adds a fault of a text, with the place of these words in it.
func (p *proof) fault(of Text, words, format string, values ...any) {
	p.add(&p.report.Faults, of, words, fmt.Sprintf(format, values...))
}

// add adds a line to a list, once: a page without a translation is read in every language.
func (p *proof) add(to *[]string, of Text, words, found string) {
	where := ""
	if p.Place != nil {
		where = p.Place(of, words)
	}
	if where == "" {
		where = of.String()
	}
	if line := where + ": " + found; !slices.Contains(*to, line) {
		*to = append(*to, line)
	}
}

// blank is a text in brackets. The demo's pages have them where every agency must write its own text.
var blank = regexp.MustCompile(`\[[^\[\]]+\]`)

func (p *proof) blanks(of Text, text string) {
	for _, words := range blank.FindAllString(text, -1) {
		p.add(&p.report.Blanks, of, words, strings.Join(strings.Fields(words), " ")+" is for the agency to fill in")
	}
}

func (p *proof) page(ctx context.Context, name, lang string) {
	of := Text{Page: name, Lang: lang}
	page, err := p.Content.Entity(ctx, name, lang)
	if err != nil {
		p.fault(of, "", "can't be read: %v", err)
		return
	}
	p.text(of, page.Body)
	for _, picture := range page.Images {
		if !p.LinksOnly && strings.TrimSpace(picture.Caption) == "" {
			p.fault(of, picture.File, "the picture %s has no caption", picture.File)
		}
	}
}

func (p *proof) posts(ctx context.Context, kind string) {
	posts, _, err := p.Content.Posts(ctx, kind, p.Posts)
	if err != nil {
		if !errors.Is(err, agency.ErrNotFound) {
			p.report.Faults = append(p.report.Faults, fmt.Sprintf("posts of %s: can't be read: %v", kind, err))
		}
		return
	}
	for _, listed := range posts {
		of := Text{Type: kind, Slug: listed.Slug}
		post, err := p.Content.Post(ctx, kind, listed.Slug)
		if err != nil {
			p.fault(of, "", "can't be read: %v", err)
			continue
		}
		p.text(of, post.Body)
	}
}

// text checks HTML from a back end, except elements that the site removes.
func (p *proof) text(of Text, body string) {
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(body), root)
	if err != nil {
		p.fault(of, "", "is no HTML: %v", err)
		return
	}
	for _, node := range nodes {
		p.look(of, node)
	}
}

func (p *proof) look(of Text, node *html.Node) {
	if node.Type == html.TextNode && of.Page != "" { // posts may quote with brackets
		p.blanks(of, node.Data)
	}
	switch node.DataAtom {
	case atom.A:
		p.link(of, attr(node, "href"))
	case atom.Img:
		if !p.LinksOnly && strings.TrimSpace(attr(node, "alt")) == "" {
			p.fault(of, attr(node, "src"), "the picture %s has no description", attr(node, "src"))
		}
	}
	for child := range node.ChildNodes() {
		p.look(of, child)
	}
}

func (p *proof) link(of Text, href string) {
	path, _, _ := strings.Cut(href, "#")
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") {
		return // on another site, or on the page itself
	}
	status, known := p.answers[path]
	if !known {
		status = p.Status(path)
		p.answers[path] = status
	}
	if status >= http.StatusBadRequest {
		p.fault(of, href, "the link to %s leads nowhere (%d)", href, status)
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
