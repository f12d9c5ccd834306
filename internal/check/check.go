// Package check finds the faults of configuration, texts, database, content folder and back ends without serving.
package check

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/app"
	"zedcard/internal/backend/embedded"
	"zedcard/internal/catalog"
	"zedcard/internal/config"
	"zedcard/internal/database"
	"zedcard/internal/folder"
	"zedcard/internal/intake"
	"zedcard/internal/pagecache"
	"zedcard/internal/routes"
	"zedcard/views"
	"zedcard/views/ui"
)

// contentTimeout bounds the reading of pages, posts and their links.
const contentTimeout = 30 * time.Second

// Report is what a check found. Remarks are about the content folder, notes about everything else.
// Neither is a problem.
type Report struct{ Problems, Remarks, Notes []string }

// Run checks everything. It writes nothing.
func Run(ctx context.Context, c config.Config) Report {
	faults := append(i18n.Check(), unwritable(ctx, c)...)
	decided := c.Site(embedded.ReadSite(app.ContentFolder(c)))
	unset, toDo := opening(c, decided)
	faults = append(faults, unset...)
	remarks := slices.Clone(c.Unknown)
	if c.Public() && c.ContentDir != "" {
		for _, left := range embedded.LeftOfDemo(app.ContentFolder(c)) {
			if !left.Remark { // readContent finds the texts in brackets
				faults = append(faults, contentPath(c, left.String()))
			}
		}
	}
	if c.Embedded() || c.ContentDir != "" {
		for _, fault := range embedded.Check(app.ContentFolder(c), !c.Embedded()) {
			if fault.Remark {
				remarks = append(remarks, contentPath(c, fault.String()))
			} else {
				faults = append(faults, contentPath(c, fault.String()))
			}
		}
	}
	gone, of, _, err := embedded.Vanished(app.ContentFolder(c), embedded.Config{KeepDir: app.KeepDir(c)})
	if gone > 0 && err == nil {
		faults = append(faults, contentPath(c, embedded.HeldFault(gone, of).String()))
	}
	backEnds, err := app.OpenBackEnds(c, slog.New(slog.DiscardHandler), nil, nil)
	if err != nil {
		return Report{append(faults, err.Error()), remarks, nil}
	}
	refused := backEnds.SignIn(ctx)
	for _, err := range refused {
		faults = append(faults, err.Error())
	}
	if len(refused) > 0 {
		return Report{faults, remarks, nil} // nothing else can be read
	}
	notes, failed := timeBackEnds(ctx, backEnds)
	if len(failed) > 0 {
		return Report{append(faults, failed...), remarks, notes} // reading from it would fail likewise
	}
	ctx, cancel := context.WithTimeout(ctx, contentTimeout)
	defer cancel()
	content := catalog.New(backEnds.Panel, backEnds.Integration, catalog.Options{})
	defer content.Close()
	faults = append(faults, pictureProblems(ctx, c, backEnds, content)...)
	notes = append(notes, categoryNotes(ctx, c, backEnds)...)
	problems, blanks := readContent(ctx, c, decided, backEnds.Integration, content)
	notes = append(notes, toDo...)
	for _, blank := range blanks {
		notes = append(notes, "to do: "+blank)
	}
	return Report{append(faults, problems...), remarks, notes}
}

// timeBackEnds notes how long each back end took for the content that every page needs.
func timeBackEnds(ctx context.Context, backEnds app.BackEnds) (notes, faults []string) {
	for _, read := range []struct {
		what string
		read func() error
	}{
		{"integration: the list of talents", func() error { _, err := backEnds.Integration.Talents(ctx); return err }},
		{"panel: the slides", func() error { _, err := backEnds.Panel.Slides(ctx, "home"); return err }},
	} {
		started := time.Now()
		if err := read.read(); err != nil {
			faults = append(faults, err.Error())
			continue
		}
		notes = append(notes, fmt.Sprintf("%s took %s", read.what, time.Since(started).Round(time.Millisecond)))
	}
	return notes, faults
}

// categoryNotes say of each category of the roster whether it is read as one of minors.
func categoryNotes(ctx context.Context, c config.Config, backEnds app.BackEnds) (notes []string) {
	talents, err := backEnds.Integration.Talents(ctx)
	if err != nil {
		return nil // timeBackEnds has said so
	}
	for _, talent := range talents {
		for _, category := range talent.Categories {
			reading := "not of minors"
			if c.MinorCategories.Contains(category) {
				reading = "of minors"
			}
			note := fmt.Sprintf("category %d %q: %s", category.ID, category.Name, reading)
			if _, settled := c.MinorCategories.Settled(category); settled {
				note += ", as MINOR_CATEGORIES says"
			}
			notes = append(notes, note)
		}
	}
	slices.Sort(notes)
	return slices.Compact(notes)
}

// unwritable lists faults of the places that the site must be able to write to.
func unwritable(ctx context.Context, c config.Config) []string {
	var faults []string
	if err := database.Check(ctx, string(c.DatabaseURL)); err != nil {
		faults = append(faults, c.SettingError("DATABASE_URL", err).Error())
	}
	if err := folder.Writable(c.DataDir); err != nil {
		faults = append(faults, c.SettingError("DATA_DIR", err).Error())
	}
	return faults
}

// contentPath prefixes a file's name, or a line that begins with one, with the content folder.
func contentPath(c config.Config, text string) string {
	if c.ContentDir == "" {
		return text
	}
	return strings.TrimRight(c.ContentDir, "/") + "/" + text
}

// readContent reads the pages and posts that the back ends give, and follows their links through
// a site that shows no pictures and takes no forms.
func readContent(
	ctx context.Context, c config.Config, decided agency.Site, composites handlers.Composites, content *catalog.Catalog,
) (problems, placeholders []string) {
	log := slog.New(slog.DiscardHandler)
	kinds, _ := decided.BlogKinds()
	keys := func(context.Context) ([][]byte, error) { return [][]byte{make([]byte, 32)}, nil } // no form is submitted
	site, _ := handlers.New(handlers.Services{
		Site: views.Site{
			BaseURL: c.BaseURL, BlogTypes: kinds, BlogLang: decided.BlogLang,
			Pictures: rawPictures{}, Slides: rawPictures{},
		},
		Pictures: rawPictures{}, Catalog: content, Composites: composites, Now: time.Now, Log: log,
		Keys: keys, Intake: intake.New(nil, keys, intake.Options{Log: log}),
		HTTPS:  func(*http.Request) bool { return false },
		Client: func(*http.Request) string { return "" },
	})
	var foreign []string
	if c.Public() {
		foreign = []string{agency.DemoDomain, agency.DemoPhone}
	}
	texts := reader{
		content: content, foreign: foreign, pages: handlers.Entities, optional: []string{catalog.Safety},
		langs: i18n.Codes(), types: kinds,
		status: func(path string) int {
			if mistyped(path) {
				return http.StatusNotFound
			}
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, path, nil)
			if err != nil {
				return http.StatusBadRequest
			}
			var answer pagecache.Buffer
			site.ServeHTTP(&answer, r)
			status, _, _ := answer.Result()
			return status
		},
		linksOnly: c.Embedded(), // embedded.Check names the pictures
		locate:    placeIn(c),
	}
	return texts.read(ctx)
}

// mistyped reports whether an address is probably mistyped: under /pt and /es any word shows the list of all talents,
// which no link means.
func mistyped(address string) bool {
	path, _, _ := strings.Cut(address, "?")
	matchesAnyWord := false
	for _, route := range routes.All() {
		before, _, open := strings.Cut(route.Pattern, "{anything}")
		word, ok := strings.CutPrefix(path, before)
		switch {
		case route.Pattern == path:
			return false
		case open && ok && word != "" && !strings.Contains(word, "/"):
			matchesAnyWord = true
		}
	}
	return matchesAnyWord
}

// placeIn finds the file of a text in the content folder, and the line of words in it. External back ends have no
// files.
func placeIn(c config.Config) func(place, string) string {
	if !c.Embedded() {
		return nil
	}
	content := app.ContentFolder(c)
	return func(location place, words string) string {
		files := []string{"pages/" + location.page + "." + location.lang + ".md", "pages/" + location.page + ".md"}
		if location.page == "" {
			files = []string{"posts/" + location.kind + "/" + location.slug + ".md"}
		}
		for _, file := range files {
			text, err := fs.ReadFile(content, file)
			if err != nil {
				continue
			}
			words = strings.TrimPrefix(words, "/storage/")
			before, _, found := strings.Cut(string(text), words)
			if words == "" || !found {
				return contentPath(c, file)
			}
			return contentPath(c, file) + ":" + strconv.Itoa(1+strings.Count(before, "\n"))
		}
		if c.ContentDir == "" {
			return ""
		}
		return "CONTENT_DIR: " + c.ContentDir + ": " + location.String()
	}
}

// rawPictures gives pictures the names from the back end as addresses.
type rawPictures struct{}

func (rawPictures) Sources(picture agency.Picture, _ ui.Shape, _ bool) ui.Sources {
	return ui.Sources{Src: picture.File}
}

func (rawPictures) Prefetch(agency.Picture, ui.Shape) {}

func (rawPictures) JPEG(context.Context, agency.Picture, ui.Shape) ([]byte, error) {
	return nil, agency.ErrUnavailable
}
