package folder

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"zedcard/internal/agency"
)

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
	for _, post := range s.posts {
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
	v.own = &agency.Own{Pages: map[string]agency.OwnPage{}, Files: map[string]string{}}
	for _, file := range slices.SortedFunc(maps.Keys(s.talents), ByNumber) {
		talent := s.talents[file].Talent
		talent = *s.site.Boards.Mark(&talent)
		if talent.Draft && !drafts {
			continue
		}
		v.talents[talent.ID] = talent
		v.show(talent.PictureFiles()...)
		listed := talent
		listed.Book, listed.Snap, listed.Video, listed.Digital = nil, nil, nil, agency.Digital{}
		v.listed = append(v.listed, &listed)
		for _, old := range s.talents[file].Was {
			_ = v.own.Redirects.Add(agency.Redirect{From: old, To: agency.TalentTarget + talent.ID}) // was checked
		}
	}
	for _, version := range s.posts {
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
	for _, redirect := range s.redirects {
		_ = v.own.Redirects.Add(redirect) // it was checked, but for what talents were
	}
	for _, file := range s.files {
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
	for _, file := range slices.Sorted(maps.Keys(s.pages)) {
		version := s.pages[file]
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
		if _, ok := v.pages[page{name, string(s.site.Texts.First().Lang)}]; !ok {
			delete(v.own.Pages, name)
		}
	}
}
