package testkit

import (
	"archive/zip"
	"context"
	"fmt"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/api"
)

// Config has the credentials that the fake accepts.
var Config = api.Config{
	PanelSalt: PanelSalt, APIToken: APIToken, IntegrationSalt: IntegrationSalt, APIKey: APIKey,
}

// APIs answers both APIs from the content.
func (f *Fake) APIs() http.Handler {
	config := Config
	config.Now = f.clock
	return api.New(func() api.Content { return source{f} }, source{f}, config)
}

// source is the agency of a fake.
type source struct{ *Fake }

func (s source) Talents(context.Context) ([]*agency.Talent, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.roster == nil { // not for each page of a large one
		for i := range s.content.Talents {
			s.roster = append(s.roster, &s.content.Talents[i])
		}
	}
	return s.roster, nil
}

func (s source) Profile(ctx context.Context, id string) (agency.Talent, error) {
	roster, _ := s.Talents(ctx)
	talent, err := find(roster, func(t *agency.Talent) bool { return t.ID == id })
	if err != nil {
		return agency.Talent{}, err
	}
	return *talent, nil
}

// find is the item that is meant.
func find[T any](items []T, meant func(T) bool) (item T, err error) {
	if at := slices.IndexFunc(items, meant); at >= 0 {
		return items[at], nil
	}
	return item, agency.ErrNotFound
}

func (s source) Options(_ context.Context, query agency.OptionsQuery) (agency.Options, error) {
	options := s.Content().Options
	if query.Country == "" {
		options.Cities = nil
	}
	return options, nil
}

func (s source) Slides(context.Context, string) ([]agency.Slide, error) {
	return s.Content().Slides, nil
}

func (s source) SocialMedias(context.Context) ([]agency.SocialMedia, error) {
	return s.Content().SocialMedias, nil
}

func (s source) Posts(_ context.Context, kind string, size, page int) (agency.PostPage, error) {
	all, found := s.Content().Posts[kind]
	if !found {
		return agency.PostPage{}, agency.ErrNotFound
	}
	posts, last := agency.PageOf(all, page, size)
	return agency.PostPage{Posts: posts, Page: page, LastPage: last}, nil
}

func (s source) Post(_ context.Context, kind, slug string) (agency.Post, error) {
	return find(s.Content().Posts[kind], func(p agency.Post) bool { return p.Slug == slug })
}

func (s source) Entity(_ context.Context, name, _ string) (agency.Entity, error) {
	return find(s.Content().Entities, func(e agency.Entity) bool { return e.Name == name })
}

func (s source) Send(_ context.Context, submission agency.Submission) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := func(earlier agency.Submission) bool { return earlier.ID == submission.ID }
	if !slices.ContainsFunc(s.submissions, known) { // as an inbox does
		s.submissions = append(s.submissions, submission)
	}
	return nil
}

func (s source) Composite(ctx context.Context, _ agency.Talent, file *os.File) error {
	return s.Composites(ctx, []string{"."}, file)
}

func (s source) Composites(_ context.Context, ids []string, file *os.File) error {
	archive := zip.NewWriter(file)
	for _, id := range ids {
		name := path.Join(id, "card.pdf")
		entry, err := archive.Create(name)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprint(entry, strings.Repeat("%PDF-1.7 "+name, 50)); err != nil {
			return err
		}
	}
	return archive.Close()
}
