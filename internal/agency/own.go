package agency

import (
	"cmp"

	"zedcard/i18n"
)

// Own are the addresses that a site's folder adds to the site's own: pages, redirects and files. It never changes.
type Own struct {
	Pages     map[string]OwnPage // by name: the page is at /name, below each language's prefix
	Redirects Redirects
	Files     map[string]string // by path: the file in the folder
}

// OwnPage is a page that the agency has beside the site's. Titles are by language.
type OwnPage struct {
	Titles map[string]string
	Footer bool // it has a link at the foot of every page
}

// TitleIn is the title in a language, else in the site's first.
func (p OwnPage) TitleIn(lang *i18n.Language) string {
	return cmp.Or(p.Titles[string(lang.Lang)], p.Titles[string(lang.First().Lang)])
}
