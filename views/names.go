package views

import (
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/routes"
)

func genderName(p Page, g agency.Gender) string {
	if g == agency.Man {
		return p.T("filter.man")
	}
	return p.T("filter.woman")
}

// allOf is what the row of a gender's subdivisions begins with: it agrees with the gender.
func allOf(p Page, g agency.Gender) string {
	if g == agency.Woman {
		return p.T("filter.all.woman")
	}
	return p.T("filter.all")
}

func categoryName(p Page, c agency.ListCategory) string {
	switch c {
	case agency.Fluid:
		return p.T("filter.fluid")
	case agency.Kids:
		return p.T("filter.kids")
	case agency.Photographer:
		return p.T("filter.photographer")
	case agency.Make:
		return p.T("filter.make")
	case agency.Stylist:
		return p.T("filter.stylist")
	}
	return p.T("filter.influencers")
}

func subcategoryName(p Page, s agency.Subcategory) string {
	switch s {
	case agency.Curve:
		return p.T("filter.curve")
	case agency.Fit:
		return p.T("filter.fit")
	case agency.Life:
		return p.T("filter.life")
	case agency.Petite:
		return p.T("filter.petite")
	case agency.Big:
		return p.T("filter.big")
	case agency.Girls:
		return p.T("filter.girls")
	}
	return p.T("filter.boys")
}

// BoardTitle names the board that a talent stands on.
func BoardTitle(p Page, t *agency.Talent) string { return ListTitle(p, boardScreen(t)) }

// ListTitle is the heading of a list screen.
func ListTitle(p Page, screen routes.Screen) string {
	switch screen {
	case routes.Creative:
		return p.T("nav.creative")
	case routes.Women:
		return p.T("filter.woman")
	case routes.Men:
		return p.T("filter.man")
	case routes.Fluid:
		return p.T("filter.fluid")
	case routes.Kids:
		return p.T("filter.kids")
	case routes.Anything:
		return p.T("list.everybody")
	}
	return p.T("nav.models")
}

// ListSearchTitle is the title of a list screen in search results; empty where its heading says enough.
func ListSearchTitle(p Page, screen routes.Screen) string {
	switch screen {
	case routes.Creative:
		return p.T("title.creative")
	case routes.Women:
		return p.T("title.women")
	case routes.Men:
		return p.T("title.men")
	case routes.Fluid:
		return p.T("title.fluid")
	case routes.Kids:
		return p.T("title.kids")
	}
	return ""
}

// nameAndRole splits a picture's caption at the dash between a person's name and role.
func nameAndRole(caption string) (name, role string) {
	for _, dash := range []string{" — ", " – ", " - "} {
		if name, role, ok := strings.Cut(caption, dash); ok {
			return strings.TrimSpace(name), strings.TrimSpace(role)
		}
	}
	return strings.TrimSpace(caption), ""
}
