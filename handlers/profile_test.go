package handlers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/internal/testkit/htmltest"
)

// captions are the texts below the pictures of a profile, and the addresses that they lead to.
func captions(t *testing.T, site http.Handler, path string) (words, links []string) {
	t.Helper()
	page := get(site, path).Body.String()
	const caption = "li > a + p"
	words = slices.DeleteFunc(htmltest.Read(t, page).Words(caption), func(text string) bool { return text == "" })
	return words, htmltest.Read(t, page).Attrs(caption+" a", "href")
}

func TestAPictureIsCreditedToWhoMadeItAndWhoIsInIt(t *testing.T) {
	site := demoSite(t)
	assert.Contains(t, get(site, "/creative/139/paolo-santacroce").Body.String(),
		`alt="“Contraluz”, Model: Awa Diatta, photo 1 of `, "he is not in it")
	words, to := captions(t, site, "/creative/139/paolo-santacroce")
	assert.Equal(t, "01 “Contraluz” · Editorial, 2026 Model: Awa Diatta", words[0])
	assert.Equal(t, "/models/104/awa-diatta", to[0])
	words, to = captions(t, site, "/pt/models/104/awa-diatta")
	assert.Equal(t, []string{"Fotos: Paolo Santacroce · Cliente: Lume"}, words)
	assert.Equal(t, []string{"/pt/creative/139/paolo-santacroce"}, to)
}

func TestACreditLeadsToNobodyWhoMayBeMistakenOrIsAMinor(t *testing.T) {
	talents := []agency.Talent{bornIn(2000, "1"), bornIn(2000, "2"), bornIn(2012, "3")}
	talents[0].Book = []agency.Picture{
		{File: "1.jpg", Credit: agency.Credit{Photographer: "Ana 2", Model: "Ana 3", Client: "Ana 2"}},
		{File: "2.jpg", Credit: agency.Credit{Photographer: "Rui Sá"}},
	}
	words, to := captions(t, rosterSite(t, talents), "/models/1/ana-1")
	assert.Equal(t, []string{"Photographs: Ana 2 · Model: Ana 3 · Client: Ana 2", "Photographs: Rui Sá"}, words)
	assert.Equal(t, []string{"/models/2/ana-2"}, to)
	talents = append(talents, bornIn(2001, "4"))
	talents[3].Name = "ana 2"
	_, to = captions(t, rosterSite(t, talents), "/models/1/ana-1")
	assert.Empty(t, to, "two of that name")
}

func TestGalleriesStandBehindTabs(t *testing.T) {
	talents := []agency.Talent{
		bornIn(2000, "1"), bornIn(2000, "2"), bornIn(2012, "3"),
		bornIn(2000, "4"), bornIn(2000, "5"), bornIn(2000, "6"),
	}
	for i := range talents[:4] {
		talents[i].Book = []agency.Picture{{File: "book.jpg"}}
		talents[i].Snap = []agency.Picture{{File: "snap.jpg"}}
		talents[i].Digital = agency.Digital{
			File: "digital.jpg", Taken: time.Date(2026, time.November, 9, 0, 0, 0, 0, time.UTC),
		}
	}
	talents[1].Video = []agency.Video{{Provider: "vimeo", File: "1"}}
	talents[3].Book, talents[3].Digital.Taken = nil, time.Time{}
	talents[4].Cover, talents[5].Cover = agency.Picture{File: "cover.jpg"}, agency.Picture{}
	site := rosterSite(t, talents)
	shown := func(path string) string {
		page := htmltest.Read(t, get(site, path).Body.String())
		var all []string
		for i, id := range page.Attrs("article [id^=picture-]", "id") {
			src := page.Attr("article #"+id+" img, article img#"+id, "src")
			assert.Equal(t, fmt.Sprint("picture-", i+1), id)
			all = append(all, strings.TrimSuffix(src[strings.LastIndex(src, "/")+1:], ".jpg"))
		}
		all = append(all, "|")
		all = append(all, page.Words("article .tab")...)
		return strings.Join(append(all, page.Words("article .profile-gallery > p")...), " ")
	}
	for path, want := range map[string]string{
		"/models/1/ana-1":                 "book | Book1 Snaps2",
		"/models/1/ana-1?gallery=snap":    "digital snap | Book1 Snaps2 Digitals, November 2026",
		"/models/1/ana-1?gallery=video":   "book | Book1 Snaps2",
		"/pt/models/1/ana-1?gallery=snap": "digital snap | Book1 Snaps2 Digitals, novembro de 2026",
		"/models/2/ana-2":                 "book | Book1 Snaps2 Video1",
		"/models/3/ana-3?gallery=snap":    "snap | Book1 Snaps1 Digitals, November 2026",
		"/models/4/ana-4":                 "digital snap | Snaps2",
		"/models/5/ana-5":                 "cover | Book1",
		"/models/6/ana-6":                 "|",
	} {
		assert.Equal(t, want, shown(path), path)
	}
	assert.Len(t, htmltest.Read(t, get(site, "/models/4/ana-4").Body.String()).Find("article h2 .tab"), 1)
}

// sets is a storage that has two sizes of each picture.
type sets struct {
	storage
	avif bool
}

func (s sets) Sources(agency.Picture, agency.Crop, bool) agency.Sources {
	sources := agency.Sources{Src: "/1.jpg", Srcset: "/1.jpg 360w, /2.jpg?a=1&b=2 720w", Width: 720, Height: 960}
	if s.avif {
		sources.AVIF = "/1.avif 360w, /2.avif 720w"
	}
	return sources
}

func TestTheHeadHasTheFirstPictureLoaded(t *testing.T) {
	for avif, want := range map[bool]string{
		true:  `<link rel="preload" as="image" type="image/avif" imagesrcset="/1.avif 360w, /2.avif 720w" imagesizes="`,
		false: `<link rel="preload" as="image" imagesrcset="/1.jpg 360w, /2.jpg?a=1&amp;b=2 720w" imagesizes="`,
	} {
		site := demoSite(t, func(s *handlers.Services) { s.Site.Pictures = sets{avif: avif} })
		for _, path := range []string{"/models/women", "/models/101/benedita-nascimento"} {
			assert.Contains(t, get(site, path).Body.String(), want, path)
		}
		kid := links(t, site, "/models/kids", cardLink)[0]
		assert.NotContains(t, get(site, kid).Body.String(), `as="image"`, "a minor's picture waits for the visit")
	}
}

// What finds links.
const (
	cardLink = "[data-talent] h2 a"
	nameLink = "a[id^=t][href*='models/']"
	backLink = ".walk div a:last-child"
)

// links are the addresses of the links that a selector finds on a page.
func links(t *testing.T, site http.Handler, path, selector string) []string {
	t.Helper()
	w := get(site, path)
	require.Equal(t, http.StatusOK, w.Code, path)
	return htmltest.Read(t, w.Body.String()).Attrs(selector, "href")
}

func withoutQuery(address string) string {
	path, _, _ := strings.Cut(address, "?")
	return path
}

func TestAProfileOpenedFromAListLinksToItsNeighbours(t *testing.T) {
	site := demoSite(t)
	for name, test := range map[string]struct {
		list, words, cards string
	}{
		"a board":           {"/models/women", "Women", cardLink},
		"a letter":          {"/pt/mulheres?letter=A", "Mulheres, A", cardLink},
		"the talent's own":  {"/models", "Models", cardLink},
		"creatives":         {"/creative", "Creative", cardLink},
		"children":          {"/models/kids", "Kids", cardLink},
		"a search":          {"/models/women?height_from=175&height_to=180", "Women, 175–180 cm", cardLink},
		"in Portuguese":     {"/pt/mulheres?hair=brown", "Mulheres, cabelo: castanho", cardLink},
		"a contact sheet":   {"/models/men?view=sheet", "Men", cardLink},
		"an index of names": {"/models?view=names", "Models", nameLink},
	} {
		t.Run(name, func(t *testing.T) {
			cards := links(t, site, test.list, test.cards)
			require.Greater(t, len(cards), 2)
			for i, address := range cards[:min(3, len(cards)-1)] {
				body := get(site, address).Body.String()
				assert.Contains(t, htmltest.Read(t, body).Words(backLink + " span")[0], " · "+test.words,
					"the page shows the position in the list")
				assert.Equal(t, cards[i+1], htmltest.Read(t, body).Attr("a[rel=next]", "href"))
				if i > 0 {
					assert.Equal(t, cards[i-1], htmltest.Read(t, body).Attr("a[rel=prev]", "href"))
				} else {
					assert.Empty(t, htmltest.Read(t, body).Find("a[rel=prev]"))
				}
				back, anchor, _ := strings.Cut(htmltest.Read(t, body).Attr(backLink, "href"), "#")
				assert.Equal(t, test.list, back)
				assert.NotEmpty(t, htmltest.Read(t, get(site, back).Body.String()).Find("#"+anchor),
					"the back link's anchor exists in the list")
				canonical := htmltest.Read(t, body).Attr("link[rel=canonical]", "href")
				assert.Equal(t, "https://best.example"+withoutQuery(address), canonical)
			}
		})
	}
}

func TestTheBackLinkShowsTheListUpToTheTalent(t *testing.T) {
	site := demoSite(t)
	cards := links(t, site, "/models?view=sheet&show=40", cardLink)
	require.Greater(t, len(cards), 30)
	for at, show := range map[int]string{23: "", 24: "40"} {
		back := links(t, site, cards[at], backLink)[0]
		address, err := url.Parse(back)
		require.NoError(t, err)
		assert.Equal(t, show, address.Query().Get("show"), "the back link shows enough of the list for frame %d", at+1)
	}
}
