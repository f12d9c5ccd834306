package handlers_test

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/picture"
	"zedcard/internal/routes"
	"zedcard/internal/testkit/pdftest"
)

// noPictures has none, so that a pack is made in no time.
type noPictures struct{ storage }

func (noPictures) Print(context.Context, agency.Picture) ([]byte, error) {
	return nil, agency.ErrNotFound
}

func withoutPictures(s *handlers.Services) { s.Pictures = noPictures{} }

// packPages are the words on each page of a pack.
func packPages(t *testing.T, site http.Handler, address string) []string {
	t.Helper()
	answer := get(site, address)
	require.Equal(t, http.StatusOK, answer.Code, address)
	require.Equal(t, "application/pdf", answer.Header().Get("Content-Type"))
	return pdftest.Words(t, answer.Body.Bytes())
}

func TestAPackIsInThePagesLanguage(t *testing.T) {
	for lang, want := range map[i18n.Lang][]string{
		"en":    {"For Łódź & Groß", "THREE FACES · 21 NOVEMBER", "WAIST", "Tell us who"},
		"pt":    {"Para Łódź & Groß", "TRÊS ROSTOS · 21 DE NOVEMBRO", "CINTURA", "Conte quem"},
		"es":    {"Para Łódź & Groß", "TRES ROSTROS · 21 DE NOVIEMBRE", "CINTURA", "Cuéntanos"},
		"fr":    {"Pour Łódź & Groß", "TROIS VISAGES · 21 NOVEMBRE", "TAILLE", "Dites-nous"},
		"pt-PT": {"Para Łódź & Groß", "TRÊS ROSTOS · 21 DE NOVEMBRO", "CINTURA", "Diga-nos"},
	} {
		site := demoSite(t, withoutPictures, func(s *handlers.Services) {
			s.Site.Texts = i18n.New([]i18n.Lang{lang}, nil)
			s.Site.Routes = routes.New(s.Site.Texts, boards)
			s.Site.Address = "Rua São João 148, Lisboa"
		})
		pages := packPages(t, site, "/favorites/pack?ids=104,101,105&for="+url.QueryEscape("Łódź & Groß"))
		require.Len(t, pages, 1+1+3+1, lang)
		has(t, pages[0], want[0], want[1])
		has(t, pages[1], "179", "BENEDITA", "EZEQUIEL")
		has(t, pages[2], want[2], "AWA")
		has(t, pages[5], want[3], "+351 210 000 000", "bookings@best.example", "Rua São João 148",
			"best.example/favorites?")
	}
}

// countedPictures counts what is read of them.
type countedPictures struct {
	noPictures
	read *atomic.Int32
}

func (c countedPictures) Print(ctx context.Context, picture agency.Picture) ([]byte, error) {
	c.read.Add(1)
	return c.noPictures.Print(ctx, picture)
}

func TestAFinishedPackIsKeptAndAClientMayAskForTen(t *testing.T) {
	pictures := countedPictures{read: new(atomic.Int32)}
	site := demoSite(t, func(s *handlers.Services) { s.Pictures = pictures })
	first := get(site, "/favorites/pack?ids=101,104", client, "192.0.2.1").Body.String()
	once := pictures.read.Load()
	assert.Equal(t, first, get(site, "/favorites/pack?ids=101,104", client, "192.0.2.2").Body.String())
	assert.Equal(t, once, pictures.read.Load(), "another one with the same content")
	get(site, "/favorites/pack?ids=104,101", client, "192.0.2.2")
	assert.Greater(t, pictures.read.Load(), once, "another content")
	for range 9 {
		require.Equal(t, http.StatusOK, get(site, "/favorites/pack?ids=101,104", client, "192.0.2.1").Code)
	}
	assert.Equal(t, http.StatusTooManyRequests, get(site, "/favorites/pack?ids=101", client, "192.0.2.1").Code)
	assert.Equal(t, http.StatusOK, get(site, oneCard, client, "192.0.2.1").Code)
}

func TestAPackThatCannotBeMadeSaysSo(t *testing.T) {
	site := demoSite(t, func(s *handlers.Services) { s.Worker = picture.NewWorker("/nowhere") })
	answer := get(site, "/favorites/pack?ids=101,102")
	assert.Equal(t, http.StatusServiceUnavailable, answer.Code)
	assert.NotEmpty(t, answer.Header().Get("Retry-After"))
	has(t, html.UnescapeString(answer.Body.String()), "We can’t prepare the composites right now.")
}

// lostPictures are in a storage that does not answer.
type lostPictures struct{ storage }

func (lostPictures) Print(context.Context, agency.Picture) ([]byte, error) {
	return nil, agency.ErrUnavailable
}

func TestNoPackIsMadeWithoutTheFacesOfAStorageThatIsDown(t *testing.T) {
	site := demoSite(t, func(s *handlers.Services) { s.Pictures = lostPictures{} })
	assert.Equal(t, http.StatusServiceUnavailable, get(site, "/favorites/pack?ids=101,102").Code)
}

// Children, creatives and whoever has no height are not on the wall; each has a card.
func TestWhoIsNotOnThePacksWallIsNamed(t *testing.T) {
	site := demoSite(t, withoutPictures)
	pages := packPages(t, site, "/favorites/pack?ids=101,121,139")
	require.Len(t, pages, 1+1+3+1)
	wall := strings.Join(strings.Fields(pages[1]), " ")
	has(t, wall, "Children are not compared. Left out: Bento Carvalho.", "Left out: Paolo Santacroce.", "BENEDITA")
	lacks(t, wall, "BENTO", "PAOLO")
	has(t, pages[0], "THREE PROFILES")
	has(t, pages[3], "BENTO", "HEIGHT")
	lacks(t, pages[3], "WAIST", "BUST", "CHEST")
	lacks(t, pages[4], "HEIGHT")
	pages = packPages(t, site, "/favorites/pack?ids=121,128")
	require.Len(t, pages, 1+2+1, "without a wall")
	site = rosterSite(t, []agency.Talent{
		{ID: "1", Name: "Ana", Categories: models},
		{ID: "2", Name: "Bia", Categories: models, Measures: agency.Measures{Height: "99999999999"}},
		{ID: "3", Name: "Cai", Categories: models, Measures: agency.Measures{Height: "180"}},
	}, withoutPictures)
	has(t, packPages(t, site, "/favorites/pack?ids=1,2,3")[1], "Height not given: Ana, Bia.")
}

func TestAPackAsksTheProfileWhoIsAMinor(t *testing.T) {
	site := siteOver(t, agesInProfiles(`"31.12.2012"`, `"1990-05-01"`), withoutPictures)
	pages := packPages(t, site, "/favorites/pack?ids=1,2")
	text := strings.Join(pages, "")
	assert.Equal(t, 1, strings.Count(text, secretWaist), "the adult's")
	assert.NotContains(t, pages[2], secretWaist)
}

func TestALongPackSaysHowManyItLeavesOut(t *testing.T) {
	var talents []agency.Talent
	var ids []string
	for i := range 42 {
		ids = append(ids, fmt.Sprint(i+1))
		talents = append(talents, agency.Talent{
			ID: ids[i], Name: "Ana", Categories: models,
			Measures: agency.Measures{Height: fmt.Sprint(160 + i)},
		})
	}
	pages := packPages(t, rosterSite(t, talents, withoutPictures), "/favorites/pack?ids="+strings.Join(ids, ","))
	assert.Len(t, pages, 1+10+40+1)
	has(t, pages[0], "40 FACES")
	has(t, strings.Join(strings.Fields(pages[1]), " "), "2 more profiles on this shortlist are not shown.")
}
