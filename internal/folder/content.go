package folder

import (
	"cmp"
	"context"
	"fmt"
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

// Content is one reading of the folder: without drafts, or with them for editors. It is never changed.
type Content struct {
	state   *state                   // of which it is
	talents map[string]agency.Talent // by id
	listed  []*agency.Talent         // in the order of the boards, as lists have them: without galleries
	blog    map[string][]agency.Post // by type, newest first
	pages   map[page]agency.Entity
	own     *agency.Own

	pictures map[string]bool // of talents, posts and pages
}

// derive makes what the screens read.
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

func (s *state) view(now time.Time, drafts bool) *Content {
	v := &Content{
		state: s, talents: map[string]agency.Talent{}, blog: map[string][]agency.Post{},
		pages: map[page]agency.Entity{}, pictures: map[string]bool{},
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
func (v *Content) show(files ...string) {
	for _, file := range files {
		v.pictures[file] = true
	}
}

func (s *state) addPages(v *Content, drafts bool) {
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

func notFound(what, name string) error {
	return fmt.Errorf("%s %q: %w", what, name, agency.ErrNotFound)
}

// Version counts the readings of the folder that were taken.
func (v *Content) Version() uint64 { return v.state.version }

// Talents are all talents in the order of the boards, without galleries. They must not be changed.
func (v *Content) Talents(_ context.Context) ([]*agency.Talent, error) {
	return v.listed, nil
}

// Profile is a talent with galleries.
func (v *Content) Profile(_ context.Context, id string) (agency.Talent, error) {
	talent, ok := v.talents[id]
	if !ok {
		return agency.Talent{}, notFound("talent", id)
	}
	return talent, nil
}

// Known is the same, without an id where there is none.
func (v *Content) Known(id string) agency.Talent { return v.talents[id] }

// Options are the lists of options.yaml, with the names of places and decimal signs of the language.
func (v *Content) Options(_ context.Context, query agency.OptionsQuery) (agency.Options, error) {
	all, ok := v.state.lists[query.Language]
	if !ok {
		all = v.state.options.in(query.Language, v.state.decided.Metric)
	}
	if query.Country != "" {
		all.Cities = v.state.options.cities(query.Language, query.Country)
	}
	return all, nil
}

// Slides are those of "home", the only kind.
func (v *Content) Slides(_ context.Context, kind string) ([]agency.Slide, error) {
	if kind != "home" {
		return nil, notFound("slides of", kind)
	}
	return v.state.slides, nil
}

// Posts is a page of a type's posts, newest first; a type without posts has one empty page.
func (v *Content) Posts(_ context.Context, kind string, size, page int) (agency.PostPage, error) {
	posts, last := agency.PageOf(v.blog[kind], page, size)
	return agency.PostPage{Posts: posts, Page: page, LastPage: last}, nil
}

// Post is the post of a type with this slug.
func (v *Content) Post(_ context.Context, kind, slug string) (agency.Post, error) {
	for _, post := range v.blog[kind] {
		if post.Slug == slug {
			return post, nil
		}
	}
	return agency.Post{}, notFound("post", kind+"/"+slug)
}

// Entity is a page in the language if it has it, else in the site's first. It says its language where one was asked
// for.
func (v *Content) Entity(_ context.Context, name, lang string) (agency.Entity, error) {
	found, ok := v.pages[page{name, lang}]
	if !ok {
		found, ok = v.pages[page{name, string(v.state.site.Texts.First().Lang)}]
	}
	if !ok {
		return agency.Entity{}, notFound("entity", name)
	}
	if lang == "" {
		found.Lang = ""
	}
	return found, nil
}

// Lacks reports whether there is no page of a name, in any language.
func (v *Content) Lacks(name string) bool {
	for page := range v.pages {
		if page.name == name {
			return false
		}
	}
	return true
}

// SocialMedias are the agency's profiles elsewhere.
func (v *Content) SocialMedias(context.Context) ([]agency.SocialMedia, error) {
	return v.state.decided.Social, nil
}
