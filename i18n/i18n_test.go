package i18n_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/i18n"
)

func TestEveryTextIsTranslatedInEveryLanguage(t *testing.T) {
	for _, lang := range i18n.Provided() {
		for _, key := range i18n.Of(i18n.EN).Keys() {
			text, exists := lang.Original(key)
			assert.True(t, exists || lang.Region() != "", "%s is missing in %s.json", key, lang)
			if english, _ := i18n.EN.Original(key); exists {
				assert.NotEmpty(t, strings.TrimSpace(text), "%s in %s.json", key, lang)
				assert.Equal(t, i18n.Placeholders(english), i18n.Placeholders(text), "%s in %s.json", key, lang)
			}
		}
		for _, key := range i18n.Of(lang).Keys() {
			assert.True(t, i18n.Of(i18n.EN).Has(key), "%s of %s.json is missing in en.json", key, lang)
		}
	}
}

// keyLine is a line of a file of texts.
var keyLine = regexp.MustCompile(`(?m)^\s*"([^"]+)":`)

func TestNoKeyStandsTwiceInAFile(t *testing.T) {
	for _, lang := range i18n.Provided() {
		source, err := os.ReadFile(string(lang) + ".json")
		require.NoError(t, err)
		seen := map[string]bool{}
		for _, line := range keyLine.FindAllStringSubmatch(string(source), -1) {
			assert.False(t, seen[line[1]], "%s stands twice in %s.json", line[1], lang)
			seen[line[1]] = true
		}
	}
}

func TestNumbersDatesAndLengthsAreWrittenAsEachLanguageWritesThem(t *testing.T) {
	day := time.Date(2026, time.March, 3, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		lang                        i18n.Lang
		integer, length, size, date string
		four                        string
	}{
		{i18n.EN, "12,345", "177.5\u00a0cm", "38.5", "3 March 2026", "1,234"},
		{i18n.PT, "12.345", "177,5\u00a0cm", "38,5", "3 de março de 2026", "1.234"},
		{i18n.ES, "12\u00a0345", "177,5\u00a0cm", "38,5", "3 de marzo de 2026", "1234"},
	} {
		assert.Equal(t, c.integer, i18n.Of(c.lang).Integer(12345))
		assert.Equal(t, c.four, i18n.Of(c.lang).Integer(1234))
		assert.Equal(t, c.length, i18n.Of(c.lang).Centimetres(177.5))
		assert.Equal(t, c.size, i18n.Of(c.lang).Size("38.5"))
		assert.Equal(t, c.date, i18n.Of(c.lang).Date(day))
	}
	assert.Equal(t, "1º de março de 2026", i18n.Of(i18n.PT).Date(day.AddDate(0, 0, -2)))
	assert.Equal(t, "March 2026", i18n.Of(i18n.EN).MonthYear(day))
	assert.Equal(t, "março de 2026", i18n.Of(i18n.PT).MonthYear(day))
	assert.Equal(t, "5′9½″", i18n.FeetInches(5, 9, true))
	assert.Equal(t, "½″", i18n.Inches(0, true))
	assert.Equal(t, "M", i18n.Of(i18n.EN).Size("M"), "a value that is not a number is unchanged")
}

func texts(en, pt, es string) fs.FS {
	return fstest.MapFS{"en.json": {Data: []byte(en)}, "pt.json": {Data: []byte(pt)}, "es.json": {Data: []byte(es)}}
}

func TestTextsAreLoadedAllOrNone(t *testing.T) {
	before := i18n.Of(i18n.PT).T("nav.about")
	assert.Error(t, i18n.Use(texts(`{"nav.about": "x"}`, `{`, `{}`)))
	assert.Equal(t, before, i18n.Of(i18n.PT).T("nav.about"))

	require.NoError(t, i18n.Use(texts(`{"a.gone": "Gone"}`, `{}`, `{}`)))
	t.Cleanup(func() { assert.NoError(t, i18n.Use(os.DirFS("."))) })
	assert.Equal(t, "Gone", i18n.Of(i18n.ES).T("a.gone"), "a missing text is shown in English")
	assert.Equal(t, "a.typo", i18n.Of(i18n.ES).T("a.typo"))
}
