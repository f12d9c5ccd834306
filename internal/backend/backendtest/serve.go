package backendtest

import (
	"archive/zip"
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/backend/embedded"
)

// Config has the credentials that the fake accepts.
var Config = embedded.Config{
	PanelSalt: PanelSalt, APIToken: APIToken, IntegrationSalt: IntegrationSalt, APIKey: APIKey,
}

// APIs answers both APIs from the content.
func (f *Fake) APIs() http.Handler {
	config := Config
	config.Now = f.clock
	return embedded.NewAPI(source{f}, config)
}

// source is the content of a fake.
type source struct{ *Fake }

var _ embedded.Source = source{}

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

func (s source) Profile(_ context.Context, id string) (agency.Talent, error) {
	talents := s.Content().Talents
	for i := range talents {
		if talents[i].ID == id { // a copy of each would take most of the time of a large roster
			return talents[i], nil
		}
	}
	return agency.Talent{}, agency.ErrNotFound
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
	from := min((page-1)*size, len(all))
	return agency.PostPage{
		Posts: all[from:min(from+size, len(all))], Page: page, LastPage: max((len(all)+size-1)/size, 1),
	}, nil
}

func (s source) Post(_ context.Context, kind, slug string) (agency.Post, error) {
	posts := s.Content().Posts[kind]
	i := slices.IndexFunc(posts, func(p agency.Post) bool { return p.Slug == slug })
	if i < 0 {
		return agency.Post{}, agency.ErrNotFound
	}
	return posts[i], nil
}

func (s source) Entity(_ context.Context, name, _ string) (agency.Entity, error) {
	entities := s.Content().Entities
	i := slices.IndexFunc(entities, func(e agency.Entity) bool { return e.Name == name })
	if i < 0 {
		return agency.Entity{}, agency.ErrNotFound
	}
	return entities[i], nil
}

func (s source) Send(_ context.Context, submission agency.Submission) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.submissions = append(s.submissions, submission)
	return nil
}

func (s source) Composite(_ context.Context, _ agency.Talent, file *os.File) error {
	return writeZip(file, "card.pdf")
}

func (s source) Composites(_ context.Context, ids []string, file *os.File) error {
	var names []string
	for _, id := range ids {
		names = append(names, id+"/card.pdf")
	}
	return writeZip(file, names...)
}

func writeZip(file *os.File, names ...string) error {
	archive := zip.NewWriter(file)
	for _, name := range names {
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
