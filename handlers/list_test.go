package handlers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/internal/routes"
	"zedcard/internal/testkit"
	"zedcard/internal/testkit/htmltest"
)

// bornIn is a model who was born in March of a year: one of 2000 is an adult, one of 2012 a minor.
func bornIn(year int, id string) agency.Talent {
	return agency.Talent{
		ID: id, Name: "Ana " + id, Gender: agency.Woman, Cover: agency.Picture{File: "a.jpg"}, Categories: models,
		Birthdate: time.Date(year, time.March, 1, 0, 0, 0, 0, time.UTC),
	}
}

func TestASearchWithFewResultsListsNearMisses(t *testing.T) {
	woman := func(id, name, height, hair string, categories []agency.Category) agency.Talent {
		return agency.Talent{
			ID: id, Name: name, Gender: agency.Woman, Categories: categories,
			Measures: agency.Measures{Height: height, Hair: hair},
		}
	}
	site := rosterSite(t, []agency.Talent{
		woman("1", "Asked For", "177", "Brown", models), woman("2", "A Bit Short", "173.5", "Brown", models),
		woman("3", "A Blonde", "178", "Blonde", models), woman("4", "A Child", "174", "Brown", kids),
	})
	const search = "?height_from=175&height_to=180&hair=brown"
	for path, reasons := range map[string][2]string{
		"/models/women": {"1.5 cm shorter", "With blonde hair instead of brown"},
		"/pt/mulheres":  {"1,5 cm a menos", "Cabelo loiro em vez de castanho"},
		"/es/mujeres":   {"1,5 cm menos", "Cabello rubio en vez de castaño"},
	} {
		page := htmltest.Read(t, get(site, path+search).Body.String())
		assert.Equal(t, []string{"1"}, page.Attrs("[data-talent]", "data-talent"), "near misses are no results")
		near := page.Words("#near article, #near ~ li article")
		require.Len(t, near, 2, path)
		has(t, near[0], "A Bit Short", reasons[0])
		has(t, near[1], "A Blonde", reasons[1])
	}
	nobody := get(site, "/models/women?height_from=175&height_to=176&hair=brown").Body.String()
	has(t, nobody, `id="empty"`, "1\u00a0cm taller")
	for path, heading := range map[string]string{
		"/models/women": "The tallest here", "/pt/mulheres": "A maior altura por aqui",
		"/es/mujeres": "La estatura más alta aquí",
	} {
		page := htmltest.Read(t, get(site, path+"?height_from=200").Body.String())
		assert.Contains(t, page.Text("#near"), heading)
		cards := page.Words("#near article")
		require.Len(t, cards, 1)
		has(t, cards[0], "A Blonde", "22 cm")
	}
	lacks(t, get(site, "/models/women").Body.String(), `id="near"`)
}

func TestABoardNamesItsBooker(t *testing.T) {
	var own []*agency.Group
	for _, group := range boards.Groups() {
		board := *group
		if board.Screen == "women" {
			board.Booker = agency.Booker{Name: "Marta Lima", Phone: "+351 222 000 112"}
		}
		own = append(own, &board)
	}
	site := rosterSite(t, []agency.Talent{bornIn(1999, "1")}, func(s *handlers.Services) {
		s.Site.Boards = agency.NewBoards(own)
		s.Site.Routes = routes.New(texts, s.Site.Boards)
	})
	for _, path := range []string{"/models/women", "/models/women?view=names", "/models/women?q=nobody"} {
		has(t, get(site, path).Body.String(), "Marta Lima", `href="tel:+351222000112"`)
	}
	lacks(t, get(site, "/models").Body.String(), "Marta Lima")
}

// namesOn are the names of an index in their order, each letter before its own.
func namesOn(t *testing.T, site http.Handler, path string) (names []string) {
	t.Helper()
	page := get(site, path).Body.String()
	for _, letter := range htmltest.Read(t, page).Attrs("section[id^=letter-]", "id") {
		names = append(names, letter)
		names = append(names, htmltest.Read(t, page).Words("#"+letter+" b")...)
	}
	return names
}

func TestNamesAreAnIndexOfABoardInTheOrderOfTheLanguage(t *testing.T) {
	var talents []agency.Talent
	for i, name := range []string{
		"Zoë", "Ágata B", "Łucja", "agata A", "Жанна", "Luz", "Ñandú", "Nadia", "Clara",
	} {
		talents = append(talents, agency.Talent{
			ID: fmt.Sprint(i + 1), Name: name, Gender: agency.Woman, Categories: models,
			Measures: agency.Measures{Height: "131", Waist: "57"},
		})
	}
	talents[8].Categories = kids
	site := rosterSite(t, talents)
	assert.Equal(t, []string{
		"letter-A", "agata A", "Ágata B", "letter-L", "Łucja", "Luz", "letter-N", "Nadia", "Ñandú",
		"letter-Z", "Zoë", "letter-other", "Жанна",
	}, namesOn(t, site, "/es/mujeres?view=names"), "kids are listed on the kids board only")
	assert.Equal(t, []string{"letter-N", "Nadia", "Ñandú"}, namesOn(t, site, "/models?view=names&letter=N"))

	children := get(site, "/models/kids?view=names").Body.String()
	assert.Contains(t, children, "Clara")
	assert.NotContains(t, children, ">57<", "a minor's waist is not shown")
	has(t, get(site, "/models/women?view=names").Body.String(),
		`<link rel="canonical" href="https://best.example/models/women">`, `href="#letter-A"`,
		`href="/models/women?subcategory=curve&amp;view=names"`) // filter links keep the view
	assert.NotContains(t, get(site, "/creative?view=names").Body.String(), `view=names`, "creatives have no names view")
}

func TestALongIndexOfNamesHasAPageForEachLetter(t *testing.T) {
	site := rosterSite(t, testkit.Talents(1000))
	page := htmltest.Read(t, get(site, "/models?view=names").Body.String())
	assert.Len(t, page.Find("section"), 1)
	assert.NotEmpty(t, page.Find("a[data-letter][href*='letter='][href$='&view=names']"))
	assert.Less(t, len(namesOn(t, site, "/models?view=names")), 202)
}

func TestAContactSheetHas24FramesMoreAtATime(t *testing.T) {
	site := rosterSite(t, testkit.Talents(100))
	page := get(site, "/models?view=sheet")
	assert.Len(t, talentsOf(t, page), 24)
	has(t, page.Body.String(), ">24A</span>", `href="/models?show=40&amp;view=sheet#n25"`,
		`<link rel="canonical" href="https://best.example/models">`)
	assert.Len(t, talentsOf(t, get(site, "/models?show=40&view=sheet")), 48)
}

func TestAListEndsAtMaxShow(t *testing.T) {
	site := rosterSite(t, testkit.Talents(3*agency.MaxShow))
	assert.Contains(t, get(site, "/models").Body.String(), "/models?show=40")
	for _, path := range []string{"/models?show=2000", "/models?show=2020"} {
		page := get(site, path)
		assert.Len(t, talentsOf(t, page), agency.MaxShow, path)
		lacks(t, page.Body.String(), "show=2020", "show=40")
	}
}

func TestTheResultOfALetterIsSortedByName(t *testing.T) {
	names := htmltest.Read(t, get(demoSite(t), "/models/women?letter=A").Body.String()).Words("h2 a")
	assert.Equal(t, []string{"Adaeze Okonkwo", "Ágata Moreira", "Aïssatou Barry", "Awa Diatta"}, names)
}

// The talents are in Lisbon from 20 to 25 November, but for one.
func TestAStayIsShownAndFoundUntilItsLastDay(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, time.November, n, 0, 0, 0, 0, time.UTC) }
	talents := []agency.Talent{bornIn(2000, "7"), bornIn(2012, "8"), bornIn(2000, "9")}
	for i := range talents[:2] {
		talents[i].Stay = agency.Stay{City: "Lisbon", From: day(20), Until: day(25)}
	}
	for _, c := range []struct {
		today int
		words string
		there bool
	}{
		{19, "In Lisbon from 20 November to 25 November", true},
		{25, "In Lisbon until 25 November", true},
		{26, "Lisbon", false},
	} {
		site := rosterSite(t, talents, func(s *handlers.Services) {
			s.Now = func() time.Time { return day(c.today).Add(23 * time.Hour) }
		})
		board := get(site, "/models").Body.String()
		for _, says := range []bool{
			strings.Contains(board, c.words),
			strings.Contains(get(site, "/models/7/ana-7").Body.String(), c.words),
		} {
			assert.Equal(t, c.there, says, c.today)
		}
		assert.NotContains(t, get(site, "/models/8/ana-8").Body.String(), "Lisbon", "a minor's is nobody's business")
		found := talentsOf(t, get(site, "/models?city=Lisbon"))
		assert.Equal(t, c.there, len(found) == 1, "a minor is not found by their city; over: as if none were asked for")
		assert.Contains(t, found, "7")
	}
}

func TestASlideNamesItsTalentUnlessTheyAreAMinor(t *testing.T) {
	for born, named := range map[int]bool{2000: true, 2015: false} {
		site, _ := fakeSite(t, func(c *testkit.Content) {
			c.Talents = []agency.Talent{bornIn(born, "7")}
			c.Slides = []agency.Slide{
				{Mobile: "m.jpg", Desktop: "d.jpg", Group: 1, Talent: "7"},
				{Mobile: "m.jpg", Desktop: "d.jpg", Group: 2, Talent: "8"},
			}
		})
		home := get(site, "/pt").Body.String()
		assert.Equal(t, named, strings.Contains(home, `<a href="/pt/models/7/ana-7">Ana 7</a>`), born)
		assert.Equal(t, named, strings.Contains(home, "Ana 7"), born)
	}
}
