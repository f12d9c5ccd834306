package embedded

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/content"
	"zedcard/internal/routes"
)

// goodVersions are what the files held when they were last without faults, by file.
type goodVersions struct {
	Site       *agency.Site
	Categories map[string]agency.Category // by Fold of the name
	Options    *options
	Slides     []agency.Slide
	Redirects  []agency.Redirect
	Talents    map[string]talentVersion
	Posts      map[string]postVersion
	Pages      map[string]pageVersion
	Files      []string // of public/
}

type talentVersion struct {
	agency.Talent
	Was []string // old addresses
}

type postVersion struct {
	agency.Post
	Publish time.Time // the day before which it is a draft; zero: none
}

type pageVersion struct {
	agency.Entity
	Footer bool
}

// view is what calls answer from: without drafts, or with them for editors.
type view struct {
	talents map[string]agency.Talent // by id
	listed  []*agency.Talent         // in the order of the boards, as lists have them: without galleries
	blog    map[string][]agency.Post // by type, newest first
	pages   map[page]agency.Entity
	own     *agency.Own

	pictures map[string]bool // of talents, posts and pages
}

// derive makes what calls answer from.
func (s *state) derive(now time.Time) {
	s.public, s.preview = s.view(now, false), s.view(now, true)
	for _, post := range s.Posts {
		if isLater(post.Publish, now) {
			s.until = time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, now.Location())
		}
	}
}

// isLater reports whether a day is after today, where the program runs.
func isLater(day, now time.Time) bool { return day.Format(time.DateOnly) > now.Format(time.DateOnly) }

func (s *state) view(now time.Time, drafts bool) *view {
	v := &view{
		talents: map[string]agency.Talent{}, blog: map[string][]agency.Post{}, pages: map[page]agency.Entity{},
		pictures: map[string]bool{},
	}
	v.own = &agency.Own{Pages: map[string]agency.OwnPage{}, Redirects: map[string]string{}, Files: map[string]string{}}
	for _, file := range slices.SortedFunc(maps.Keys(s.Talents), byNumber) {
		talent := s.Talents[file].Talent
		if talent.Draft && !drafts {
			continue
		}
		v.talents[talent.ID] = talent
		v.show(talent.PictureFiles()...)
		listed := talent
		listed.Book, listed.Snap, listed.Video, listed.Digital = nil, nil, nil, agency.Digital{}
		v.listed = append(v.listed, &listed)
		for _, old := range s.Talents[file].Was {
			v.own.Redirects[old] = agency.TalentTarget + talent.ID
		}
	}
	for _, version := range s.Posts {
		post := version.Post
		if post.Draft = post.Draft || isLater(version.Publish, now); !post.Draft || drafts {
			v.blog[post.Type] = append(v.blog[post.Type], post)
			v.show(post.Cover)
		}
	}
	for _, posts := range v.blog {
		slices.SortFunc(posts, func(a, b agency.Post) int {
			return cmp.Or(b.PublishedAt.Compare(a.PublishedAt), strings.Compare(a.Slug, b.Slug))
		})
	}
	s.addPages(v, drafts)
	for _, r := range s.Redirects {
		if from, ok := strings.CutSuffix(r.From, "*"); ok {
			v.own.Below = append(v.own.Below, agency.Redirect{From: from, To: r.To})
		} else {
			v.own.Redirects[r.From] = r.To
		}
	}
	slices.SortFunc(v.own.Below, func(a, b agency.Redirect) int { return cmp.Compare(len(b.From), len(a.From)) })
	for _, file := range s.Files {
		v.own.Files[strings.TrimPrefix(file, "public")] = file
	}
	return v
}

// show notes that pictures are shown.
func (v *view) show(files ...string) {
	for _, file := range files {
		v.pictures[file] = true
	}
}

func (s *state) addPages(v *view, drafts bool) {
	for _, file := range slices.Sorted(maps.Keys(s.Pages)) {
		version := s.Pages[file]
		if version.Draft && !drafts {
			continue
		}
		v.pages[page{version.Name, version.Lang}] = version.Entity
		for _, picture := range version.Images {
			v.show(picture.File)
		}
		if slices.Contains(sitePages, version.Name) {
			continue
		}
		own := v.own.Pages[version.Name]
		if own.Titles == nil {
			own.Titles = map[string]string{}
		}
		own.Titles[version.Lang] = version.Title
		own.Footer = own.Footer || version.Footer
		v.own.Pages[version.Name] = own
	}
	for name := range v.own.Pages { // a translation alone has no address
		if _, ok := v.pages[page{name, string(i18n.First())}]; !ok {
			delete(v.own.Pages, name)
		}
	}
}

// maxPublicFile is the size of the largest file in public/, in bytes.
const maxPublicFile = 1 << 20

// loadAddresses reads redirects.txt and the names of the files in public/.
func (l *loader) loadAddresses() {
	if f := l.open("redirects.txt"); f != nil {
		l.next.Redirects = l.readRedirects(f)
		if !l.finish(f) {
			l.next.Redirects = l.good.Redirects
		}
	}
	for _, file := range slices.Sorted(maps.Keys(l.tree.files)) {
		address, ok := strings.CutPrefix(file, "public")
		switch {
		case !ok || !strings.HasPrefix(address, "/"):
		case l.tree.files[file].size > maxPublicFile:
			l.fault(file, "fault.public-large")
		case isSiteOwn(address):
			l.fault(file, "fault.redirect-own", "address", address)
		default:
			l.next.Files = append(l.next.Files, file)
		}
		l.read[file] = l.read[file] || ok
	}
}

func (l *loader) readRedirects(f *content.File) []agency.Redirect {
	var all []agency.Redirect
	seen := map[string]bool{}
	for i, line := range strings.Split(string(f.Text), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) != 2 || !isOldAddress(words[0]) {
			f.Fault(i+1, "fault.redirect")
			continue
		}
		from, to := words[0], words[1]
		id, isTalent := strings.CutPrefix(to, agency.TalentTarget)
		switch {
		case seen[from]:
			f.Fault(i+1, "fault.redirect-twice", "address", from)
		case isSiteOwn(from):
			f.Fault(i+1, "fault.redirect-own", "address", from)
		case isTalent && !l.config.SiteOnly && l.talent(id) == nil:
			f.Fault(i+1, "fault.redirect-talent", "id", id)
		case !isTalent && to != agency.Gone && !strings.HasPrefix(to, "https://") &&
			(!strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//")):
			f.Fault(i+1, "fault.redirect")
		case to == from:
			f.Fault(i+1, "fault.redirect-self", "address", from)
		}
		seen[from] = true
		all = append(all, agency.Redirect{From: from, To: to})
	}
	return all
}

// talent is the talent with this id, nil if there is none.
func (l *loader) talent(id string) *agency.Talent {
	for _, version := range l.next.Talents {
		if version.ID == id {
			return &version.Talent
		}
	}
	return nil
}

// isSiteOwn reports whether an address, or one of those that end in *, is the site's and can't be another.
func isSiteOwn(address string) bool {
	before, below := strings.CutSuffix(address, "*")
	matches := func(own string) bool { return own == address || below && strings.HasPrefix(own, before) }
	for _, own := range []string{"/static/", routes.Pictures, "/_"} {
		if strings.HasPrefix(address, own) || matches(own) {
			return true
		}
	}
	return slices.ContainsFunc([]string{routes.Sitemap, routes.Manifest, "/robots.txt"}, matches) ||
		slices.ContainsFunc(routes.All(), func(r routes.Route) bool {
			return (below || !strings.Contains(r.Pattern, "{")) && matches(r.Pattern)
		})
}

// isOldAddress reports whether a text is a path, at whose end a * may stand.
func isOldAddress(text string) bool {
	return strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//") && len(text) > 1 &&
		!strings.ContainsAny(text, "?#") && !strings.Contains(text[:len(text)-1], "*") &&
		path.Clean(strings.TrimSuffix(text, "*")) != "/"
}
