package i18n_test

import (
	"io/fs"
	"os"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/i18n"
)

func TestEveryTextIsTranslatedInEveryLanguage(t *testing.T) {
	assert.Empty(t, i18n.Check())
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
		assert.Equal(t, c.integer, c.lang.Integer(12345))
		assert.Equal(t, c.four, c.lang.Integer(1234))
		assert.Equal(t, c.length, c.lang.Centimetres(177.5))
		assert.Equal(t, c.size, c.lang.Size("38.5"))
		assert.Equal(t, c.date, c.lang.Date(day))
	}
	assert.Equal(t, "1º de março de 2026", i18n.PT.Date(day.AddDate(0, 0, -2)))
	assert.Equal(t, "5′9½″", i18n.FeetInches(5, 9, true))
	assert.Equal(t, "½″", i18n.Inches(0, true))
	assert.Equal(t, "M", i18n.EN.Size("M"), "a value that is not a number is unchanged")
}

// use puts other texts in the place of the site's own until the test ends.
func use(t *testing.T, folder fs.FS) {
	t.Helper()
	require.NoError(t, i18n.Use(folder))
	t.Cleanup(func() { assert.NoError(t, i18n.Use(os.DirFS("."))) })
}

func texts(en, pt, es string) fs.FS {
	return fstest.MapFS{"en.json": {Data: []byte(en)}, "pt.json": {Data: []byte(pt)}, "es.json": {Data: []byte(es)}}
}

func TestCheckNamesEveryFaultOfTheTexts(t *testing.T) {
	use(t, texts(
		`{"a.ok": "{n} of {total}", "a.gone": "Gone", "a.filled": "Hi {name}",
"a.count.one": "{n} thing", "a.count.other": "{n} things", "a.script": "x"}`,
		`{"a.ok": "{n} de {todos}",
"a.gone": " ", "a.filled": "Oi {name}", "a.count.one": "{n} coisa", "a.count.other": "{n} coisas", "a.script": "x"}`,
		`{"a.ok": "{total} de {n}", "a.filled": "Hola {name}", "a.count.one": "{n} cosa",
"a.more": "más", "a.count.other": "{n} cosas", "a.script": "x"}`))
	assert.Equal(t, "Gone", i18n.ES.T("a.gone"), "a missing text is shown in English")
	assert.Equal(t, "a.typo", i18n.ES.T("a.typo"))
	assert.ElementsMatch(t, []string{
		"i18n/pt.json:1: a.ok: has other placeholders than the English text",
		"i18n/pt.json:2: a.gone: is empty",
		"i18n/en.json:1: a.gone: is missing in es.json",
		"i18n/es.json:2: a.more: is missing in en.json",
		"i18n/es.json:2: a.more: is missing in pt.json",
	}, i18n.Check())
}

func TestTextsAreLoadedAllOrNone(t *testing.T) {
	before := i18n.PT.T("nav.about")
	assert.Error(t, i18n.Use(texts(`{"nav.about": "x"}`, `{`, `{}`)))
	assert.Equal(t, before, i18n.PT.T("nav.about"))
}
