package folder

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/routes"
)

// Limits of what the folder adds: a file of public/ in bytes, and redirects.txt in lines.
const (
	maxPublicFile    = 1 << 20
	maxRedirectLines = 20_000
)

// loadAddresses reads redirects.txt and the names of the files in public/.
func (l *loader) loadAddresses() {
	own := l.ownAddresses()
	if f := l.open("redirects.txt"); f != nil {
		l.next.redirects, _ = good(l, f, func(f *File) []agency.Redirect { return l.readRedirects(f, own) })
	}
	for _, file := range slices.Sorted(maps.Keys(l.tree.files)) {
		address, ok := strings.CutPrefix(file, "public")
		switch {
		case !ok || !strings.HasPrefix(address, "/"):
		case l.tree.files[file].size > maxPublicFile:
			l.fault(file, "fault.public-large")
		case own.has(address):
			l.fault(file, "fault.redirect-own", "address", address)
		default:
			l.next.files = append(l.next.files, file)
		}
		l.read[file] = l.read[file] || ok
	}
}

// readRedirects reads the lines without a fault; one with a fault holds back itself alone.
func (l *loader) readRedirects(f *File, own ownAddresses) []agency.Redirect {
	lines := strings.Split(string(f.Text), "\n")
	if len(lines) > maxRedirectLines {
		f.Fault(maxRedirectLines, "fault.lines", "most", strconv.Itoa(maxRedirectLines))
		return nil
	}
	talents := map[string]bool{}
	for _, talent := range l.next.talents {
		talents[talent.ID] = true
	}
	var all []agency.Redirect
	var old agency.Redirects
	at := map[string]int{} // lines by the old address
	for i, line := range lines {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) != 2 {
			f.Warn(i+1, "fault.redirect")
			continue
		}
		redirect := agency.Redirect{From: words[0], To: words[1]}
		id, isTalent := strings.CutPrefix(redirect.To, agency.TalentTarget)
		if own.takes(redirect.From) {
			f.Warn(i+1, "fault.redirect-own", "address", redirect.From)
			continue
		}
		switch err := old.Add(redirect); {
		case errors.Is(err, agency.ErrRedirectTwice):
			f.Warn(i+1, "fault.redirect-twice", "address", redirect.From)
		case err != nil:
			f.Warn(i+1, "fault.redirect")
		case isTalent && !l.config.SiteOnly && !talents[id]:
			if len(talents) > 0 && len(talents) == len(l.tree.subfolders("talents")) { // else its file has a fault
				f.Warn(i+1, "fault.redirect-talent", "id", id)
			}
		default:
			all, at[redirect.From] = append(all, redirect), i+1
		}
	}
	return slices.DeleteFunc(all, func(redirect agency.Redirect) bool {
		isOld := old.IsOld(redirect.To)
		if isOld {
			f.Warn(at[redirect.From], "fault.redirect-old", "address", redirect.To)
		} else if strings.HasPrefix(redirect.To, "/") && !strings.HasSuffix(redirect.From, "*") {
			l.next.links = append(l.next.links, Fault{
				File: f.Name, Line: at[redirect.From], Remark: true,
				Key: "fault.redirect-nowhere", Args: []string{"link", redirect.To},
			})
		}
		return isOld
	})
}

// talent is the talent with this id, nil if there is none.
func (l *loader) talent(id string) *agency.Talent {
	for _, version := range l.next.talents {
		if version.ID == id {
			return &version.Talent
		}
	}
	return nil
}

// ownAddresses are the site's, which neither a file nor an old address can be; patterns have their variables in braces.
type ownAddresses []string

func (l *loader) siteAddresses() ownAddresses {
	own := ownAddresses{
		routes.Sitemap, routes.Manifest, "/robots.txt", "/favicon.ico", "/apple-touch-icon.png",
	}
	for _, route := range l.next.site.Routes.All() {
		own = append(own, route.Pattern)
	}
	slices.Sort(own)
	return own
}

// ownAddresses are those of the site and of the folder's pages.
func (l *loader) ownAddresses() ownAddresses {
	own := l.siteAddresses()
	for _, page := range l.next.pages {
		for _, lang := range l.next.site.Texts.Langs() {
			own = append(own, routes.OwnPath(lang, page.Name))
		}
	}
	slices.Sort(own)
	return own
}

// families begin addresses that are all the site's.
var families = []string{"/static/", routes.Pictures, "/_", strings.TrimSuffix(routes.Sitemap, ".xml") + "-"}

// has reports whether an address is the site's.
func (own ownAddresses) has(address string) bool {
	_, found := slices.BinarySearch(own, address)
	isOf := func(family string) bool { return strings.HasPrefix(address, family) }
	return found || slices.ContainsFunc(families, isOf)
}

// takes reports whether an old address, which may end in *, is one of the site's.
func (own ownAddresses) takes(old string) bool {
	before, isBelow := strings.CutSuffix(old, "*")
	address := agency.OldPath(before)
	if address == "" || !isBelow {
		return address != "" && own.has(address)
	}
	if strings.HasSuffix(before, "/") {
		address += "/"
	}
	at, _ := slices.BinarySearch(own, address)
	return own.has(address) || own.has(strings.TrimSuffix(address, "/")) ||
		at < len(own) && strings.HasPrefix(own[at], address) ||
		slices.ContainsFunc(families, func(family string) bool { return strings.HasPrefix(family, address) })
}
