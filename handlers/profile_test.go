package handlers_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/views/ui"
)

var measure = regexp.MustCompile(`data-measure="([a-z]+)"`)

func measures(page string) []string {
	var names []string
	for _, match := range measure.FindAllStringSubmatch(page, -1) {
		names = append(names, match[1])
	}
	return names
}

func TestMeasuresAreShownInOrderWithBothUnits(t *testing.T) {
	page := get(demoSite(t), "/pt/models/101/benedita-nascimento").Body.String()
	assert.Equal(t, []string{"height", "bust", "waist", "suit", "hips", "shoes", "hair", "eyes"}, measures(page))
	has(t, page,
		"Busto", "Manequim", ">179<", "\u00a0cm<", "5′10½″", "EU\u00a036", "EU\u00a039", "Preto", "Castanho escuro")
}

func TestAPictureIsCreditedToWhoMadeItAndWhoIsInIt(t *testing.T) {
	site := demoSite(t)
	for address, wanted := range map[string][]string{
		"/creative/139/paolo-santacroce": {
			`data-credit="“Contraluz” · Photographs: Paolo Santacroce · Model: Awa Diatta"`,
			">Model: Awa Diatta</span>",
			"“Contraluz” · Photographs: Paolo Santacroce · Model: Awa Diatta</li>",
		},
		"/creative":                 {">Photographs: Paolo Santacroce</span>", ">Model: Mercè Puigdomènech</span>"},
		"/models/104/awa-diatta":    {"2. Photographs: Paolo Santacroce · Client: Lume</li>"},
		"/pt/models/104/awa-diatta": {"2. Fotos: Paolo Santacroce · Cliente: Lume</li>"},
	} {
		has(t, get(site, address).Body.String(), wanted...)
	}
}

func TestAProfileLeadsToTheInstagramOfAnAdult(t *testing.T) {
	talents := []agency.Talent{bornIn(2000, "1"), bornIn(2000, "2"), bornIn(2012, "3")}
	talents[0].Instagram = "https://www.instagram.com/ana.silva/?hl=pt"
	talents[1].Instagram, talents[2].Instagram = `"><script>`, "@cleo"
	site := rosterSite(t, talents)
	assert.Regexp(t, `<a [^>]*href="https://www.instagram.com/ana.silva/"[^>]*>Instagram @ana.silva</a>`,
		get(site, "/models/1/ana-1").Body.String())
	for _, path := range []string{"/models/2/ana-2", "/models/3/ana-3"} {
		assert.NotContains(t, get(site, path).Body.String(), "instagram.com", path)
	}
}

func TestAMinorsPageShowsFourMeasuresAndKeepsPicturesOutOfSearch(t *testing.T) {
	minor := []agency.Talent{{
		// 18 tomorrow
		ID: "7", Name: "Ana", Gender: agency.Woman, Categories: models,
		Birthdate: time.Date(2008, time.November, 22, 0, 0, 0, 0, time.UTC),
		Measures: agency.Measures{
			Height: "170", Bust: "80", Waist: "60", Suit: "36", Hips: "88", Shoes: "38", Hair: "Black", Eyes: "Green",
		},
	}}
	safe := get(rosterSite(t, minor), "/models/7/ana").Body.String()
	assert.Equal(t, []string{"height", "shoes", "hair", "eyes"}, measures(safe))
	assert.Contains(t, safe, `content="noimageindex"`)
	full := rosterSite(t, minor, func(s *handlers.Services) { s.FullMeasures = true })
	assert.Len(t, measures(get(full, "/models/7/ana").Body.String()), 8)
}

func TestACardShowsAPictureOfTheBookAndASnapBesideItsCover(t *testing.T) {
	site := demoSite(t)
	const profile = "/models/101/benedita-nascimento"
	for _, prefix := range []string{"", "/pt", "/es"} {
		answer := get(site, prefix+profile+"/frames")
		require.Equal(t, http.StatusOK, answer.Code, prefix)
		frames := strings.Split(answer.Body.String(), "data-frame")[1:]
		require.Len(t, frames, 3, prefix)
		assert.NotContains(t, frames[0], "<img", "the cover is not repeated in the frames")
		for _, frame := range frames[1:] {
			assert.Equal(t, 1, strings.Count(frame, "<img"))
			assert.Contains(t, frame, `loading="lazy"`, "pictures load only when shown")
		}
		assert.Contains(t, answer.Header().Values("X-Robots-Tag"), "noindex")
	}
	assert.Equal(t, http.StatusPermanentRedirect, get(site, "/models/101/somebody/frames").Code)
	assert.Equal(t, http.StatusNotFound, get(site, "/models/999/somebody/frames").Code)
}

// sets is a storage that has two sizes of each picture.
type sets struct {
	storage
	avif bool
}

func (s sets) Sources(agency.Picture, ui.Shape, bool) ui.Sources {
	sources := ui.Sources{Src: "/1.jpg", Srcset: "/1.jpg 360w, /2.jpg?a=1&b=2 720w", Width: 720, Height: 960}
	if s.avif {
		sources.Better = []ui.Set{{Type: "image/avif", Srcset: "/1.avif 360w, /2.avif 720w"}}
	}
	return sources
}

func TestAPageNamesItsFirstPictureForWhoFetchesItEarly(t *testing.T) {
	for avif, want := range map[bool]string{
		true:  "image/avif | /1.avif 360w, /2.avif 720w | (min-width:",
		false: "image/jpeg | /1.jpg 360w, /2.jpg?a=1&b=2 720w | (min-width:",
	} {
		site := demoSite(t, func(s *handlers.Services) { s.Site.Pictures = sets{avif: avif} })
		for _, path := range []string{"/models/women", "/models/101/benedita-nascimento"} {
			assert.Contains(t, get(site, path).Header().Get("First-Picture"), want, path)
		}
		kid := regexp.MustCompile(`/models/\d+/[\w-]+`).FindString(get(site, "/models/kids").Body.String())
		assert.NotContains(t, get(site, kid).Header(), "First-Picture", "a minor's picture waits for the visit")
		assert.NotContains(t, get(site, "/privacy").Header(), "First-Picture")
	}
}

// slowStorage has no picture in time.
type slowStorage struct{ storage }

func (slowStorage) JPEG(context.Context, agency.Picture, ui.Shape) ([]byte, error) {
	return nil, fmt.Errorf("picture: %w", context.DeadlineExceeded)
}

func TestASharePictureThatTakesTooLongIsAskedForAgain(t *testing.T) {
	site := demoSite(t, func(s *handlers.Services) { s.Pictures = slowStorage{} })
	answer := get(site, "/share/talent/101.jpg")
	assert.Equal(t, http.StatusServiceUnavailable, answer.Code, "a picture without the talent would be kept")
	assert.NotEmpty(t, answer.Header().Get("Retry-After"))
}

// shownPictures remembers the pictures of cards.
type shownPictures struct {
	storage
	files *[]string
}

func (s shownPictures) JPEG(_ context.Context, picture agency.Picture, _ ui.Shape) ([]byte, error) {
	*s.files = append(*s.files, picture.File)
	return nil, agency.ErrNotFound
}

func TestASharedShortlistsPictureShowsItsFirstFourAdults(t *testing.T) {
	var files []string
	site := demoSite(t, func(s *handlers.Services) { s.Pictures = shownPictures{files: &files} })
	page := get(site, "/favorites?ids=101,121,102,103,104,105").Body.String()
	const address = "/share/favorites.jpg?ids=101%2C121%2C102%2C103%2C104%2C105"
	assert.Contains(t, page, `property="og:image" content="https://best.example`+address+`"`)
	assert.Equal(t, http.StatusOK, get(site, address).Code)
	assert.Len(t, files, 4)
	for _, file := range files {
		assert.NotContains(t, file, "/210-", "a minor is not shown")
	}
	assert.Equal(t, http.StatusNotFound, get(site, "/share/favorites.jpg?ids=nobody").Code)
	assert.Equal(t, http.StatusNotFound, get(site, "/share/favorites.jpg").Code)
}
