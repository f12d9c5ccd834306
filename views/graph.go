package views

import (
	"maps"
	"strings"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/brand"
	"zedcard/internal/routes"
)

// Thing is a node of a page's structured data (schema.org, as JSON-LD).
type Thing map[string]any

// thing is a node of this type with these properties, by name, but for texts that are empty.
func thing(kind string, properties Thing) Thing {
	maps.DeleteFunc(properties, func(_ string, value any) bool { return value == "" })
	properties["@type"] = kind
	return properties
}

// graph is a page's structured data: the agency, its site, and what the page is about. It never has a talent's birth
// date or address, or any measure but an adult's height.
func (p *Page) graph() Thing {
	home := p.home()
	owner := thing("Organization", Thing{
		"@id": home + "#organization", "name": p.Site.Name, "url": home, "address": p.Site.Address,
		"logo": p.BaseURL + p.Look.URL(brand.IconPNG),
	})
	if p.Look.HasLogo() {
		owner["logo"] = p.BaseURL + p.Look.URL(brand.Logo)
	}
	if p.Contacts() != "" {
		owner["contactPoint"] = thing("ContactPoint", Thing{
			"contactType": "bookings", "telephone": p.Phone, "email": p.Bookings,
			"availableLanguage": p.Texts.Langs(),
		})
	}
	if len(p.Social) > 0 {
		var profiles []string
		for _, media := range p.Social {
			profiles = append(profiles, media.URL)
		}
		owner["sameAs"] = profiles
	}
	site := thing("WebSite", Thing{
		"@id": home + "#site", "name": p.Site.Name, "url": home, "inLanguage": p.Texts.Langs(), "publisher": p.owner(),
	})
	return Thing{"@context": "https://schema.org", "@graph": append([]Thing{owner, site}, p.StructuredData...)}
}

// home is the address that identifies the agency and its site in structured data.
func (p *Page) home() string { return p.BaseURL + routes.Path(p.Texts.First(), routes.Home) }

// owner refers to the agency.
func (p *Page) owner() Thing { return Thing{"@id": p.home() + "#organization"} }

// thing is the page itself as a thing of this type.
func (p *Page) thing(kind string) Thing {
	return thing(kind, Thing{
		"url": p.canonical(p.Lang), "name": p.Title, "description": p.Description, "inLanguage": p.Lang,
		"isPartOf": Thing{"@id": p.home() + "#site"},
	})
}

// crumb is a page on the way from the home page.
type crumb struct{ name, path string }

// breadcrumbs are the way from the home page.
func (p *Page) breadcrumbs(trail ...crumb) Thing {
	var items []Thing
	for i, c := range append([]crumb{{p.T("home.title"), p.Path(routes.Home)}}, trail...) {
		items = append(items, thing("ListItem", Thing{"position": i + 1, "name": c.name, "item": p.BaseURL + c.path}))
	}
	return thing("BreadcrumbList", Thing{"itemListElement": items})
}

// AgencyThings is the structured data of a page of this type that is about the agency.
func AgencyThings(p *Page, kind string) []Thing {
	page := p.thing(kind)
	page["about"] = p.owner()
	return []Thing{page}
}

// ListThings is the structured data of a list and its talents.
func ListThings(p *Page, l List) []Thing {
	items := make([]Thing, len(l.Talents)) // an empty list is [], not null
	for i, t := range l.Talents {
		items[i] = thing("ListItem", Thing{"position": i + 1, "url": p.BaseURL + p.Routes.Talent(p.Lang, t)})
	}
	page := p.thing("CollectionPage")
	page["mainEntity"] = thing("ItemList", Thing{"numberOfItems": l.Total, "itemListElement": items})
	return []Thing{page, p.breadcrumbs(crumb{p.Title, p.Path(p.Screen)})}
}

// ProfileThings is the structured data of a profile; of a minor only the name.
func ProfileThings(p *Page, pr Profile) []Thing {
	t := pr.Talent
	person := thing("Person", Thing{"name": t.Name, "memberOf": p.owner()})
	if !pr.Measures.Minor(t) {
		person["jobTitle"] = p.T(p.Boards.Job(t))
		if t.Cover.File != "" {
			person["image"] = p.picture(t.Cover)
		}
		if cm, ok := agency.ParseLength(t.Measures.Height); ok && t.Gender != "" {
			person["height"] = thing("QuantitativeValue", Thing{"value": cm, "unitCode": "CMT"})
		}
	}
	page := p.thing("ProfilePage")
	page["mainEntity"] = person
	return []Thing{page, p.breadcrumbs(crumb{BoardTitle(p, t), p.Path(boardScreen(p, t))},
		crumb{t.Name, p.Routes.Talent(p.Lang, t)})}
}

// PostThings is the structured data of a post.
func PostThings(p *Page, post agency.Post) []Thing {
	posting := thing("BlogPosting", Thing{
		"headline": post.Title, "inLanguage": p.BlogLang, "url": p.canonical(p.Lang), "publisher": p.owner(),
		"description": post.Excerpt,
	})
	if post.Author != "" {
		posting["author"] = thing("Person", Thing{"name": post.Author})
	}
	if !post.PublishedAt.IsZero() {
		posting["datePublished"] = post.PublishedAt.Format(time.DateOnly)
	}
	if post.Cover != "" {
		posting["image"] = p.picture(agency.Picture{File: post.Cover})
	}
	return []Thing{posting, p.breadcrumbs(crumb{p.T("nav.blog"), p.Path(routes.Blog)},
		crumb{post.Title, routes.PostPath(p.Lang, post.Type, post.Slug)})}
}

// picture is the absolute address of a picture.
func (p *Page) picture(picture agency.Picture) string {
	return p.Absolute(p.Pictures.Sources(picture, agency.Whole, false).Src)
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

// ShareCover lets social networks show a cover with the page, if there is one.
func (p *Page) ShareCover(cover agency.Picture) {
	if cover.File != "" {
		p.Share = p.Pictures.Sources(cover, agency.ShareCrop, false)
	}
}

// shareTitle is the title without the agency, which a social network shows beside it.
func (p *Page) shareTitle() string {
	if p.Screen == routes.Home || strings.TrimSpace(p.Title) == "" {
		return p.Site.Name
	}
	return p.Title
}
