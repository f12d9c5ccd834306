package handlers_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	cardLink      = regexp.MustCompile(`(?s)data-talent="\d+".*?<h2.*?href="([^"]+)"`)
	nameLink      = regexp.MustCompile(`href="(/models/\d+/[^"]+)" id="t\d+"`)
	rowWords      = regexp.MustCompile(`(?s)data-back="list".*?<span[^>]*>(.*?)</span>`)
	rowBack       = regexp.MustCompile(`href="([^"]+)" data-back="list"`)
	canonicalLink = regexp.MustCompile(`rel="canonical" href="([^"?]+)"`)
	neighbour     = regexp.MustCompile(`href="([^"]+)" rel="(prev|next)"`)
)

// links are the addresses that a pattern finds on a page.
func links(t *testing.T, site http.Handler, path string, pattern *regexp.Regexp) []string {
	t.Helper()
	w := get(site, path)
	require.Equal(t, http.StatusOK, w.Code, path)
	var all []string
	for _, match := range pattern.FindAllStringSubmatch(w.Body.String(), -1) {
		all = append(all, html.UnescapeString(match[1]))
	}
	return all
}

func withoutQuery(address string) string {
	path, _, _ := strings.Cut(address, "?")
	return path
}

func TestAProfileOpenedFromAListLinksToItsNeighbours(t *testing.T) {
	site := demoSite(t)
	for name, test := range map[string]struct {
		list, words string
		cards       *regexp.Regexp
	}{
		"a board":           {"/models/women", "Women", cardLink},
		"a letter":          {"/pt/mulheres?letter=A", "Mulheres, A", cardLink},
		"the talent's own":  {"/models", "Models", cardLink},
		"creatives":         {"/creative", "Creative", cardLink},
		"children":          {"/models/kids", "Kids", cardLink},
		"a search":          {"/models/women?height_from=175&height_to=180", "Women, 175–180\u00a0cm", cardLink},
		"in Portuguese":     {"/pt/mulheres?hair=brown", "Mulheres, cabelo: castanho", cardLink},
		"a contact sheet":   {"/models/men?view=sheet", "Men", cardLink},
		"an index of names": {"/models?view=names", "Models", nameLink},
	} {
		t.Run(name, func(t *testing.T) {
			cards := links(t, site, test.list, test.cards)
			require.Greater(t, len(cards), 2)
			for i, address := range cards[:min(3, len(cards)-1)] {
				body := get(site, address).Body.String()
				words := html.UnescapeString(rowWords.FindStringSubmatch(body)[1])
				assert.Contains(t, words, " · "+test.words, "the page shows the position in the list")
				to := map[string]string{}
				for _, match := range neighbour.FindAllStringSubmatch(body, -1) {
					to[match[2]] = html.UnescapeString(match[1])
				}
				assert.Equal(t, cards[i+1], to["next"])
				if i > 0 {
					assert.Equal(t, cards[i-1], to["prev"])
				} else {
					assert.NotContains(t, to, "prev")
				}
				back, anchor, _ := strings.Cut(html.UnescapeString(rowBack.FindStringSubmatch(body)[1]), "#")
				assert.Equal(t, test.list, back)
				assert.Contains(t, get(site, back).Body.String(), `id="`+anchor+`"`,
					"the back link's anchor exists in the list")
				assert.True(t, strings.HasSuffix(canonicalLink.FindStringSubmatch(body)[1], withoutQuery(address)))
			}
		})
	}
}

func TestTheBackLinkShowsTheListUpToTheTalent(t *testing.T) {
	site := demoSite(t)
	cards := links(t, site, "/models?view=sheet&show=40", cardLink)
	require.Greater(t, len(cards), 30)
	for at, show := range map[int]string{23: "", 24: "40"} {
		back := links(t, site, cards[at], rowBack)[0]
		address, err := url.Parse(back)
		require.NoError(t, err)
		assert.Equal(t, show, address.Query().Get("show"), "the back link shows enough of the list for frame %d", at+1)
	}
}

func TestAnInvalidListInAProfilesAddressIsIgnored(t *testing.T) {
	site := demoSite(t)
	woman := withoutQuery(links(t, site, "/models/women?view=sheet", cardLink)[0])
	for _, query := range []string{
		"list=nowhere", "list=men&view=sheet", "list=women&q=nobody+is+called+this", "list=", "list=anything",
		"list=creative",
	} {
		body := get(site, woman+"?"+query).Body.String()
		assert.Equal(t, "/models", withoutQuery(strings.Split(rowBack.FindStringSubmatch(body)[1], "#")[0]), query)
		assert.NotContains(t, body, "list=", "an invalid list is not passed on to links")
	}
}

func TestGalleryLinksKeepTheList(t *testing.T) {
	site := demoSite(t)
	first := links(t, site, "/models/women?view=sheet", cardLink)[0]
	for _, tab := range links(t, site, first, regexp.MustCompile(`href="([^"]*gallery=[^"]*)"`)) {
		assert.Contains(t, tab, "list=women")
		assert.Contains(t, get(site, tab).Body.String(), `data-back="list"`)
	}
}

func TestCardsOfAWholeBoardLeadToTheProfilesOwnAddress(t *testing.T) {
	site := demoSite(t)
	for _, path := range []string{"/models", "/models/kids"} {
		for _, address := range links(t, site, path, cardLink) {
			assert.NotContains(t, address, "?", path)
		}
	}
}
