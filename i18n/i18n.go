// Package i18n holds the languages of the site (languages.go), every text in each of them, and the formats of dates,
// lengths and sizes. A text has a flat key "screen.thing" in en.json and in the file of every other language; {name}
// in a text stands for a value. Keys in Go and templ are always written out, so that a test can tell which are missing
// and which are no longer used.
package i18n

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
)

//go:embed *.json
var files embed.FS

type tables map[Lang]table

// table holds the texts of a language, and the file that they came from.
type table struct {
	texts  map[string]string
	source []byte
}

var texts atomic.Pointer[tables]

func init() {
	if err := Use(files); err != nil {
		panic(err) // embedded above
	}
}

// Use loads the texts from the files of a folder, one for each language (en.json), all or none of them. The program
// starts with its embedded ones; the development server loads them again when they change.
func Use(folder fs.FS) error {
	all := make(tables, len(Langs))
	for _, lang := range Langs {
		data, err := fs.ReadFile(folder, string(lang)+".json")
		if err != nil {
			return err
		}
		t := table{source: data}
		if err := json.Unmarshal(data, &t.texts); err != nil {
			return fmt.Errorf("i18n/%s.json: %w", lang, err)
		}
		all[lang] = t
	}
	texts.Store(&all)
	return nil
}

// Has reports whether the language has a text for the key.
func (l Lang) Has(key string) bool {
	_, ok := l.texts()[key]
	return ok
}

func (l Lang) texts() map[string]string { return (*texts.Load())[l].texts }

// T is the text of a key in this language. Pairs are the names and values of its placeholders:
// T("list.shown", "n", "20", "total", "64"). A text that the language lacks is shown in English, a key that does not
// exist as itself.
func (l Lang) T(key string, pairs ...string) string {
	text, ok := l.texts()[key]
	if !ok {
		text, ok = EN.texts()[key]
	}
	if !ok {
		return key
	}
	return fill(text, pairs)
}

// N is the text for a number of things: key + ".one" for 1, key + ".other" else, with {n} filled in.
func (l Lang) N(key string, n int, pairs ...string) string {
	return l.T(l.Form(key, n), append(pairs, "n", l.Integer(n))...)
}

// Form is the key of the text for a number of things.
func (l Lang) Form(key string, n int) string {
	if n == 1 || n == 0 && l.language().ZeroIsOne {
		return key + ".one"
	}
	return key + ".other"
}

// fill puts values in the places of their names: {name}. A name without a value stays.
func fill(text string, pairs []string) string {
	if len(pairs) == 0 {
		return text
	}
	var filled strings.Builder
	filled.Grow(len(text) + len(pairs)*8)
	for {
		before, rest, found := strings.Cut(text, "{")
		filled.WriteString(before)
		if !found {
			return filled.String()
		}
		name, after, closed := strings.Cut(rest, "}")
		at := -1
		for i := 0; closed && i+1 < len(pairs); i += 2 {
			if pairs[i] == name {
				at = i + 1
				break
			}
		}
		if at < 0 {
			filled.WriteByte('{')
			text = rest
			continue
		}
		filled.WriteString(pairs[at]) // #nosec G602 -- the loop has checked it
		text = after
	}
}

// AllKeys lists the keys that any language has, in order.
func AllKeys() []string {
	var all []string
	for _, lang := range Langs {
		all = append(all, Keys(lang)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Keys lists the keys of a language in order.
func Keys(l Lang) []string { return slices.Sorted(maps.Keys(l.texts())) }
