package i18n_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

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
