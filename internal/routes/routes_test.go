package routes

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/i18n"
	"zedcard/internal/agency"
)

var (
	table                        = New(i18n.New(nil, nil), agency.NewBoards(nil))
	english, portuguese, spanish = table.texts.Langs()[0], table.texts.Langs()[1], table.texts.Langs()[2]
)

func TestEveryScreenHasItsAddressInEachLanguage(t *testing.T) {
	for line := range strings.Lines(`home / /pt /es
		models /models /pt/models /es/models
		creative /creative /pt/creative /es/creative
		women /models/women /pt/mulheres /es/mujeres
		men /models/men /pt/homens /es/homens
		fluid /models/fluid /pt/models/fluid /es/models/fluid
		kids /models/kids /pt/models/kids /es/models/kids
		apply /be-a-model /pt/become-a-model /es/become-a-model
		about /about /pt/sobre-nos /es/sobre-nosotros
		contact /contact /pt/contato /es/contact
		future-face /future-face /pt/future-face /es/future-face
		favorites /favorites /pt/favorites /es/favorites
		privacy /privacy /pt/privacy /es/privacy
		blog /blog /pt/blog /es/blog`) {
		want := strings.Fields(line)
		for i, lang := range table.texts.Langs() {
			assert.Equal(t, want[i+1], table.Path(lang, Screen(want[0])))
		}
	}
}

func TestEnglishPathsAndOtherSpellingsAreServedUnderThePrefixes(t *testing.T) {
	served := map[string]Route{}
	for _, route := range table.All() {
		if _, double := served[route.Pattern]; !double {
			served[route.Pattern] = route
		}
	}
	for pattern, want := range map[string]Route{
		"/pt/models/women": {"women", portuguese, "/pt/models/women"},
		"/es/be-a-model":   {Apply, spanish, "/es/be-a-model"},
		"/es/hombres":      {"men", spanish, "/es/hombres"},
		"/pt/about":        {About, portuguese, "/pt/about"},
		"/pt/{anything}":   {AllTalents, portuguese, "/pt/{anything}"},
	} {
		assert.Equal(t, want, served[pattern])
	}
	assert.NotContains(t, served, "/{anything}", "an unknown first segment is an unsupported language")
}

func TestAListsAddressSaysItsFilter(t *testing.T) {
	list, of := table.List, table.ListFilter
	women := of("women")
	assert.Equal(t, "/models/women?subcategory=curve", list(english, women.WithSubcategory("curve")))
	assert.Equal(t, "/pt/mulheres?letter=A", list(portuguese, women.WithLetter("A")))
	assert.Equal(t, "/es/models/kids?subcategory=girls", list(spanish, of("kids").WithSubcategory("girls")))
	assert.Equal(t, "/creative?category=make&show=40", list(english, of(Creative).WithCategory("make").More()))
	assert.Equal(t, "/pt/all?gender=woman", list(portuguese, of(AllTalents).WithGender(agency.Woman)))
	assert.Equal(t, "/models/women", list(english, of(AllTalents).WithGender(agency.Woman)),
		"the English list of women is the women's board")
	assert.Equal(t, women, agency.ParseFilter(of(Models), "", url.Values{"gender": {"woman"}}),
		"the path and the query give the same filter")
}

func TestOtherSpellingsRedirectWithinTheSite(t *testing.T) {
	for path, want := range map[string]string{
		"/en": "/", "/en/": "/", "/en/models": "/models",
		"/en/models/": "/models", "/models/": "/models", "/pt/": "/pt",
	} {
		to, moved := table.Redirect(path)
		assert.True(t, moved, path)
		assert.Equal(t, want, to, path)
	}
	for _, path := range []string{
		"/", "/models", "/pt", "/english", "/en//evil.example", "//evil.example/", "/en/\\evil.example", "/models//",
	} {
		_, moved := table.Redirect(path)
		assert.False(t, moved, path)
	}
}

func TestSlugs(t *testing.T) {
	for name, want := range map[string]string{
		"Ágata Moreira":             "agata-moreira",
		"  Zoë  O’Neill-D'Arc ":     "zoe-oneill-darc",
		"Ørjan Łucja Weiß Þór":      "orjan-lucja-weiss-thor",
		"李小龍":                       "talent",
		"<script>alert(1)</script>": "script-alert-1-script",
		"":                          "talent",
	} {
		assert.Equal(t, want, Slug(name), name)
	}
	assert.LessOrEqual(t, len(Slug(strings.Repeat("Maria ", 100))), 80)
}
