// Package views renders every screen with templ. A view depends only on its page and a value: no back end, no database,
// no request.
package views

import (
	"slices"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/routes"
	"zedcard/internal/site"
	"zedcard/views/feed"
	"zedcard/views/ui"
)

// Site is what all pages share: the agency's site, and where and how it is served.
type Site struct {
	*site.Site
	BaseURL  string // without a slash at the end
	Panel    bool   // what is submitted goes to an external panel, which keeps it
	Dev      bool   // the development server: pages reload by themselves
	Pictures ui.Pictures
	Slides   ui.Pictures // the home page's slides, which may be in another storage
}

// Page is what the layout needs of a single page.
type Page struct {
	*Site
	Lang   *i18n.Language
	Screen routes.Screen
	Title  string // the heading, without the agency's name; empty on home
	// SearchTitle replaces Title in the title element, if a heading such as "Women" would say too little in search
	// results and tabs.
	SearchTitle string
	Board       string // of a profile: between its name and the agency's in the title element
	Description string // the meta description
	// Address is the address of this page, with its filters, in a language; Canonical the one for search engines, if it
	// differs.
	Address   func(*i18n.Language) string
	Canonical func(*i18n.Language) string
	// NoIndex keeps the page out of search results, NoAlternates leaves out the other languages.
	NoIndex        bool
	NoAlternates   bool
	NoImageIndex   bool
	StructuredData []Thing // of the page's content (graph.go), made once everything above is set
	Preloads       []Preload
	Share          agency.Sources // the picture that social networks show; none: the agency's icon
	Social         []agency.SocialMedia
	OwnPages       []OwnLink       // the agency's, at the foot of every page
	Saved          []string        // ids of the favourites in the session
	Empty          []*agency.Group // the site's own boards and parts with nobody on them
	HasSafetyPage  bool            // there is a page about safety
	SavesData      bool            // the browser asks for few bytes: no typefaces
	Year           int
	ShowKeys       bool                      // for editors: each text is followed by its key
	ForEditors     bool                      // a page for editors only, with its own style sheet
	addresses      map[*i18n.Language]string // what Address has returned
}

// Contacts are the agency's, as far as it has them, for sentences that say whom to ask.
func (s *Site) Contacts() string { return joined(s.Bookings, s.Phone) }

// joined are the contacts of these that there are, on one line.
func joined(contacts ...string) string { return join(" · ", contacts...) }

// join joins the texts that are not empty.
func join(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), separator)
}

// Absolute is an address as an absolute one.
func (s *Site) Absolute(address string) string {
	if strings.HasPrefix(address, "/") {
		return s.BaseURL + address
	}
	return address
}

// T is the text of a key in the page's language, followed by its key if the page shows keys. Every text of a page comes
// from here.
func (p *Page) T(key string, pairs ...string) string {
	text := p.Lang.T(key, pairs...)
	if p.ShowKeys {
		text += " [" + key + "]"
	}
	return text
}

// N is the text for a number of things in the page's language.
func (p *Page) N(key string, n int, pairs ...string) string {
	return p.T(p.Lang.Form(key, n), append(pairs, "n", p.Lang.Integer(n))...)
}

// Path is the address of another screen in the page's language.
func (p *Page) Path(screen routes.Screen) string { return p.Routes.Path(p.Lang, screen) }

func (p *Page) fullTitle() string {
	if p.SearchTitle != "" {
		return p.SearchTitle + " – " + p.Site.Name
	}
	return join(" – ", p.Title, p.Board, p.Site.Name)
}

// address is the Address of a page that is being rendered. It is made once: a page shows it in several places.
func (p *Page) address(lang *i18n.Language) string {
	if p.addresses == nil {
		p.addresses = map[*i18n.Language]string{}
	}
	if _, known := p.addresses[lang]; !known {
		p.addresses[lang] = p.Address(lang)
	}
	return p.addresses[lang]
}

func (p *Page) canonical(lang *i18n.Language) string {
	if p.Canonical != nil {
		return p.BaseURL + p.Canonical(lang)
	}
	return p.BaseURL + p.address(lang)
}

// Alternates are the addresses of a page in each language, and that of the first as x-default for all other languages,
// for the head and for sitemaps.
func (s *Site) Alternates(base string, address func(*i18n.Language) string) []feed.Alternate {
	var all []feed.Alternate
	for _, lang := range s.Texts.Langs() {
		all = append(all, feed.Alternate{Rel: "alternate", Lang: string(lang.Lang), Address: base + address(lang)})
	}
	return append(all, feed.Alternate{Rel: "alternate", Lang: "x-default", Address: base + address(s.Texts.First())})
}

func (p *Page) alternates() []feed.Alternate { return p.Alternates("", p.canonical) }

func (p *Page) robots() string {
	var rules []string
	if p.NoIndex {
		rules = append(rules, "noindex")
	}
	if p.NoImageIndex {
		rules = append(rules, "noimageindex")
	}
	return strings.Join(rules, ", ")
}

// saved reports whether the session holds the talent as a favourite.
func (p *Page) saved(id string) bool { return slices.Contains(p.Saved, id) }

// current marks the link to the page's own screen for aria-current, false elsewhere.
func (p *Page) current(screen routes.Screen) bool { return p.Screen == screen }

// Preload is a picture that the browser should fetch early, for a media query and, if Type is not empty, only if it
// supports that format.
type Preload struct{ Media, Type, Srcset, Sizes, Priority string }

// preload is the preload of a picture in the best available format.
func preload(s agency.Sources, media, sizes, priority string) Preload {
	if s.AVIF != "" {
		return Preload{media, ui.AVIF, s.AVIF, sizes, priority}
	}
	return Preload{media, "", srcsetOrSrc(s), sizes, priority}
}

// First says which picture the page shows first: the head has it loaded before the browser comes to it, and by whoever
// fetches the page early (islands/boot/intent.ts). A minor's waits for the visit.
func (p *Page) First(i ui.Image) {
	if i.Picture.File == "" || i.Minor {
		return
	}
	p.Preloads = append(p.Preloads, preload(p.Pictures.Sources(i.Picture, i.Crop, false), "", i.Sizes, "high"))
}
