package i18n_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/i18n"
)

// polish are the texts of a site in Polish.
func polish(texts map[string]string) *i18n.Language {
	own := map[string]i18n.Override{}
	for key, text := range texts {
		own[key] = i18n.Override{Text: text}
	}
	return i18n.New([]i18n.Lang{"pl"}, i18n.Overrides{"pl": own}).First()
}

func TestATextWithANumberHasTheFormOfItsLanguage(t *testing.T) {
	pl := polish(map[string]string{
		"list.count.one": "{n} modelka", "list.count.few": "{n} modelki", "list.count.many": "{n} modelek",
	})
	for n, want := range map[int]string{
		0: "0 modelek", 1: "1 modelka", 3: "3 modelki", 8: "8 modelek", 12: "12 modelek", 22: "22 modelki",
		1_000_000: "1\u00a0000\u00a0000 modelek",
	} {
		assert.Equal(t, want, pl.N("list.count", n))
	}
	half := polish(map[string]string{"list.count.one": "{n} modelka", "list.count.many": "{n} modelek"})
	assert.Equal(t, "3 modelek", half.N("list.count", 3), "a form that is missing is the general one")
	assert.Equal(t, "3 profiles", polish(nil).N("list.count", 3), "or the English")
	for lang, want := range map[i18n.Lang]string{
		"en": "0 profiles", "fr": "0 profil", "pt": "0 perfil", "pt-PT": "0 perfis",
	} {
		assert.Equal(t, want, i18n.Of(lang).N("list.count", 0), lang)
	}
}

func TestALanguageIsAskedForItsOwnFormsAlone(t *testing.T) {
	for lang, want := range map[i18n.Lang][]string{
		"en": {"one", "other"}, "it": {"one", "other"}, "pl": {"few", "many", "one"}, "ja": {"other"},
		"ru": {"few", "many", "one"}, "cs": {"few", "one", "other"}, "pt-PT": {"one", "other"},
		"ar": {"few", "many", "one", "other", "two", "zero"},
	} {
		assert.Equal(t, want, slices.Sorted(maps.Keys(lang.Plurals())), lang)
		var keys []string
		for _, form := range want {
			keys = append(keys, "list.count."+form)
		}
		var found []string
		for _, key := range lang.Wanted() {
			if text, form := i18n.Counted(key); text == "list.count" && form != "" {
				found = append(found, key)
			}
		}
		assert.Equal(t, keys, found, lang)
		assert.Contains(t, lang.Wanted(), "hair.other", "another colour, no plural")
	}
	for _, lang := range i18n.Provided() {
		assert.Equal(t, i18n.Of(i18n.EN).Keys(), lang.Wanted(), "the program's languages have the forms of English")
	}
}

func TestAFormOfOneNumberAloneMayBeWithoutIt(t *testing.T) {
	for _, c := range []struct {
		lang      i18n.Lang
		key, text string
		lacks     bool
	}{
		{"pl", "form.errors.one", "Jedna rzecz", false}, {"pl", "form.errors.one", "{n} rzecz", false},
		{"pl", "form.errors.few", "rzeczy", true}, {"ar", "list.count.two", "ملفان", false},
		{"ru", "form.errors.one", "пункт", true}, // 21, too
		{"ru", "form.errors.one", "{n} пункт", false}, {"pl", "nav.about", "O {x}", true},
	} {
		wanted, found, _ := c.lang.Placeholders(c.key, c.text)
		assert.Equal(t, c.lacks, !slices.Equal(wanted, found), c)
	}
}

func TestALanguageOfASitesOwnHasTheFormatsOfUnicode(t *testing.T) {
	pl := polish(nil)
	assert.Equal(t, "Polski", pl.Name())
	assert.Equal(t, "pl_PL", pl.Locale())
	assert.Equal(t, "12\u00a0345", pl.Integer(12345))
	assert.Equal(t, "39,5", pl.Size("39.5"))
	assert.Equal(t, "12.345", polish(map[string]string{"language.number": "12.345,6"}).Integer(12345))
	arabic := i18n.New([]i18n.Lang{"ar"}, nil).First()
	assert.Equal(t, "12,345", arabic.Integer(12345), "in the digits that the page is written in")
}
