// Package i18n holds the languages of the site, every text in each of them, and the formats of dates, lengths and
// sizes. A language is a file: a text has a flat key "screen.thing" in en.json and in the file of every other language;
// a regional one (pt-PT.json) has those that differ. {name} in a text stands for a value. Keys in Go and templ are
// always written out, so that a test can tell which are missing and which are no longer used.
package i18n

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

//go:embed *.json
var files embed.FS

// Override is a text of the site's own in the place of the program's, and where it stands, as file:line.
type Override struct{ Text, Place string }

// Overrides are a site's own texts by language and key.
type Overrides map[Lang]map[string]Override

// state is what every text comes from. It never changes: Use and Choose make a new one.
type state struct {
	files     map[Lang]map[string]string // the program's texts
	langs     []Lang
	overrides Overrides
	all       map[Lang]*speech // of the program and of the site
}

// speech is a language with its texts, also those of the language without its region; the English ones are left out.
type speech struct {
	texts map[string]string
	formats
}

var (
	current  atomic.Pointer[state]
	changing sync.Mutex
)

func init() {
	current.Store(&state{langs: []Lang{EN, PT, ES}})
	if err := Use(files); err != nil {
		panic(err) // embedded above
	}
}

// Use loads the program's texts from the files of a folder, one for each language (en.json), all or none of them. The
// program starts with its embedded ones; the development server takes those of the work tree.
func Use(folder fs.FS) error {
	names, err := fs.Glob(folder, "*.json")
	if err != nil || !slices.Contains(names, "en.json") {
		return errors.Join(err, errors.New("i18n: en.json is missing"))
	}
	read := map[Lang]map[string]string{}
	for _, name := range names {
		source, err := fs.ReadFile(folder, name)
		var texts map[string]string
		if err == nil {
			err = json.Unmarshal(source, &texts)
		}
		if err != nil {
			return fmt.Errorf("i18n/%s: %w", name, err)
		}
		read[Lang(strings.TrimSuffix(name, ".json"))] = texts
	}
	changing.Lock()
	defer changing.Unlock()
	old := current.Load()
	current.Store(newState(read, old.langs, old.overrides))
	return nil
}

// Choose makes these the site's languages, the first without a prefix, with texts of its own over the program's.
func Choose(langs []Lang, overrides Overrides) {
	changing.Lock()
	defer changing.Unlock()
	current.Store(newState(current.Load().files, slices.Clone(langs), overrides))
}

func newState(files map[Lang]map[string]string, langs []Lang, overrides Overrides) *state {
	s := &state{files: files, langs: langs, overrides: overrides, all: map[Lang]*speech{}}
	for _, lang := range slices.Concat(slices.Collect(maps.Keys(files)), langs) {
		s.all[lang] = s.language(lang)
	}
	return s
}

func (s *state) language(lang Lang) *speech {
	made := &speech{texts: map[string]string{}}
	for _, from := range slices.Compact([]Lang{lang.Base(), lang}) {
		maps.Copy(made.texts, s.files[from])
		for key, own := range s.overrides[from] {
			made.texts[key] = own.Text
		}
	}
	made.formats = newFormats(lang, func(key string) string {
		return cmp.Or(made.texts[key], s.overrides[EN][key].Text, s.files[EN][key])
	})
	return made
}

// language is the language's texts and formats; English for a tag that nobody brings.
func (l Lang) language() *speech {
	s := current.Load()
	for _, lang := range []Lang{l, l.Base()} {
		if found := s.all[lang]; found != nil {
			return found
		}
	}
	return s.all[EN]
}

// Provided are the languages that the program brings, regional ones after those that they fall back to.
func Provided() []Lang { return slices.Sorted(maps.Keys(current.Load().files)) }

// Original is the program's own text of a key in a language, without what it falls back to.
func (l Lang) Original(key string) (text string, exists bool) {
	text, exists = current.Load().files[l][key]
	return text, exists
}

// Override is the site's own text of a key in a language, if it has one.
func (l Lang) Override(key string) (own Override, exists bool) {
	own, exists = current.Load().overrides[l][key]
	return own, exists
}

// Has reports whether the language has a text for the key, or the language without its region.
func (l Lang) Has(key string) bool {
	_, ok := l.texts()[key]
	return ok
}

func (l Lang) texts() map[string]string { return l.language().texts }

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
	if n == 1 || n == 0 && l.language().zeroIsOne {
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

// Keys lists the keys of a language in order.
func Keys(l Lang) []string { return slices.Sorted(maps.Keys(l.texts())) }

// placeholder is a name in braces.
var placeholder = regexp.MustCompile(`\{([a-zA-Z]+)\}`)

// Placeholders are the names in braces of a text, in order and each once.
func Placeholders(text string) []string {
	var names []string
	for _, match := range placeholder.FindAllStringSubmatch(text, -1) {
		names = append(names, match[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}
