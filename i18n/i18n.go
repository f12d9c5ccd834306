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

	"golang.org/x/text/language"
)

//go:embed *.json
var files embed.FS

// Override is a text of the site's own in the place of the program's, and where it stands, as file:line.
type Override struct{ Text, Place string }

// Overrides are a site's own texts by language and key.
type Overrides map[Lang]map[string]Override

// program are the texts that come with the program; of the work tree on the development server.
var program map[Lang]map[string]string

// own are these alone, for what no site says: logs, commands and faults.
var own *Texts

func init() {
	if err := Use(files); err != nil {
		panic(err) // embedded above
	}
}

// Use loads the program's texts from the files of a folder, one for each language (en.json), all or none of them. The
// program starts with its embedded ones; the development server takes those of the work tree before it makes anything.
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
	program = read
	own = New(nil, nil)
	return nil
}

// Texts are what a site says: its languages and those of the program, with the site's own texts. They never change.
type Texts struct {
	langs     []*Language // of the site, the first without a prefix
	overrides Overrides
	all       map[Lang]*Language
}

// Language is a language of a site, with its texts, also those of the language without its region, and its formats.
// The English texts are left out.
type Language struct {
	Lang
	tag   language.Tag
	site  *Texts
	texts map[string]string
	formats
}

// New are the texts of a site with these languages; none: those of the specification.
func New(langs []Lang, overrides Overrides) *Texts {
	if len(langs) == 0 {
		langs = []Lang{EN, PT, ES}
	}
	t := &Texts{overrides: overrides, all: map[Lang]*Language{}}
	for _, lang := range slices.Concat(Provided(), langs) {
		t.all[lang] = t.language(lang)
	}
	for _, lang := range langs {
		t.langs = append(t.langs, t.all[lang])
	}
	return t
}

func (t *Texts) language(lang Lang) *Language {
	made := &Language{Lang: lang, tag: language.Make(string(lang)), site: t, texts: map[string]string{}}
	for _, from := range slices.Compact([]Lang{lang.Base(), lang}) {
		maps.Copy(made.texts, program[from])
		for key, own := range t.overrides[from] {
			made.texts[key] = own.Text
		}
	}
	own := func(key string) string { return made.texts[key] }
	made.formats = newFormats(lang, own, func(key string) string {
		return cmp.Or(t.overrides[EN][key].Text, program[EN][key])
	})
	return made
}

// Of is a language as the program brings it, English where it doesn't.
func Of(lang Lang) *Language { return own.In(lang) }

// In is a language of the site or the program; English for a tag that neither brings.
func (t *Texts) In(lang Lang) *Language { return cmp.Or(t.all[lang], t.all[lang.Base()], t.all[EN]) }

// Langs are the languages of the site in the order of the language switch.
func (t *Texts) Langs() []*Language { return t.langs }

// First is the language of the site whose addresses have no prefix.
func (t *Texts) First() *Language { return t.langs[0] }

// Codes are the tags of Langs.
func (t *Texts) Codes() (all []string) {
	for _, lang := range t.langs {
		all = append(all, string(lang.Lang))
	}
	return all
}

// All are the languages of the site and then those of the program.
func (t *Texts) All() []*Language {
	all := slices.Clone(t.langs)
	for _, lang := range Provided() {
		all = append(all, t.all[lang])
	}
	return all
}

// Parse returns the site's language with this tag, or with its tag without the region; false where the site has none.
func (t *Texts) Parse(text string) (*Language, bool) {
	at := slices.IndexFunc(t.langs, func(l *Language) bool { return strings.EqualFold(string(l.Lang), text) })
	if at < 0 {
		at = slices.IndexFunc(t.langs, func(l *Language) bool { return string(l.Base()) == text })
	}
	if at < 0 {
		return nil, false
	}
	return t.langs[at], true
}

// Provided are the languages that the program brings, regional ones after those that they fall back to.
func Provided() []Lang { return slices.Sorted(maps.Keys(program)) }

// Original is the program's own text of a key in a language, without what it falls back to.
func (l Lang) Original(key string) (text string, exists bool) {
	text, exists = program[l][key]
	return text, exists
}

// Override is the site's own text of the key, if it has one.
func (l *Language) Override(key string) (own Override, exists bool) {
	own, exists = l.site.overrides[l.Lang][key]
	return own, exists
}

// Has reports whether the language has a text for the key, or the language without its region.
func (l *Language) Has(key string) bool {
	_, ok := l.texts[key]
	return ok
}

// MarshalText is its tag.
func (l *Language) MarshalText() ([]byte, error) { return []byte(l.Lang), nil }

// First is the first language of the site.
func (l *Language) First() *Language { return l.site.First() }

// In is another language of the same site.
func (l *Language) In(lang Lang) *Language { return l.site.In(lang) }

// Prefix is what the language's addresses begin with: nothing for the first, else a slash and its tag without the
// region.
func (l *Language) Prefix() string {
	if l == l.First() {
		return ""
	}
	return "/" + string(l.Base())
}

// T is the text of a key in this language. Pairs are the names and values of its placeholders:
// T("list.shown", "n", "20", "total", "64"). A text that the language lacks is shown in English, a key that does not
// exist as itself.
func (l *Language) T(key string, pairs ...string) string {
	text, ok := l.texts[key]
	if !ok {
		text, ok = l.site.all[EN].texts[key]
	}
	if !ok {
		return key
	}
	return fill(text, pairs)
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

// Keys lists the keys of the language in order.
func (l *Language) Keys() []string { return slices.Sorted(maps.Keys(l.texts)) }

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
