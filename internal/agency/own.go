package agency

import (
	"cmp"
	"strings"

	"zedcard/i18n"
)

// Own are the addresses that a site's folder adds to the site's own: pages, redirects and files. It never changes.
type Own struct {
	Pages     map[string]OwnPage // by name: the page is at /name, below each language's prefix
	Redirects map[string]string  // by old path: a path or an address, talent:ID, or Gone
	Below     []Redirect         // of all paths that begin with theirs, the longest first
	Files     map[string]string  // by path: the file in the folder
}

// Gone is the target of a redirect to nowhere.
const Gone = "410"

// TalentTarget begins the target of a redirect to a talent's profile; the id follows.
const TalentTarget = "talent:"

// OwnPage is a page that the agency has beside the site's. Titles are by language.
type OwnPage struct {
	Titles map[string]string
	Footer bool // it has a link at the foot of every page
}

// TitleIn is the title in a language, else in the site's first.
func (p OwnPage) TitleIn(lang i18n.Lang) string {
	return cmp.Or(p.Titles[string(lang)], p.Titles[string(i18n.First())])
}

// Redirect stands for all paths that begin with From. If To ends in *, the rest follows it.
type Redirect struct{ From, To string }

// Redirect is the target for a path; false if there is none.
func (o *Own) Redirect(path string) (string, bool) {
	if to, ok := o.Redirects[path]; ok {
		return to, true
	}
	for _, r := range o.Below {
		if rest, ok := strings.CutPrefix(path, r.From); ok {
			if before, ok := strings.CutSuffix(r.To, "*"); ok {
				return before + rest, true
			}
			return r.To, true
		}
	}
	return "", false
}
