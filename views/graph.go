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

// Thing is a node of a page's structured data (schema.org, as JSON-LD). It is one of the structs below, and not a map,
// because encoding/json looks up the type of each value of a map and sorts its keys.
type Thing any

type reference struct {
	ID string `json:"@id"`
}

type organization struct {
	ID           string        `json:"@id"`
	Type         string        `json:"@type"`
	Address      string        `json:"address,omitempty"`
	ContactPoint *contactPoint `json:"contactPoint,omitempty"`
	Logo         string        `json:"logo"`
	Name         string        `json:"name"`
	SameAs       []string      `json:"sameAs,omitempty"`
	URL          string        `json:"url"`
}

type contactPoint struct {
	Type              string      `json:"@type"`
	AvailableLanguage []i18n.Lang `json:"availableLanguage"`
	ContactType       string      `json:"contactType"`
	Email             string      `json:"email,omitempty"`
	Telephone         string      `json:"telephone,omitempty"`
}

type webSite struct {
	ID         string      `json:"@id"`
	Type       string      `json:"@type"`
	InLanguage []i18n.Lang `json:"inLanguage"`
	Name       string      `json:"name"`
	Publisher  reference   `json:"publisher"`
	URL        string      `json:"url"`
}

type webPage struct {
	Type        string     `json:"@type"`
	Subject     *reference `json:"about,omitempty"`
	Description string     `json:"description"`
	InLanguage  i18n.Lang  `json:"inLanguage"`
	IsPartOf    reference  `json:"isPartOf"`
	MainEntity  any        `json:"mainEntity,omitempty"`
	Name        string     `json:"name"`
	URL         string     `json:"url"`
}

type breadcrumbList struct {
	Type  string  `json:"@type"`
	Items []crumb `json:"itemListElement"`
}

type crumb struct {
	Type     string `json:"@type"`
	Address  string `json:"item"`
	Name     string `json:"name"`
	Position int    `json:"position"`
}

type itemList struct {
	Type  string     `json:"@type"`
	Items []listItem `json:"itemListElement"`
	Total int        `json:"numberOfItems"`
}

type listItem struct {
	Type     string `json:"@type"`
	Position int    `json:"position"`
	URL      string `json:"url"`
}

type person struct {
	Type     string     `json:"@type"`
	Height   *quantity  `json:"height,omitempty"`
	Image    string     `json:"image,omitempty"`
	JobTitle string     `json:"jobTitle,omitempty"`
	MemberOf *reference `json:"memberOf,omitempty"`
	Name     string     `json:"name"`
}

type quantity struct {
	Type  string  `json:"@type"`
	Unit  string  `json:"unitCode"`
	Value float64 `json:"value"`
}

type blogPosting struct {
	Type        string    `json:"@type"`
	Author      *person   `json:"author,omitempty"`
	Published   string    `json:"datePublished,omitempty"`
	Description string    `json:"description,omitempty"`
	Headline    string    `json:"headline"`
	Image       string    `json:"image,omitempty"`
	InLanguage  i18n.Lang `json:"inLanguage"`
	Publisher   reference `json:"publisher"`
	URL         string    `json:"url"`
}

// graph is a page's structured data.
type graph struct {
	Context string  `json:"@context"`
	Things  []Thing `json:"@graph"`
}

// graph is the agency, its site, and what the page is about. It never has a talent's birth date or address, or any
// measure but an adult's height.
func (p *Page) graph() graph {
	home := p.home()
	owner := organization{
		ID: p.agencyReference().ID, Type: "Organization", Name: p.Agency, URL: home,
		Logo: p.BaseURL + static.URL("icon-512.png"), Address: p.PostalAddress,
	}
	if p.PhoneOrMail() != "" {
		owner.ContactPoint = &contactPoint{
			Type: "ContactPoint", ContactType: "bookings", Telephone: p.Phone, Email: p.BookingsEmail,
			AvailableLanguage: i18n.Langs(),
		}
	}
	for _, media := range p.Social {
		owner.SameAs = append(owner.SameAs, media.URL)
	}
	site := webSite{
		ID: p.siteReference().ID, Type: "WebSite", Name: p.Agency, URL: home, InLanguage: i18n.Langs(),
		Publisher: p.agencyReference(),
	}
	things := []Thing{owner, site}
	if p.StructuredData != nil {
		things = append(things, p.StructuredData()...)
	}
	return graph{"https://schema.org", things}
}

// home is the address that identifies the agency and its site in structured data.
func (p *Page) home() string { return p.BaseURL + routes.Path(i18n.First(), routes.Home) }

func (p *Page) agencyReference() reference { return reference{p.home() + "#organization"} }

func (p *Page) siteReference() reference { return reference{p.home() + "#site"} }

// thing is the page itself as a thing of this type.
func (p *Page) thing(kind string) webPage {
	return webPage{
		Type: kind, URL: p.canonical(p.Lang), Name: p.Title, Description: p.Description, InLanguage: p.Lang,
		IsPartOf: p.siteReference(),
	}
}

// breadcrumbs are the way from the home page: names and paths.
func (p *Page) breadcrumbs(trail ...crumb) breadcrumbList {
	items := append([]crumb{{Name: p.T("home.title"), Address: p.Path(routes.Home)}}, trail...)
	for i := range items {
		items[i].Type, items[i].Position, items[i].Address = "ListItem", i+1, p.BaseURL+items[i].Address
	}
	return breadcrumbList{Type: "BreadcrumbList", Items: items}
}

// AboutThings is the structured data of the about page.
func AboutThings(p *Page) []Thing { return []Thing{about(p, "AboutPage")} }

// ContactThings is the structured data of the contact page.
func ContactThings(p *Page) []Thing { return []Thing{about(p, "ContactPage")} }

func about(p *Page, kind string) Thing {
	page, subject := p.thing(kind), p.agencyReference()
	page.Subject = &subject
	return page
}

// ListThings is the structured data of a list and its talents.
func ListThings(p *Page, l List) []Thing {
	items := make([]listItem, len(l.Talents)) // an empty list is [], not null
	for i, t := range l.Talents {
		items[i] = listItem{Type: "ListItem", Position: i + 1, URL: p.BaseURL + routes.Talent(p.Lang, t)}
	}
	page := p.thing("CollectionPage")
	page.MainEntity = itemList{Type: "ItemList", Total: l.Total, Items: items}
	return []Thing{page, p.breadcrumbs(crumb{Name: p.Title, Address: p.Path(p.Screen)})}
}

// ProfileThings is the structured data of a profile; of a minor only the name.
func ProfileThings(p *Page, pr Profile) []Thing {
	t, agencyID := pr.Talent, p.agencyReference()
	subject := person{Type: "Person", Name: t.Name, MemberOf: &agencyID}
	if !pr.Measures.Minor(t) {
		subject.JobTitle = p.T(t.Job())
		if t.Cover.File != "" {
			subject.Image = p.Absolute(p.Pictures.Sources(t.Cover, ui.Whole, false).Src)
		}
		if cm, ok := agency.ParseLength(t.Measures.Height); ok && t.Gender != "" {
			subject.Height = &quantity{Type: "QuantitativeValue", Value: cm, Unit: "CMT"}
		}
	}
	page := p.thing("ProfilePage")
	page.MainEntity = subject
	return []Thing{page, p.breadcrumbs(crumb{Name: BoardTitle(p, t), Address: p.Path(boardScreen(t))},
		crumb{Name: t.Name, Address: routes.Talent(p.Lang, t)})}
}

// PostThings is the structured data of a post.
func PostThings(p *Page, post agency.Post) []Thing {
	thing := blogPosting{
		Type: "BlogPosting", Headline: post.Title, InLanguage: p.BlogLang, URL: p.canonical(p.Lang),
		Publisher: p.agencyReference(), Description: post.Excerpt,
	}
	if post.Author != "" {
		thing.Author = &person{Type: "Person", Name: post.Author}
	}
	if !post.PublishedAt.IsZero() {
		thing.Published = post.PublishedAt.Format("2006-01-02")
	}
	if post.Cover != "" {
		thing.Image = p.Absolute(p.Pictures.Sources(agency.Picture{File: post.Cover}, ui.Whole, false).Src)
	}
	return []Thing{thing, p.breadcrumbs(crumb{Name: p.T("nav.blog"), Address: p.Path(routes.Blog)},
		crumb{Name: post.Title, Address: routes.PostPath(p.Lang, post.Type, post.Slug)})}
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
