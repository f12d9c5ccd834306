package views

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/i18n"
)

func TestUnfinishedTextsAreListedFirst(t *testing.T) {
	require.NoError(t, i18n.Use(fstest.MapFS{
		"en.json": {Data: []byte(
			`{"a.done": "Back", "b.same": "Fluid", "c.missing": "About", "d.empty": "Menu", "e.gone": "More"}`)},
		"pt.json": {Data: []byte(`{"a.done": "Voltar", "b.same": "Fluid", "c.missing": "Sobre", "d.empty": " "}`)},
		"es.json": {Data: []byte(`{"a.done": "Volver", "b.same": "Fluido", "d.empty": "Menú"}`)},
	}))
	t.Cleanup(func() { assert.NoError(t, i18n.Use(os.DirFS("../i18n"))) })
	texts := i18n.New(nil, nil)
	keys := func(desk CopyDesk) []string {
		var all []string
		for _, row := range desk.Rows {
			all = append(all, row.Key)
		}
		return all
	}
	desk := NewCopyDesk(texts, "")
	assert.Equal(t, []string{"c.missing", "d.empty", "e.gone", "b.same", "a.done"}, keys(desk))
	assert.Equal(t, []CopyText{
		{Lang: texts.In(i18n.EN), Words: "About"},
		{Lang: texts.In(i18n.PT), Words: "Sobre"},
		{Lang: texts.In(i18n.ES), Missing: true},
	}, desk.Rows[0].Texts)
	assert.True(t, desk.Rows[3].Texts[1].SameAsEnglish)

	assert.Equal(t, []string{"d.empty"}, keys(NewCopyDesk(texts, "menu")))
}
