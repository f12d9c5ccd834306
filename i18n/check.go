package i18n

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// placeholder is a name in braces.
var placeholder = regexp.MustCompile(`\{([a-zA-Z]+)\}`)

// Check names what is wrong between the languages that the program brings, one line each with its place: a key that
// only some of them have or that is empty, and placeholders that differ. Whether the sources use the keys is checked by
// tests.
func Check() []string {
	var faults []string
	files := current.Load().files
	fault := func(lang Lang, key, text string) {
		place := Place("i18n/"+string(lang)+".json", files[lang].source, key)
		faults = append(faults, place+": "+key+": "+text)
	}
	keys := map[string]Lang{} // with the first language that has it
	for _, lang := range Provided() {
		for key := range files[lang].texts {
			if _, known := keys[key]; !known {
				keys[key] = lang
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		english := files[EN].texts[key]
		for _, lang := range Provided() {
			text, exists := files[lang].texts[key]
			switch {
			case !exists && lang.Region() == "":
				fault(keys[key], key, "is missing in "+string(lang)+".json")
			case exists && strings.TrimSpace(text) == "":
				fault(lang, key, "is empty")
			case exists && !slices.Equal(Placeholders(text), Placeholders(english)):
				fault(lang, key, "has other placeholders than the English text")
			}
		}
	}
	return faults
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
