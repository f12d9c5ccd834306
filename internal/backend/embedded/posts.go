package embedded

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/yuin/goldmark"
	markdown "github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"go.yaml.in/yaml/v4"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/richtext"
)

// markdownHTML converts Markdown to HTML. HTML in the text is left out, because many people may write to the folder.
var markdownHTML = goldmark.New(goldmark.WithExtensions(extension.GFM))

// storagePath is where the pictures of the folder are served.
const storagePath = "/storage/"

// loadPosts reads posts/TYPE/SLUG.md.
func (l *loader) loadPosts() {
	for _, kind := range l.tree.subfolders("posts") {
		folder := path.Join("posts", kind)
		for _, name := range l.tree.folders[folder] {
			if path.Ext(name) != ".md" {
				continue
			}
			s, _ := l.open(path.Join(folder, name))
			post := l.readPost(s, kind, strings.TrimSuffix(name, ".md"))
			l.faults = append(l.faults, s.faults...)
			if s.invalid {
				previous, ok := l.previous.posts[s.file]
				if !ok {
					continue
				}
				post = previous
			}
			l.next.posts[s.file] = post
			l.next.blog[kind] = append(l.next.blog[kind], post)
		}
		slices.SortFunc(l.next.blog[kind], func(a, b agency.Post) int {
			return cmp.Or(b.PublishedAt.Compare(a.PublishedAt), strings.Compare(a.Slug, b.Slug))
		})
	}
}

func (l *loader) readPost(s *contentFile, kind, name string) agency.Post {
	var title, excerpt, author, cover located[string]
	var date located[time.Time]
	if !slug.MatchString(kind) || !slug.MatchString(name) {
		s.fault(0,
			"the names of a post and its type may hold a to z, 0 to 9 and single hyphens: they stand in the address")
	}
	body := l.markdown(s, fields{
		"title": s.text("title", &title), "excerpt": s.text("excerpt", &excerpt), "author": s.text("author", &author),
		"cover": s.text("cover", &cover), "date": s.date("date", &date),
	}, "title", "date")
	return agency.Post{
		ID: kind + "-" + name, Type: kind, Slug: name, Title: title.value, Excerpt: excerpt.value, Body: body,
		Cover: l.optionalPicture(s, "", cover), PublishedAt: date.value, Author: author.value,
	}
}

// sitePages are the pages that the site shows or links to.
var sitePages = []string{"about", "privacy", "future-face"}

// loadPages reads pages/NAME.md and its translations, NAME.pt.md and the like.
func (l *loader) loadPages() {
	for _, file := range l.tree.folders["pages"] {
		name, ok := strings.CutSuffix(file, ".md")
		if !ok || name == "README" {
			continue
		}
		p := page{name: name, lang: string(i18n.EN)}
		if short, lang, ok := strings.Cut(name, "."); ok && lang != p.lang {
			if _, ok := i18n.Parse(lang); ok {
				p = page{name: short, lang: lang}
			}
		}
		s, _ := l.open(path.Join("pages", file))
		entity := l.readPage(s, p)
		l.faults = append(l.faults, s.faults...)
		if s.invalid {
			if entity, ok = l.previous.pages[p]; !ok {
				continue
			}
		}
		l.next.pages[p] = entity
	}
	for _, name := range sitePages {
		if file := "pages/" + name + ".md"; !l.tree.has(file) {
			l.faults = append(l.faults, Fault{File: file, Text: "the file is missing; the site has a page for it"})
		}
	}
}

func (l *loader) readPage(s *contentFile, p page) agency.Entity {
	var title located[string]
	var images []agency.Picture
	if !slug.MatchString(p.name) {
		s.fault(0, "the name of a page may hold a to z, 0 to 9 and single hyphens, "+
			"before .md, or before a language and .md, as in about.pt.md")
	} else if p.lang != string(i18n.EN) && !l.tree.has("pages/"+p.name+".md") {
		s.fault(0, "a translation needs the English page %s.md", p.name)
	}
	body := l.markdown(s, fields{
		"title": s.text("title", &title),
		"images": s.list("images", func(item *yaml.Node) {
			var file, caption located[string]
			s.mapping(item, "an image", fields{
				"file": s.text("file", &file), "caption": s.text("caption", &caption),
			}, "file")
			if !file.isSet() {
				return
			}
			if !caption.isSet() {
				s.warn(file.line, "the picture %s has no caption, and those who can't see it need one", file.value)
			}
			if picture, ok := l.picture(s, file.value, file.line); ok {
				picture.Caption = caption.value
				images = append(images, picture)
			}
		}),
	}, "title")
	return agency.Entity{Name: p.name, Title: title.value, Body: body, Images: images, Lang: p.lang}
}

// markdown reads a file with front matter and returns its body as HTML.
func (l *loader) markdown(s *contentFile, known fields, required ...string) string {
	matter, body, first := s.frontMatter(l.text(s))
	if matter == nil && !s.invalid {
		s.fault(1, "the front matter is empty; it needs %s", strings.Join(required, ", "))
	}
	if matter != nil {
		s.mapping(matter, "the front matter", known, required...)
	}
	if s.invalid {
		return ""
	}
	if len(bytes.TrimSpace(body)) == 0 {
		s.warn(max(first-1, 1), "there is no text after the front matter")
	}
	doc := markdownHTML.Parser().Parse(text.NewReader(body))
	l.checkBody(s, doc, body, first)
	var html bytes.Buffer
	if err := markdownHTML.Renderer().Render(&html, body, doc); err != nil {
		s.fault(first, "the text can't be turned into a page: %v", err)
	} else if richtext.Check(html.String()) != nil {
		s.fault(first, "quotes or lists are nested too deep")
	}
	return html.String()
}

// checkBody checks the pictures and the HTML of a text, and replaces the paths of pictures by the addresses at which
// they are served.
func (l *loader) checkBody(s *contentFile, doc markdown.Node, body []byte, first int) {
	line := func(node markdown.Node) int {
		return first + bytes.Count(body[:min(max(node.Pos(), 0), len(body))], []byte("\n"))
	}
	// The function below never returns an error, so neither does Walk.
	_ = markdown.Walk(doc, func(node markdown.Node, entering bool) (markdown.WalkStatus, error) {
		if !entering {
			return markdown.WalkContinue, nil
		}
		switch node := node.(type) {
		case *markdown.RawHTML, *markdown.HTMLBlock:
			s.warn(line(node), "HTML is left out; write Markdown")
		case *markdown.Image:
			target := string(node.Destination)
			if node.FirstChild() == nil {
				s.warn(line(node), "the picture %s has no description: write ![what it shows](%s)", target, target)
			}
			if strings.HasPrefix(target, "https://") {
				break
			}
			if picture, ok := l.picture(s, target, line(node)); ok {
				node.Destination = []byte(storagePath + picture.File)
			}
		}
		return markdown.WalkContinue, nil
	})
}
