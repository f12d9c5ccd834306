// Package routes is the one table of the site's screens and their addresses in three languages.
// Handlers register from it and views link with it.
package routes

import (
	"net/url"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
)

// Screen names a screen of the site; the same name stands in handlers, views and text keys.
type Screen string

// The screens.
const (
	Home       Screen = "home"
	Models     Screen = "models"
	Creative   Screen = "creative"
	Women      Screen = "women"
	Men        Screen = "men"
	Fluid      Screen = "fluid"
	Kids       Screen = "kids"
	Profile    Screen = "profile"
	Composite  Screen = "composite"
	Apply      Screen = "apply"
	KeptPhoto  Screen = "kept-photo" // no screen: a photo that waits while its form is in error
	About      Screen = "about"
	Contact    Screen = "contact"
	FutureFace Screen = "future-face"
	Favorites  Screen = "favorites"
	Composites Screen = "composites"
	Compare    Screen = "compare"
	Privacy    Screen = "privacy"
	Safety     Screen = "safety"
	Blog       Screen = "blog"
	BlogType   Screen = "blog-type"
	Post       Screen = "post"
	Feed       Screen = "feed"
	Offline    Screen = "offline"

	// The pictures that social networks show of a page.
	ShareScreen Screen = "share-screen"
	ShareTalent Screen = "share-talent"

	// Anything is the list without a category filter that every other address of one segment
	// under /pt and /es shows.
	Anything Screen = "anything"
	// Misplaced is a profile under a board that does not exist, or without its name; it redirects
	// to the right address.
	Misplaced Screen = "misplaced"
)

// Addresses without a language, for programs.
const (
	Sitemap  = "/sitemap.xml"
	Manifest = "/site.webmanifest"
	Worker   = "/sw.js"
)

// Copy is the editors' view of all texts.
const Copy = "/_copy"

// table holds the canonical path of each screen. A screen that has no own path in Portuguese or
// Spanish stands under the prefix with its English one.
var table = []struct {
	screen     Screen
	en, pt, es string
	alsoES     string
}{
	{screen: Home, en: "/", pt: "/pt", es: "/es"},
	{screen: Women, en: "/models/women", pt: "/pt/mulheres", es: "/es/mujeres"},
	{screen: Men, en: "/models/men", pt: "/pt/homens", es: "/es/homens", alsoES: "/es/hombres"},
	{screen: Fluid, en: "/models/fluid"},
	{screen: Kids, en: "/models/kids"},
	{screen: Models, en: "/models"},
	{screen: Creative, en: "/creative"},
	{screen: Apply, en: "/be-a-model", pt: "/pt/become-a-model", es: "/es/become-a-model"},
	{screen: KeptPhoto, en: "/be-a-model/photo"},
	{screen: About, en: "/about", pt: "/pt/sobre-nos", es: "/es/sobre-nosotros"},
	{screen: Contact, en: "/contact", pt: "/pt/contato"},
	{screen: FutureFace, en: "/future-face"},
	{screen: Favorites, en: "/favorites"},
	{screen: Composites, en: "/favorites/composites"},
	{screen: Compare, en: "/favorites/compare"},
	{screen: Privacy, en: "/privacy"},
	{screen: Safety, en: "/safety", pt: "/pt/seguranca", es: "/es/seguridad"},
	{screen: Feed, en: "/feed.xml"},
	{screen: Offline, en: "/offline"},
	{screen: ShareScreen, en: "/share/{screen}.jpg"},
	{screen: ShareTalent, en: "/share/talent/{id}.jpg"},
	{screen: Blog, en: "/blog"},
	{screen: BlogType, en: "/blog/{type}"},
	{screen: Post, en: "/blog/{type}/{slug}"},
	{screen: Composite, en: "/{board:models|creative}/{id}/{slug}/composite"},
	{screen: Profile, en: "/{board:models|creative}/{id}/{slug}"},
}

// Route is one address pattern of a screen, in the notation of gorilla/mux.
type Route struct {
	Screen  Screen
	Lang    i18n.Lang
	Pattern string
}

// All lists every pattern that is served, the more specific ones first: the canonical address
// of each language, the English path under each prefix, and the other spellings.
func All() []Route {
	var all []Route
	for _, row := range table {
		all = append(all, Route{row.screen, i18n.EN, row.en})
		for _, lang := range []i18n.Lang{i18n.PT, i18n.ES} {
			own, english := canonical(row.screen, lang), prefix(lang, row.en)
			all = append(all, Route{row.screen, lang, own})
			if english != own {
				all = append(all, Route{row.screen, lang, english})
			}
		}
		if row.alsoES != "" {
			all = append(all, Route{row.screen, i18n.ES, row.alsoES})
		}
	}
	for _, lang := range i18n.Langs {
		all = append(all, Route{Misplaced, lang, prefix(lang, "/{board:models|creative}/{id:[0-9]+}")})
	}
	for _, lang := range []i18n.Lang{i18n.PT, i18n.ES} {
		all = append(all,
			Route{Misplaced, lang, prefix(lang, "/{board}/{id}/{slug}")},
			Route{Anything, lang, prefix(lang, "/{anything}")})
	}
	return all
}

func canonical(screen Screen, lang i18n.Lang) string {
	for _, row := range table {
		if row.screen != screen {
			continue
		}
		switch {
		case lang == i18n.PT && row.pt != "":
			return row.pt
		case lang == i18n.ES && row.es != "":
			return row.es
		}
		return prefix(lang, row.en)
	}
	return prefix(lang, "/")
}

func prefix(lang i18n.Lang, english string) string {
	if lang == i18n.EN {
		return english
	}
	return strings.TrimSuffix("/"+string(lang)+english, "/")
}

// Path is the canonical address of a screen without variables, in a language.
func Path(lang i18n.Lang, screen Screen) string { return canonical(screen, lang) }

// Language is the language that a path is in: the first segment where it is pt or es, else English.
func Language(path string) i18n.Lang {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if lang, ok := i18n.Parse(first); ok {
		return lang
	}
	return i18n.EN
}

// Talent is the address of a talent's profile: its board, its id and the slug of its name.
func Talent(lang i18n.Lang, t *agency.Talent) string {
	return prefix(lang, "/"+string(t.Board())+"/"+url.PathEscape(t.ID)+"/"+Slug(t.Name))
}

// TalentComposite is the address that a talent's composite card is downloaded from.
func TalentComposite(lang i18n.Lang, t *agency.Talent) string { return Talent(lang, t) + "/composite" }

// OfTalents is the address of a screen about these talents: a shortlist, its composites, a
// comparison, an enquiry.
func OfTalents(lang i18n.Lang, screen Screen, ids []string) string {
	escaped := make([]string, len(ids))
	for i, id := range ids {
		escaped[i] = url.QueryEscape(id)
	}
	return Path(lang, screen) + "?ids=" + strings.Join(escaped, ",")
}

// Share is the address of the picture that social networks show of a screen.
func Share(lang i18n.Lang, screen Screen) string {
	return prefix(lang, "/share/"+string(screen)+".jpg")
}

// ShareOf is the address of the picture that social networks show of a talent.
func ShareOf(lang i18n.Lang, t *agency.Talent) string {
	return prefix(lang, "/share/talent/"+url.PathEscape(t.ID)+".jpg")
}

// PostsOf is the address of the blog's list of a type, PostOf that of a single post.
func PostsOf(lang i18n.Lang, kind string) string {
	return prefix(lang, "/blog/"+url.PathEscape(kind))
}

// PostOf is the address of a single post. Posts are Portuguese, so that their canonical address
// is the one under /pt.
func PostOf(lang i18n.Lang, kind, slug string) string {
	return PostsOf(lang, kind) + "/" + url.PathEscape(slug)
}

// ListFilter is what the address of a list screen itself says of the filter.
func ListFilter(screen Screen) agency.Filter {
	f := agency.Filter{Board: agency.Models, Show: agency.PageSize}
	switch screen {
	case Women:
		f.Gender = agency.Woman
	case Men:
		f.Gender = agency.Man
	case Fluid:
		f.Category = agency.Fluid
	case Kids:
		f.Category = agency.Kids
	case Creative:
		f.Board = agency.Creative
	case Anything:
		f.Board = agency.AllBoards
	}
	return f
}

// ListScreen is the screen whose address says most of a filter.
func ListScreen(f agency.Filter) Screen {
	switch {
	case f.Board == agency.Creative:
		return Creative
	case f.Board == agency.AllBoards:
		return Anything
	case f.Category == agency.Fluid:
		return Fluid
	case f.Category == agency.Kids:
		return Kids
	case f.Gender == agency.Woman:
		return Women
	case f.Gender == agency.Man:
		return Men
	}
	return Models
}

// List is the canonical address of a talent list in a filter state, with the query that the
// path does not say. English has no list without a board, so that it becomes the models' there.
func List(lang i18n.Lang, f agency.Filter) string {
	if f.Board == agency.AllBoards && lang == i18n.EN {
		f.Board = agency.Models
	}
	screen := ListScreen(f)
	path := canonical(screen, lang)
	if screen == Anything {
		path = prefix(lang, "/all")
	}
	if query := f.Query(ListFilter(screen)).Encode(); query != "" {
		path += "?" + query
	}
	return path
}

// Redirect is where a path that is spelt in a way the site does not use has to go: the English
// prefix and one trailing slash are dropped. The target is always a path
// of this site, never "//host".
func Redirect(path string) (to string, moved bool) {
	to = path
	if to == "/en" || strings.HasPrefix(to, "/en/") {
		to = strings.TrimPrefix(to, "/en")
	}
	if len(to) > 1 {
		to = strings.TrimSuffix(to, "/")
	}
	if to == "" {
		to = "/"
	}
	if strings.Contains(path, "//") || strings.Contains(path, "\\") {
		return "", false
	}
	return to, to != path
}
