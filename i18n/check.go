package i18n

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// placeholder is a name in braces.
var placeholder = regexp.MustCompile(`\{([a-zA-Z]+)\}`)

// Check names what is wrong between the languages, one line each with its place: a key that only some of them have or
// that is empty, and placeholders that differ. Whether the sources use the keys is checked by tests.
func Check() []string {
	var faults []string
	fault := func(lang Lang, key, text string) {
		place := Place("i18n/"+string(lang)+".json", (*texts.Load())[lang].source, key)
		faults = append(faults, place+": "+key+": "+text)
	}
	for _, key := range AllKeys() {
		for _, lang := range Langs {
			text, exists := lang.texts()[key]
			switch {
			case !exists:
				fault(firstWith(key), key, "is missing in "+string(lang)+".json")
			case strings.TrimSpace(text) == "":
				fault(lang, key, "is empty")
			case lang != EN && !slices.Equal(Placeholders(text), Placeholders(EN.texts()[key])):
				fault(lang, key, "has other placeholders than the English text")
			}
		}
	}
	return faults
}

// firstWith is the first language that has a text for the key.
func firstWith(key string) Lang {
	for _, lang := range Langs {
		if lang.Has(key) {
			return lang
		}
	}
	return EN
}

// Place is where a key is first written in a file, as file:line.
func Place(file string, source []byte, key string) string {
	before, _, found := bytes.Cut(source, []byte(`"`+key+`"`))
	if !found {
		return file
	}
	return file + ":" + strconv.Itoa(1+bytes.Count(before, []byte("\n")))
}

// Placeholders are the names in braces of a text, in order and each once.
func Placeholders(text string) []string {
	var names []string
	for _, match := range placeholder.FindAllStringSubmatch(text, -1) {
		names = append(names, match[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}
