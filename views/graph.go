package views

import (
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/routes"
	"zedcard/static"
	"zedcard/views/ui"
)

// Paper is the colour of the page, for browsers and manifests.
const Paper = "#ffffff"

// Thing is a node of a page's structured data (schema.org, as JSON-LD).
type Thing map[string]any

// graph is a page's structured data: the agency, its site, and what the page is about. It never has a birth date, an
// address, or any measure but an adult's height.
func (p *Page) graph() Thing {
	home := p.BaseURL + routes.Path(i18n.EN, routes.Home)
	organization := Thing{
		"@type": "Organization", "@id": home + "#organization", "name": p.Agency, "url": home,
		"logo": p.BaseURL + static.URL("icon-512.png"),
		"contactPoint": Thing{
			"@type": "ContactPoint", "contactType": "bookings", "telephone": p.Phone, "email": p.BookingsEmail,
			"availableLanguage": i18n.Langs,
		},
	}
	var profiles []string
	for _, media := range p.Social {
		profiles = append(profiles, media.URL)
	}
	if len(profiles) > 0 {
		organization["sameAs"] = profiles
	}
	site := Thing{
		"@type": "WebSite", "@id": home + "#site", "name": p.Agency, "url": home, "inLanguage": i18n.Langs,
		"publisher": reference(organization),
	}
	things := []Thing{organization, site}
	if p.StructuredData != nil {
		things = append(things, p.StructuredData()...)
	}
	return Thing{"@context": "https://schema.org", "@graph": things}
}

// thingsKey is what cached structured data depends on: the page's address, and the number of links to social media,
// which is 0 while they are unavailable.
type thingsKey struct {
	address string
	social  int
}

func reference(target Thing) Thing { return Thing{"@id": target["@id"]} }

func (p *Page) agencyReference() Thing {
	return Thing{"@id": p.BaseURL + routes.Path(i18n.EN, routes.Home) + "#organization"}
}

// thing is the page itself as a thing of this type.
func (p *Page) thing(kind string) Thing {
	return Thing{
		"@type": kind, "url": p.canonical(p.Lang), "name": p.Title, "description": p.Description, "inLanguage": p.Lang,
		"isPartOf": Thing{"@id": p.BaseURL + routes.Path(i18n.EN, routes.Home) + "#site"},
	}
}

type crumb struct{ name, path string }

func (p *Page) breadcrumbs(trail ...crumb) Thing {
	var items []Thing
	for i, c := range append([]crumb{{p.T("home.title"), p.Path(routes.Home)}}, trail...) {
		items = append(items, Thing{"@type": "ListItem", "position": i + 1, "name": c.name, "item": p.BaseURL + c.path})
	}
	return Thing{"@type": "BreadcrumbList", "itemListElement": items}
}

// AboutThings is the structured data of the about page.
func AboutThings(p *Page) []Thing { return []Thing{about(p, "AboutPage")} }

// ContactThings is the structured data of the contact page.
func ContactThings(p *Page) []Thing { return []Thing{about(p, "ContactPage")} }

func about(p *Page, kind string) Thing {
	page := p.thing(kind)
	page["about"] = p.agencyReference()
	return page
}

// listItem is an item of a list. It is a struct and not a Thing because a page has many.
type listItem struct {
	Type     string `json:"@type"`
	Position int    `json:"position"`
	URL      string `json:"url"`
}

// ListThings is the structured data of a list and its talents.
func ListThings(p *Page, l List) []Thing {
	page := p.thing("CollectionPage")
	items := make([]listItem, len(l.Talents)) // an empty list is [], not null
	for i, t := range l.Talents {
		items[i] = listItem{Type: "ListItem", Position: i + 1, URL: p.BaseURL + routes.Talent(p.Lang, t)}
	}
	page["mainEntity"] = Thing{"@type": "ItemList", "numberOfItems": l.Total, "itemListElement": items}
	return []Thing{page, p.breadcrumbs(crumb{p.Title, p.Path(p.Screen)})}
}

// ProfileThings is the structured data of a profile; of a minor only the name.
func ProfileThings(p *Page, pr Profile) []Thing {
	t := pr.Talent
	person := Thing{"@type": "Person", "name": t.Name, "memberOf": p.agencyReference()}
	if !pr.Measures.Minor(t) {
		person["jobTitle"] = p.T(t.Job())
		if t.Cover.File != "" {
			person["image"] = p.Absolute(p.Pictures.Sources(t.Cover, ui.Whole, false).Src)
		}
		if cm, ok := agency.ParseLength(t.Measures.Height); ok && t.Gender != "" {
			person["height"] = Thing{"@type": "QuantitativeValue", "value": cm, "unitCode": "CMT"}
		}
	}
	page := p.thing("ProfilePage")
	page["mainEntity"] = person
	return []Thing{page, p.breadcrumbs(crumb{BoardTitle(p, t), p.Path(boardScreen(t))},
		crumb{t.Name, routes.Talent(p.Lang, t)})}
}

// PostThings is the structured data of a post.
func PostThings(p *Page, post agency.Post) []Thing {
	thing := Thing{
		"@type": "BlogPosting", "headline": post.Title, "inLanguage": routes.PostLang, "url": p.canonical(p.Lang),
		"publisher": p.agencyReference(),
	}
	if post.Excerpt != "" {
		thing["description"] = post.Excerpt
	}
	if post.Author != "" {
		thing["author"] = Thing{"@type": "Person", "name": post.Author}
	}
	if !post.PublishedAt.IsZero() {
		thing["datePublished"] = post.PublishedAt.Format("2006-01-02")
	}
	if post.Cover != "" {
		thing["image"] = p.Absolute(p.Pictures.Sources(agency.Picture{File: post.Cover}, ui.Whole, false).Src)
	}
	return []Thing{thing, p.breadcrumbs(crumb{p.T("nav.blog"), p.Path(routes.Blog)},
		crumb{post.Title, routes.PostPath(p.Lang, post.Type, post.Slug)})}
}

// shareKind is the og:type for social networks.
func (p *Page) shareKind() string {
	switch p.Screen {
	case routes.Profile:
		return "profile"
	case routes.Post:
		return "article"
	}
	return "website"
}

// sharePicture is the address of the picture for social networks: the page's own, or the agency's card.
func (p *Page) sharePicture() string {
	if p.Share != "" {
		return p.Absolute(p.Share)
	}
	return p.BaseURL + routes.SharePath(p.Lang, routes.Home)
}

// shareTitle is the title without the agency, which a social network shows beside it.
func (p *Page) shareTitle() string {
	if p.Screen == routes.Home || strings.TrimSpace(p.Title) == "" {
		return p.Agency
	}
	return p.Title
}
