package folder

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"zedcard/i18n"
)

// readTexts reads the site's own texts. In the place of one with a fault stands the program's.
func (l *loader) readTexts(langs []i18n.Lang) i18n.Overrides {
	all := i18n.Overrides{}
	for _, lang := range langs {
		for _, of := range slices.Compact([]i18n.Lang{lang.Base(), lang}) {
			if f := l.open(textsFile(of)); f != nil {
				all[of], _ = good(l, f, func(f *File) map[string]i18n.Override { return readTexts(f, of) })
			}
		}
	}
	return all
}

func readTexts(f *File, lang i18n.Lang) map[string]i18n.Override {
	var texts map[string]string
	f.Decode(&texts)
	own := map[string]i18n.Override{}
	for _, key := range f.Keys("") {
		text, line := texts[key], f.Line(key)
		wanted, found, known := lang.Placeholders(key, text)
		switch {
		case !known:
			unknownText(f, line, key, lang, texts)
		case text == "" && key == MinorsKey: // has its own fault
		case text == "":
			f.Warn(line, "fault.text-empty", "key", key)
		case key == alphabetKey && !isAlphabet(text):
			f.Warn(line, "fault.alphabet")
		case len(wanted) == 0 && len(found) > 0:
			f.Warn(line, "fault.text-braces", "key", key, "names", "{"+strings.Join(found, "}, {")+"}")
		case !slices.Equal(found, wanted):
			f.Warn(line, "fault.text-placeholders", "key", key, "names", "{"+strings.Join(wanted, "}, {")+"}")
		default:
			own[key] = i18n.Override{Text: text, Place: f.Name + ":" + strconv.Itoa(line)}
		}
	}
	if !f.Invalid && !slices.Contains(i18n.Provided(), lang.Base()) { // a language that only this file brings
		checkMissing(f, lang, texts)
	}
	return own
}

// unknownText names a key that is none, and what is probably meant: one that is missing.
func unknownText(f *File, line int, key string, lang i18n.Lang, texts map[string]string) {
	missing := slices.DeleteFunc(lang.Wanted(), func(key string) bool { return texts[key] != "" })
	meant := Nearest(key, missing)
	if meant == "" {
		f.Warn(line, "fault.text-unknown", "key", key)
		return
	}
	texts[meant] = texts[key]
	f.Warn(line, "fault.text-meant", "key", key, "meant", meant)
}

// MinorsKey is the key of the words for minors, without which children's boards are not known as such.
const MinorsKey = "minors.words"

// checkMissing names the texts that a language lacks, many in one line, but each plural form of a text that it has.
func checkMissing(f *File, lang i18n.Lang, texts map[string]string) {
	forms := strings.Join(slices.Sorted(maps.Keys(lang.Plurals())), ", ")
	var missing []string
	for _, key := range lang.Wanted() {
		if _, ok := texts[key]; ok || key == MinorsKey || i18n.MayLack(key) {
			continue
		}
		if line := lineOfForm(f, key); line > 0 {
			f.Warn(line, "fault.text-plural", "key", key, "lang", string(lang), "forms", forms)
		} else {
			missing = append(missing, key)
		}
	}
	english, _ := i18n.EN.Original(MinorsKey)
	if words := texts[MinorsKey]; words == "" || words == english {
		f.Warn(max(f.Line(MinorsKey), 1), "fault.minors-words")
	}
	if len(missing) > 0 {
		f.Warn(1, "fault.texts-missing", "n", strconv.Itoa(len(missing)), "keys",
			strings.Join(missing[:min(len(missing), 3)], ", "), "lang", string(lang))
	}
}

// lineOfForm is the line of another plural form of a text, 0 for none.
func lineOfForm(f *File, key string) (line int) {
	text, form := i18n.Counted(key)
	for _, other := range f.Keys("") {
		if counted, its := i18n.Counted(other); form != "" && its != "" && counted == text {
			line = f.Line(other)
		}
	}
	return line
}

// alphabetKey is the key of the letters that a language lists names under.
const alphabetKey = "letters.alphabet"

// isAlphabet reports whether a text is letters with blanks between them, each once.
func isAlphabet(text string) bool {
	letters := strings.Fields(strings.ToUpper(text))
	for i, letter := range letters {
		isOther := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }
		if len([]rune(letter)) > 3 || strings.ContainsFunc(letter, isOther) || slices.Contains(letters[:i], letter) {
			return false
		}
	}
	return len(letters) > 1 && len(letters) < 100
}

func textsFile(lang i18n.Lang) string { return "texts/" + string(lang) + ".yaml" }
