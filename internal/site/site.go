// Package site has what one agency's site is at one moment. It never changes: whoever decides something else makes
// another one. Two of them can be served side by side.
package site

import (
	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/brand"
	"zedcard/internal/routes"
)

// Site is what an agency has decided, with what follows from it.
type Site struct {
	agency.Site
	Look     *brand.Look
	Texts    *i18n.Texts
	Boards   *agency.Boards
	Routes   *routes.Table
	BlogLang *i18n.Language // of the posts, under every prefix
}

// New is the site of what an agency has decided.
func New(decided agency.Site) *Site {
	texts, boards := i18n.New(decided.Languages, decided.Overrides), agency.NewBoards(decided.Boards)
	return &Site{
		decided, brand.New(decided.Brand), texts, boards, routes.New(texts, boards), texts.In(decided.BlogLang),
	}
}
