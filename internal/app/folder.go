package app

import (
	"net/http"
	"slices"
	"strings"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/config"
	"zedcard/internal/folder"
	"zedcard/views"
)

// agencyFolder is the agency's folder as the screens read it.
type agencyFolder struct {
	*folder.Folder
	config config.Config
}

// Folder is the agency's folder as the screens read it.
func (backEnds BackEnds) Folder(c config.Config) handlers.Folder {
	return agencyFolder{backEnds.folder, c}
}

// Faults are what zedcard check says of the folder, in a language.
func (f agencyFolder) Faults(lang *i18n.Language, status func(address string) int) []views.Fault {
	all, links := f.Check()
	all = append(all, LeftOfDemo(f.config)...)
	all = append(all, Nowhere(all, links, status)...)
	var faults []views.Fault
	for _, fault := range folder.SortFaults(all) {
		faults = append(faults, views.Fault{Place: fault.Place(), Text: fault.Text(lang), Remark: fault.Remark})
	}
	return faults
}

// LeftOfDemo is what an editor should correct of what the folder still has of the demo agency, or of the folder to
// begin with. The demo's people are at home in the demo, and its own words stand in no brackets.
func LeftOfDemo(c config.Config) (faults []folder.Fault) {
	isOwn := c.ContentDir != ""
	for _, left := range folder.LeftOfDemo(ContentFolder(c)) {
		left.Remark = left.Remark && !c.Public() // then visitors read it
		if left.Remark && isOwn || !left.Remark && c.Public() && (isOwn || strings.HasPrefix(left.File, "pages/")) {
			faults = append(faults, left)
		}
	}
	return faults
}

// Nowhere are the links that lead nowhere, but to a page that has a fault itself.
func Nowhere(faults, links []folder.Fault, status func(address string) int) []folder.Fault {
	return slices.DeleteFunc(slices.Clone(links), func(link folder.Fault) bool {
		page := "pages" + strings.TrimSuffix(link.Args[1], "/") + ".md"
		isFaulty := func(fault folder.Fault) bool { return fault.File == page && !fault.Remark }
		return slices.ContainsFunc(faults, isFaulty) || status(link.Args[1]) < http.StatusBadRequest
	})
}
