package i18n_test

import (
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/i18n"
)

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
