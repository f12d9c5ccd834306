package folder

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	markdown "github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"golang.org/x/text/language"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/richtext"
)

// markdownHTML converts Markdown to HTML. HTML in the text is left out, because many people may write to the folder.
var markdownHTML = goldmark.New(goldmark.WithExtensions(extension.GFM))

func (l *loader) loadPosts() {
	kinds := l.next.decided.BlogKinds()
	for _, kind := range l.tree.subfolders("posts") {
		folder := path.Join("posts", kind)
		for _, name := range l.tree.folders[folder] {
			if path.Ext(name) != ".md" {
				continue
			}
			f := l.open(path.Join(folder, name))
			if !slices.Contains(kinds, kind) { // a section that agency.yaml does not name
				f.Warn(0, "fault.section", "section", kind, "known", strings.Join(kinds, ", "))
			}
			version, ok := good(l, f, func(f *File) postVersion {
				return l.readPost(f, kind, strings.TrimSuffix(name, ".md"))
			})
			if ok {
				l.next.posts[f.Name] = version
			}
		}
	}
}

func (l *loader) readPost(f *File, kind, name string) postVersion {
	if !slug.MatchString(kind) || !slug.MatchString(name) {
		f.Fault(0, "fault.post-name")
	}
	var p struct {
		Title   string `yaml:"title"   validate:"required"`
		Date    Day    `yaml:"date"    validate:"required"`
		Publish Day    `yaml:"publish"`
		Draft   bool   `yaml:"draft"`
		Excerpt string `yaml:"excerpt"`
		Author  string `yaml:"author"`
		Cover   string `yaml:"cover"`
	}
	body := l.markdown(f, &p)
	return postVersion{agency.Post{
		ID: kind + "-" + name, Type: kind, Slug: name, Title: p.Title, Excerpt: p.Excerpt, Body: body,
		Cover: l.optionalPicture(f, "", p.Cover, "cover"), PublishedAt: p.Date.Time, Author: p.Author,
		Draft: p.Draft,
	}, p.Publish.Time}
}

// sitePages are the pages that the site has addresses for; it does without the last.
var sitePages = []string{"about", "privacy", "future-face", "safety"}

// loadPages reads pages/NAME.md, in the site's first language, and its translations, NAME.pt.md and the like.
func (l *loader) loadPages() {
	texts := l.next.site.Texts
	first := texts.First()
	exists := func(name string, lang i18n.Lang) bool {
		file := "pages/" + name
		return l.tree.has(file+"."+string(lang)+".md") || l.tree.has(file+"."+string(lang.Base())+".md") ||
			lang == first.Lang && l.tree.has(file+".md")
	}
	for _, file := range l.tree.folders["pages"] {
		name, ok := strings.CutSuffix(file, ".md")
		if !ok || name == "README" {
			continue
		}
		f, p := l.open(path.Join("pages", file)), page{name: name, lang: string(first.Lang)}
		if short, tag, ok := strings.Cut(name, "."); ok {
			if lang, ok := texts.Parse(tag); ok {
				p = page{name: short, lang: string(lang.Lang)}
			} else if _, err := language.Parse(tag); err == nil {
				f.Faults = nil
				f.Remark(0, "fault.page-other", "lang", tag)
				l.finish(f)
				continue
			}
		}
		for _, lang := range texts.Langs() {
			if p.name == name && !exists(name, lang.Lang) && slug.MatchString(name) {
				f.Remark(0, "fault.page-language", "page", p.name, "lang", string(lang.Lang))
			}
		}
		if version, ok := good(l, f, func(f *File) pageVersion { return l.readPage(f, p) }); ok {
			l.next.pages[f.Name] = version
		}
	}
	for _, name := range sitePages[:3] {
		if !exists(name, first.Lang) {
			l.fault("pages/"+name+".md", "fault.page-missing")
		}
	}
}

func (l *loader) readPage(f *File, p page) pageVersion {
	if !slug.MatchString(p.name) {
		f.Fault(0, "fault.page-name")
	} else if p.lang != string(l.next.site.Texts.First().Lang) && !l.tree.has("pages/"+p.name+".md") {
		f.Fault(0, "fault.page-translation", "page", p.name)
	} else if !slices.Contains(sitePages, p.name) && l.siteAddresses().has("/"+p.name) {
		f.Fault(0, "fault.redirect-own", "address", "/"+p.name)
	}
	var fields struct {
		Title  string `yaml:"title" validate:"required"`
		Images []struct {
			File    string `yaml:"file" validate:"required"`
			Caption string `yaml:"caption"`
		} `yaml:"images" validate:"dive"`
		Menu  string `yaml:"menu" validate:"omitempty,oneof=footer"`
		Draft bool   `yaml:"draft"`
	}
	body := l.markdown(f, &fields)
	var images []agency.Picture
	for i, image := range fields.Images {
		line := f.Line(item("images", i))
		if image.File == "" {
			continue
		}
		if image.Caption == "" {
			f.Warn(line, "fault.caption", "picture", image.File)
		}
		if picture, ok := l.picture(f, image.File, line); ok {
			picture.Caption = image.Caption
			images = append(images, picture)
		}
	}
	return pageVersion{agency.Entity{
		Name: p.name, Title: fields.Title, Body: body, Images: images, Lang: p.lang, Draft: fields.Draft,
	}, fields.Menu == "footer"}
}

// markdown reads a file's front matter and returns its body as HTML.
func (l *loader) markdown(f *File, fields any) string {
	body, first := f.FrontMatter(fields)
	if f.Invalid {
		return ""
	}
	line := func(at int) int { return first + bytes.Count(body[:min(max(at, 0), len(body))], []byte("\n")) }
	if len(bytes.TrimSpace(body)) == 0 {
		f.Warn(max(first-1, 1), "fault.no-text")
	}
	if l.folder == (AnyForm{Demo()}) && strings.HasPrefix(f.Name, "pages/") {
		body = ownWords.ReplaceAll(body, []byte("$2"))
	}
	doc := markdownHTML.Parser().Parse(text.NewReader(body))
	_ = markdown.Walk(doc, func(node markdown.Node, entering bool) (markdown.WalkStatus, error) { // never fails
		if entering {
			l.checkNode(f, node, line(node.Pos()))
		}
		return markdown.WalkContinue, nil
	})
	var html bytes.Buffer
	_ = markdownHTML.Renderer().Render(&html, body, doc) // a buffer takes all
	if richtext.Check(html.String()) != nil {
		f.Fault(first, "fault.nesting")
	}
	return html.String()
}

// checkNode checks a link, a picture or HTML in a text, and replaces the path of a picture by the address at which it
// is served.
func (l *loader) checkNode(f *File, node markdown.Node, line int) {
	switch node := node.(type) {
	case *markdown.RawHTML, *markdown.HTMLBlock:
		f.Warn(line, "fault.html")
	case *markdown.Link:
		node.Destination = []byte(agency.WebAddress(string(node.Destination)))
		if to := string(node.Destination); strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") {
			l.next.links = append(l.next.links, Fault{
				File: f.Name, Line: line, Key: "fault.link", Args: []string{"link", to},
			})
		}
	case *markdown.Image:
		target := string(node.Destination)
		if node.FirstChild() == nil {
			f.Warn(line, "fault.description", "picture", target)
		}
		if strings.HasPrefix(target, "https://") {
			return
		}
		if picture, ok := l.picture(f, target, line); ok {
			node.Destination = []byte("/storage/" + picture.File)
		}
	}
}
