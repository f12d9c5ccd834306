// Package routes is the one table of the site's screens and their addresses in every language. Handlers are registered
// from it and views link with it. The addresses of lists come from the table of boards (agency.Groups).
package routes

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
)

// Screen names a screen of the site; handlers, views and text keys use the same name.
type Screen string

// The screens. Lists that no code names are only in agency.Groups.
const (
	Home       Screen = "home"
	Models     Screen = "models"
	Creative   Screen = "creative"
	Kids       Screen = "kids"
	Profile    Screen = "profile"
	Composite  Screen = "composite"
	Frames     Screen = "frames" // not a page: what a card shows beside its cover
	Apply      Screen = "apply"
	KeptPhoto  Screen = "kept-photo" // not a page: a photo that is kept while its form has an error
	Guardian   Screen = "guardian"   // where a parent or guardian confirms an application
	About      Screen = "about"
	Contact    Screen = "contact"
	FutureFace Screen = "future-face"
	Favorites  Screen = "favorites"
	Composites Screen = "composites"
	Pack       Screen = "pack"
	Compare    Screen = "compare"
	Dock       Screen = "dock" // not a page: the bar of the shortlist at the foot of pages
	Privacy    Screen = "privacy"
	Safety     Screen = "safety"
	Likeness   Screen = "likeness"
	Blog       Screen = "blog"
	BlogType   Screen = "blog-type"
	Post       Screen = "post"
	Feed       Screen = "feed"

	// AllTalents is the list of all talents, which every other address with one segment after the language's prefix
	// shows.
	AllTalents Screen = "anything"
	// Misplaced is a profile under a board that does not exist, or without its name; it redirects
	// to the right address.
	Misplaced Screen = "misplaced"
	// Own is a page that the agency has beside the site's, at an address of its own.
	Own Screen = "own"
)

// Addresses without a language, for programs.
const (
	Sitemap  = "/sitemap.xml"
	Manifest = "/site.webmanifest"
	Security = "/.well-known/security.txt"
)

// Pictures is the path below which all pictures are; the next letter of minors' is MinorMark.
const (
	Pictures  = "/media/"
	MinorMark = "n"
)

// Copy is the editors' view of all texts, Content that of what they should correct in the agency's folder.
const (
	Copy    = "/_copy"
	Content = "/_content"
)

// The inbox in a browser, for whoever has a link's key.
const (
	Inbox           = "/_inbox/list"
	InboxSubmission = "/_inbox/submission"
	InboxPhoto      = "/_inbox/photo"
	InboxPolicy     = "/_inbox/policy"
)

// InboxPath is an address of the inbox. The key is in the query, which is not logged.
func InboxPath(path, key string) string { return path + "?key=" + url.QueryEscape(key) }

// row is a screen with its path in each language, without the language's prefix, and its aliases, which are also
// served. A language without a path uses the English one.
type row struct {
	screen         Screen
	paths, aliases paths
}

type paths = map[i18n.Lang]string

// samePath is the path of a screen with the same path in all languages.
func samePath(path string) paths { return paths{i18n.EN: path} }

// fixed are the screens that every site has, those with more specific patterns first.
var fixed = []row{
	{screen: Apply, paths: paths{i18n.EN: "/be-a-model", i18n.PT: "/become-a-model", i18n.ES: "/become-a-model"}},
	{screen: KeptPhoto, paths: samePath("/be-a-model/photo")},
	{screen: Guardian, paths: paths{i18n.EN: "/guardian", i18n.PT: "/responsavel", i18n.ES: "/tutor"}},
	{screen: About, paths: paths{i18n.EN: "/about", i18n.PT: "/sobre-nos", i18n.ES: "/sobre-nosotros"}},
	{screen: Contact, paths: paths{i18n.EN: "/contact", i18n.PT: "/contato"}},
	{screen: FutureFace, paths: samePath("/future-face")},
	{screen: Favorites, paths: samePath("/favorites")},
	{screen: Composites, paths: samePath("/favorites/composites")},
	{screen: Pack, paths: samePath("/favorites/pack")},
	{screen: Compare, paths: samePath("/favorites/compare")},
	{screen: Dock, paths: samePath("/favorites/dock")},
	{screen: Privacy, paths: samePath("/privacy")},
	{screen: Safety, paths: paths{i18n.EN: "/safety", i18n.PT: "/seguranca", i18n.ES: "/seguridad"}},
	{screen: Likeness, paths: paths{i18n.EN: "/likeness", i18n.PT: "/imagem", i18n.ES: "/imagen"}},
	{screen: Feed, paths: samePath("/feed.xml")},
	{screen: Blog, paths: samePath("/blog")},
	{screen: BlogType, paths: samePath("/blog/{type}")},
	{screen: Post, paths: samePath("/blog/{type}/{slug}")},
	{screen: Composite, paths: samePath("/" + boardVariable + "/{id}/{slug}/composite")},
	{screen: Frames, paths: samePath("/" + boardVariable + "/{id}/{slug}/frames")},
	{screen: Profile, paths: samePath("/" + boardVariable + "/{id}/{slug}")},
}

// boardVariable matches the boards that profiles stand under in a pattern.
const boardVariable = "{board:" + string(agency.Models) + "|" + string(agency.Creative) + "}"

// rows are the site's screens as it is now, those with more specific patterns first.
func (r *Table) rows() []row {
	all := []row{{screen: Home, paths: samePath("/")}}
	for _, group := range r.boards.Groups() {
		if group.Screen != "" {
			all = append(all, row{Screen(group.Screen), group.Paths, group.Aliases})
		}
	}
	return append(all, fixed...)
}

// Lists are the screens that show a list of talents, without AllTalents.
func (r *Table) Lists() (lists []Screen) {
	for _, group := range r.boards.Groups() {
		if group.Screen != "" {
			lists = append(lists, Screen(group.Screen))
		}
	}
	return lists
}

// Table are the addresses of a site, in its languages and with its boards.
type Table struct {
	texts  *i18n.Texts
	boards *agency.Boards
}

// New is the table of a site.
func New(texts *i18n.Texts, boards *agency.Boards) *Table { return &Table{texts, boards} }

// Boards are the site's.
func (r *Table) Boards() *agency.Boards { return r.boards }

// Route is one address pattern of a screen, in the notation of gorilla/mux.
type Route struct {
	Screen  Screen
	Lang    *i18n.Language
	Pattern string
}

// All lists every pattern that is served, the more specific ones first: the canonical address of each language, the
// English path under each prefix, and the aliases.
func (r *Table) All() []Route {
	var all []Route
	for _, row := range r.rows() {
		for _, lang := range r.texts.Langs() {
			canonicalPath, englishPath := prefix(lang, i18n.In(row.paths, lang.Lang)), prefix(lang, row.paths[i18n.EN])
			all = append(all, Route{row.screen, lang, canonicalPath})
			if englishPath != canonicalPath && row.paths[i18n.EN] != "" {
				all = append(all, Route{row.screen, lang, englishPath})
			}
			if alias := row.aliases[lang.Lang]; alias != "" {
				all = append(all, Route{row.screen, lang, prefix(lang, alias)})
			}
		}
	}
	for _, lang := range r.texts.Langs() {
		all = append(all, Route{Misplaced, lang, prefix(lang, "/"+boardVariable+"/{id:[0-9]+}")})
	}
	for _, lang := range r.texts.Langs() {
		if r.hasAllTalents(lang) {
			all = append(all,
				Route{Misplaced, lang, prefix(lang, "/{board}/{id}/{slug}")},
				Route{AllTalents, lang, prefix(lang, "/{anything}")})
		}
	}
	return all
}

// hasAllTalents reports whether unknown addresses below a language's prefix show all talents: Portuguese and Spanish
// ones of a site with the default boards whose first language is English.
func (r *Table) hasAllTalents(lang *i18n.Language) bool {
	return !r.boards.Own() && lang.First().Lang == i18n.EN && (lang.Lang == i18n.PT || lang.Lang == i18n.ES)
}

// Path is the canonical address of a screen without variables, in a language; home's for one that is not in the table.
func (r *Table) Path(lang *i18n.Language, screen Screen) string {
	for _, group := range r.boards.Groups() {
		if group.Screen != "" && Screen(group.Screen) == screen {
			return prefix(lang, i18n.In(group.Paths, lang.Lang))
		}
	}
	if !slices.ContainsFunc(fixed, func(r row) bool { return r.screen == screen }) {
		screen = Home
	}
	return Path(lang, screen)
}

// Path is Table.Path of a screen that every site has: of Home, or of one of fixed.
func Path(lang *i18n.Language, screen Screen) string {
	if screen == Home {
		return prefix(lang, "/")
	}
	for _, row := range fixed {
		if row.screen == screen {
			return prefix(lang, i18n.In(row.paths, lang.Lang))
		}
	}
	panic("routes: not every site has " + screen) // a list, whose address is its Table's
}

func prefix(lang *i18n.Language, path string) string {
	if before := lang.Prefix(); before != "" {
		return strings.TrimSuffix(before+path, "/")
	}
	return path
}

// Language is the language of a path: that of its first segment, or the site's first.
func (r *Table) Language(path string) *i18n.Language {
	segment, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	for _, lang := range r.texts.Langs() {
		if lang.Prefix() == "/"+segment {
			return lang
		}
	}
	return r.texts.First()
}

// Talent is the address of a talent's profile: its board, its id and the slug of its name.
func (r *Table) Talent(lang *i18n.Language, t *agency.Talent) string {
	return prefix(lang, "/"+string(r.boards.BoardOf(t))+"/"+url.PathEscape(t.ID)+"/"+Slug(t.Name))
}

// TalentComposite is the address that a talent's composite card is downloaded from.
func (r *Table) TalentComposite(lang *i18n.Language, t *agency.Talent) string {
	return r.Talent(lang, t) + "/composite"
}

// TalentFrames is the address of the pictures that a talent's card shows beside its cover.
func (r *Table) TalentFrames(lang *i18n.Language, t *agency.Talent) string {
	return r.Talent(lang, t) + "/frames"
}

// TalentsPath is the address of a screen that shows these talents: a shortlist, its composites, a comparison, an
// enquiry.
func TalentsPath(lang *i18n.Language, screen Screen, ids []string) string {
	return Path(lang, screen) + "?ids=" + joinIDs(ids)
}

// SharedPath is the address of a shortlist's page or its pack, for somebody, if anybody is named.
func SharedPath(lang *i18n.Language, screen Screen, ids []string, recipient string) string {
	path := TalentsPath(lang, screen, ids)
	if recipient != "" {
		path += "&for=" + url.QueryEscape(recipient)
	}
	return path
}

// ComparePath is the address of a line-up, with the shared shortlist that it was opened from, if it was.
func ComparePath(lang *i18n.Language, ids, list []string, recipient string) string {
	path := SharedPath(lang, Compare, ids, recipient)
	if len(list) > 0 {
		path += "&list=" + joinIDs(list)
	}
	return path
}

func joinIDs(ids []string) string {
	escaped := make([]string, len(ids))
	for i, id := range ids {
		escaped[i] = url.QueryEscape(id)
	}
	return strings.Join(escaped, ",")
}

// ConfirmationPath is the address of the link with which a parent or guardian confirms an application. The token is in
// the query, which is not logged.
func ConfirmationPath(lang *i18n.Language, token string) string {
	return Path(lang, Guardian) + "?token=" + url.QueryEscape(token)
}

// PostListPath is the address of the blog's list of a type.
func PostListPath(lang *i18n.Language, kind string) string {
	return prefix(lang, "/blog/"+url.PathEscape(kind))
}

// PostPath is the address of a single post. The canonical one is that in the language of the blog.
func PostPath(lang *i18n.Language, kind, slug string) string {
	return PostListPath(lang, kind) + "/" + url.PathEscape(slug)
}

// ListFilter is the part of the filter in a list screen's own path.
func (r *Table) ListFilter(screen Screen) agency.Filter {
	if screen == AllTalents {
		return r.boards.List(agency.AllBoards)
	}
	f := r.boards.List(agency.Models)
	for _, group := range r.boards.Groups() {
		if group.Screen == string(screen) {
			f = r.boards.FilterOf(group)
		}
	}
	return f
}

// ListScreen is the screen whose path covers most of a filter. Groups within a board come after the board.
func (r *Table) ListScreen(f agency.Filter) Screen {
	screen := AllTalents
	for _, group := range r.boards.Groups() {
		if group.Screen != "" && group.Filter.Board == f.Board &&
			(group.Filter.Gender == "" || group.Filter.Gender == f.Gender) &&
			(group.Filter.Category == "" || group.Filter.Category == f.Category) {
			screen = Screen(group.Screen)
		}
	}
	return screen
}

// OwnPath is the address of a page that the agency has beside the site's.
func OwnPath(lang *i18n.Language, name string) string { return prefix(lang, "/"+name) }

// List is the canonical address of a filtered list of talents; the query has what the path does not say. In a language
// without a list of all boards the models' list replaces it.
func (r *Table) List(lang *i18n.Language, f agency.Filter) string {
	if f.Board == agency.AllBoards && !r.hasAllTalents(lang) {
		f.Board = agency.Models
	}
	screen := r.ListScreen(f)
	path := r.Path(lang, screen)
	if screen == AllTalents {
		path = prefix(lang, "/all")
	}
	if query := f.Query(r.ListFilter(screen)).Encode(); query != "" {
		path += "?" + query
	}
	return path
}

// listParameter names the list that a profile was opened from, by its screen.
const listParameter = "list"

// ReferringList is the query that tells a profile the list that it was opened from: the list's screen, and the rest of
// its filter. How much of the list was shown is left out.
func (r *Table) ReferringList(f agency.Filter) url.Values {
	screen := r.ListScreen(f)
	f.Show = agency.PageSize
	query := f.Query(r.ListFilter(screen))
	query.Set(listParameter, string(screen))
	return query
}

// ParseReferringList is the inverse of ReferringList; false if the query names no list.
func (r *Table) ParseReferringList(lang *i18n.Language, query url.Values) (agency.Filter, bool) {
	screen := Screen(query.Get(listParameter))
	if !slices.Contains(r.Lists(), screen) {
		return agency.Filter{}, false
	}
	f := agency.ParseFilter(r.ListFilter(screen), agency.AlphabetOf(lang), query)
	f.Show = agency.PageSize
	return f, true
}

// IsTaken reports whether a path of one segment can't be a board's, because a page, a file or a language has it.
func IsTaken(segment string, langs []i18n.Lang) bool {
	for _, row := range fixed {
		for _, path := range row.paths {
			if first, _, _ := strings.Cut(path[1:], "/"); first == segment {
				return true
			}
		}
	}
	return slices.Contains([]string{"models", "creative", "static", "media", "all"}, segment) ||
		slices.ContainsFunc(langs, func(l i18n.Lang) bool {
			return strings.EqualFold(segment, string(l)) || segment == string(l.Base())
		})
}

// Redirect is the canonical form of a path, without the tag of the first language and one trailing slash, and whether
// it differs. It is always a path of this site, never "//host".
func (r *Table) Redirect(path string) (target string, moved bool) {
	target = path
	for _, tag := range []i18n.Lang{r.texts.First().Lang, r.texts.First().Base()} {
		if rest, found := strings.CutPrefix(target, "/"+string(tag)); found && (rest == "" || rest[0] == '/') {
			target = rest
			break
		}
	}
	if len(target) > 1 {
		target = strings.TrimSuffix(target, "/")
	}
	if target == "" {
		target = "/"
	}
	if path != "" && path[0] != '/' || strings.Contains(path, "//") || strings.Contains(path, "\\") {
		return "", false
	}
	return target, target != path
}

const maxSlugLength = 80

// Slug writes a name for an address: lower case, without accents, words joined by "-". A name without Latin letters or
// digits becomes "talent", so that no part of an address is empty.
func Slug(name string) string {
	name = strings.ToValidUTF8(name[:min(len(name), 8*maxSlugLength)], "") // the rest of a longer one can't be in it
	slug := make([]byte, 0, maxSlugLength+1)
	ends := false // the word
	for _, r := range agency.Fold(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			if ends && len(slug) > 0 {
				slug = append(slug, '-')
			}
			slug, ends = append(slug, byte(r)), false
		case r != '\'' && r != '’':
			ends = true
		}
	}
	return cmp.Or(strings.TrimRight(string(slug[:min(len(slug), maxSlugLength)]), "-"), "talent")
}
