package handlers_test

import (
	"net/http"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/testkit/htmltest"
	"zedcard/static"
)

var className = regexp.MustCompile(`\.((?:\\.|[\w-])+)`)

// classes are the classes that a style sheet has rules for.
func classes(t *testing.T, site http.Handler, sheet string) map[string]bool {
	t.Helper()
	answer := get(site, static.URL(sheet))
	require.Equal(t, http.StatusOK, answer.Code, sheet)
	all := map[string]bool{}
	for _, match := range className.FindAllStringSubmatch(answer.Body.String(), -1) {
		all[strings.ReplaceAll(match[1], `\`, "")] = true
	}
	return all
}

// TestAPageHasTheStyleSheetOfItsViews: each sheet has the classes of some views (scripts/build.mjs), and what a view
// shows of another must be among them.
func TestAPageHasTheStyleSheetOfItsViews(t *testing.T) {
	site := demoSite(t)
	sheets, styled := map[string]map[string]bool{}, map[string]bool{}
	for _, sheet := range strings.Fields("home talents text form lineup") {
		sheets[sheet] = classes(t, site, sheet+".css")
		for class := range sheets[sheet] {
			styled[class] = true
		}
	}
	for address := range strings.FieldsSeq(`/ /models /models/women /models?view=sheet /models?view=names /creative
		/models/women?height_from=170&hair=brown /models?letter=Q&q=zzz /models/101/benedita-nascimento
		/models/101/benedita-nascimento?gallery=snap /models/106/elodie-carpentier?gallery=video
		/creative/139/paolo-santacroce /about /future-face /privacy /safety /likeness /blog /blog/editorial
		/blog/news/a-primeira-temporada-de-adaeze /contact /contact?ids=101,106 /be-a-model /favorites
		/favorites?ids=101,106,118 /favorites/compare?ids=101,106,118 /guardian /nobody/nowhere/at-all`) {
		answer := get(site, address)
		require.Contains(t, []int{http.StatusOK, http.StatusNotFound}, answer.Code, address)
		page := htmltest.Read(t, answer.Body.String())
		sheet, _, _ := strings.Cut(path.Base(page.Attr("link[data-sheet]", "href")), "-")
		for _, list := range page.Attrs("[class]", "class") {
			for class := range strings.FieldsSeq(list) {
				assert.True(t, sheets[sheet][class] || !styled[class], address+": "+class+" in "+sheet)
			}
		}
	}
}
