package views

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/routes"
	"zedcard/internal/site"
)

var update = flag.Bool("update", false,
	"write islands/*/server*.html anew; look at the difference before you commit it")

// TestIslandsMatchServerFiles stores the server's markup of every island, with its props, in
// islands/NAME/server.html. A test hydrates it with the component (islands/hydration.test.tsx):
// go test ./views -run Islands -update
func TestIslandsMatchServerFiles(t *testing.T) {
	decided := site.New(agency.Site{Name: "Best Management"})
	shared := Site{Site: decided, BaseURL: "https://best.example", Pictures: pictures{}, Slides: pictures{}}
	page := &Page{Site: &shared, Lang: decided.Texts.First()}
	talent := &agency.Talent{
		ID: "7", Name: "Ágata O’Neill <i>",
		Book: []agency.Picture{
			{
				File: "1.jpg", Width: 720, Height: 1080, Credit: agency.Credit{Photographer: "Paolo Santacroce"},
			}, {File: "2.jpg", Width: 1080, Height: 720}, {File: "3.jpg"},
		},
		Video: []agency.Video{{Provider: "vimeo", File: "1", Preview: "v.jpg"}, {Provider: "youtube", File: "abc"}, {
			Provider: "vimeo", File: "3",
		}},
	}
	book := Profile{Talent: talent, Open: Book}
	kept := Application{KeptPhotos: map[string]KeptPhoto{"image_1": {ID: "k1", Name: "IMG_20260914_1200.jpeg"}}}
	picker := func(a Application) pickerProps {
		return newPickerProps(a, "image_1", "Profile", "From the side", pickerWords(page))
	}
	slides := []Slide{
		{Slide: agency.Slide{Mobile: "1m.jpg", Desktop: "1d.jpg"}, Talent: talent},
		{Slide: agency.Slide{Desktop: "2d.jpg"}},
	}
	for name, island := range map[string]templ.Component{
		"carousel/server":          half(page, routes.Models, "Models", slides, halfPriority(0), false),
		"carousel/server-second":   half(page, routes.Creative, "Creative", slides, halfPriority(1), true),
		"composite/server":         composite(page, talent),
		"gallery/server":           gallery(page, book, Book),
		"photo-picker/server":      photoPicker(page, picker(Application{})),
		"photo-picker/server-kept": photoPicker(page, picker(kept)),
		"share/server":             shareLink(newShareProps(page, talent.Name, page.Routes.Talent(page.Lang, talent))),
		"videos/server":            videos(page, Profile{Talent: talent, Open: Video, Playing: 1}),
	} {
		t.Run(name, func(t *testing.T) {
			var rendered strings.Builder
			// A context for each island, because rendering removes the children from it.
			outline := templ.WithChildren(context.Background(), profileOutline())
			require.NoError(t, island.Render(outline, &rendered))
			found := element.FindString(rendered.String())
			require.NotEmpty(t, found)
			found = hashes.ReplaceAllString(found, "$1.") + "\n"
			file := filepath.Join("..", "islands", name+".html")
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(found), 0o644))
				return
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Equal(t, string(want), found)
		})
	}
}

var (
	element = regexp.MustCompile(`(?s)<zed-island.*</zed-island>`)
	hashes  = regexp.MustCompile(`(/static/[a-z-]+)-[A-Z0-9]{8}\.`) // in the names of built files
)

// pictures has each file in one size and two formats.
type pictures struct{}

func (pictures) Sources(picture agency.Picture, _ agency.Crop, _ bool) agency.Sources {
	file := picture.File
	set := func(kind string) string { return "/media/" + file + "/u360." + kind + " 360w" }
	return agency.Sources{
		Src: "/media/" + file +
			"/u360.jpg", Srcset: set("jpg"), AVIF: set("avif"),
		Width: 360, Height: 540,
	}
}
