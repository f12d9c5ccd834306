package i18n_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/i18n"
)

func TestEveryLanguageHasTheSameKeysWithTheSamePlaceholders(t *testing.T) {
	placeholders := regexp.MustCompile(`\{[a-z]+\}`)
	find := func(lang i18n.Lang, key string) []string {
		found := placeholders.FindAllString(lang.T(key), -1)
		slices.Sort(found)
		return slices.Compact(found)
	}
	for _, lang := range []i18n.Lang{i18n.PT, i18n.ES} {
		assert.Equal(t, i18n.Keys(i18n.EN), i18n.Keys(lang), "%s.json and en.json", lang)
		for _, key := range i18n.Keys(i18n.EN) {
			assert.Equal(t, find(i18n.EN, key), find(lang, key), "placeholders of %s in %s.json", key, lang)
			assert.NotEmpty(t, strings.TrimSpace(lang.T(key)), "%s in %s.json", key, lang)
		}
	}
}

// Keys are written out in the sources, so that what is missing and what is left over can be told.
func TestEveryKeyIsUsedAndEveryUsedKeyExists(t *testing.T) {
	literal := regexp.MustCompile("[\"'`]([a-z][a-zA-Z0-9_-]*(?:\\.[a-zA-Z0-9_-]+)+)[\"'`]")
	call := regexp.MustCompile(`\.([TN])\("([^"]+)"`)
	written := map[string]bool{}
	keys := i18n.Keys(i18n.EN)
	exists := func(key string) bool { _, ok := slices.BinarySearch(keys, key); return ok }
	for _, dir := range []string{"views", "handlers", "internal", "islands"} {
		require.NoError(t, filepath.WalkDir(filepath.Join("..", dir), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !isSource(path) {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, match := range literal.FindAllSubmatch(source, -1) {
				written[string(match[1])] = true
			}
			for _, match := range call.FindAllSubmatch(source, -1) {
				key := string(match[2])
				if string(match[1]) == "N" {
					assert.True(t, exists(key+".one") && exists(key+".other"), "%s: %s.one and .other", path, key)
				} else {
					assert.True(t, exists(key), "%s: %s is not in en.json", path, key)
				}
			}
			return nil
		}))
	}
	for _, key := range keys {
		base := strings.TrimSuffix(strings.TrimSuffix(key, ".one"), ".other")
		assert.True(t, written[key] || written[base], "%s is used nowhere", key)
	}
}

func isSource(path string) bool {
	switch filepath.Ext(path) {
	case ".go":
		return !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, "_templ.go")
	case ".templ", ".tsx":
		return true
	case ".ts":
		return !strings.HasSuffix(path, ".test.ts")
	}
	return false
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
	assert.Equal(t, "5′9½″", i18n.FeetInches(5, 9, true))
	assert.Equal(t, "½″", i18n.Inches(0, true))
	assert.Equal(t, "M", i18n.EN.Size("M"), "what is no number is shown as it came")
}
