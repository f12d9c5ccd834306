package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/backend/embedded"
	"zedcard/internal/catalog"
	"zedcard/internal/config"
	"zedcard/internal/proof"
	"zedcard/internal/routes"
	"zedcard/views"
	"zedcard/views/ui"
)

// sources are those that ask for texts, so that the program can tell where each is used.
//
//go:embed views/*.go views/*.templ views/ui/*.go views/ui/*.templ handlers/*.go internal/forms/*.go internal/measures/*.go internal/compcard/*.go internal/photo/*.go internal/routes/*.go islands
var sources embed.FS

// checkWithin is how long check waits for the back ends.
const checkWithin = 30 * time.Second

// check names every fault that can be found without serving.
func check(ctx context.Context, p program) error {
	c, err := config.Load(p.args, p.env)
	if errors.Is(err, flag.ErrHelp) || errors.Is(err, config.ErrUsage) {
		return err
	}
	var faults []string
	if err != nil {
		faults = strings.Split(err.Error(), "\n")
	} else {
		faults = checkParts(ctx, c)
	}
	for _, fault := range faults {
		if _, err := fmt.Fprintln(p.stdout, fault); err != nil {
			return err
		}
	}
	if len(faults) > 0 {
		return errFaults
	}
	_, err = fmt.Fprintln(p.stdout, "no faults")
	return err
}

func checkParts(ctx context.Context, c config.Config) []string {
	faults := append(i18n.Check(sources), checkPlaces(ctx, c)...)
	var content []embedded.Fault
	if c.Embedded() || c.ContentDir != "" {
		content = embedded.Check(contentFolder(c))
	}
	for _, fault := range content {
		faults = append(faults, inContent(c, fault.String()))
	}
	ends, err := openBackEnds(c, slog.New(slog.DiscardHandler), nil)
	switch {
	case err != nil && len(content) > 0: // which are why
		return faults
	case err != nil:
		return append(faults, err.Error())
	}
	within, cancel := context.WithTimeout(ctx, checkWithin)
	defer cancel()
	refused := ends.trySignIn(within)
	for _, err := range refused {
		faults = append(faults, err.Error())
	}
	if len(refused) > 0 {
		return faults // nothing more can be read
	}
	faults = append(faults, checkImageServer(within, c, ends)...)
	return append(faults, checkContent(within, c, ends)...)
}

// checkContent reads the pages and posts that the back ends give, and follows their links through
// a site that shows no pictures and takes no forms.
func checkContent(ctx context.Context, c config.Config, ends backEnds) []string {
	log := slog.New(slog.DiscardHandler)
	kept := catalog.New(ends.panel, ends.integration, catalog.Options{Log: log})
	defer kept.Close()
	site, _ := handlers.New(handlers.Services{
		Site:    views.Site{BaseURL: c.BaseURL, BlogTypes: c.BlogTypes, Pictures: asTheyCome{}, Slides: asTheyCome{}},
		Catalog: kept, Composites: ends.integration, Now: time.Now, Log: log,
		Keys:  func(context.Context) ([][]byte, error) { return [][]byte{make([]byte, 32)}, nil }, // nothing is sent
		HTTPS: func(*http.Request) bool { return false },
	})
	return proof.Reader{
		Content: kept,
		Pages:   handlers.Entities, Langs: languages(), Types: c.BlogTypes, Posts: handlers.MostPosts,
		Status: func(path string) int {
			if mistyped(path) {
				return http.StatusNotFound
			}
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, path, nil)
			if err != nil {
				return http.StatusBadRequest
			}
			answer := statusOnly{header: http.Header{}, status: http.StatusOK}
			site.ServeHTTP(&answer, r)
			return answer.status
		},
		LinksOnly: c.Embedded(), // embedded.Check names the pictures
		Place:     placeIn(c),
	}.Faults(ctx)
}

// mistyped reports whether an address is none of the site's own: under /pt and /es any word shows
// the list of everybody, which is not what a link to it can mean.
func mistyped(address string) bool {
	path, _, _ := strings.Cut(address, "?")
	anything := false
	for _, route := range routes.All() {
		before, _, open := strings.Cut(route.Pattern, "{anything}")
		word, under := strings.CutPrefix(path, before)
		switch {
		case route.Pattern == path:
			return false
		case open && under && word != "" && !strings.Contains(word, "/"):
			anything = true
		}
	}
	return anything
}

// placeIn finds the file of a text in the content folder, and the line of words in it. Back ends
// elsewhere have no files.
func placeIn(c config.Config) func(proof.Text, string) string {
	if !c.Embedded() {
		return nil
	}
	folder := contentFolder(c)
	return func(of proof.Text, words string) string {
		files := []string{"pages/" + of.Page + "." + of.Lang + ".md", "pages/" + of.Page + ".md"}
		if of.Page == "" {
			files = []string{"posts/" + of.Type + "/" + of.Slug + ".md"}
		}
		for _, file := range files {
			text, err := fs.ReadFile(folder, file)
			if err != nil {
				continue
			}
			words = strings.TrimPrefix(words, "/storage/")
			before, _, found := strings.Cut(string(text), words)
			if words == "" || !found {
				return inContent(c, file)
			}
			return inContent(c, file) + ":" + strconv.Itoa(1+strings.Count(before, "\n"))
		}
		if c.ContentDir == "" {
			return ""
		}
		return "CONTENT_DIR: " + c.ContentDir + ": " + of.String()
	}
}

func languages() []string {
	var all []string
	for _, lang := range i18n.Langs {
		all = append(all, string(lang))
	}
	return all
}

// asTheyCome shows pictures by the name that a back end gives them.
type asTheyCome struct{}

func (asTheyCome) Sources(file string, _ ui.Shape, _ bool) ui.Sources { return ui.Sources{Src: file} }

func (asTheyCome) Expect(string, ui.Shape) {}

// statusOnly is an answer of which only the status counts.
type statusOnly struct {
	header http.Header
	status int
}

func (s *statusOnly) Header() http.Header         { return s.header }
func (s *statusOnly) Write(p []byte) (int, error) { return len(p), nil }
func (s *statusOnly) WriteHeader(status int)      { s.status = status }
