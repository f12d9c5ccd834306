package folder_test

import (
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/folder"
	"zedcard/internal/testkit"
)

// own is the folder of an agency with a language, boards and a brand of its own.
func own() fstest.MapFS {
	dir := fstest.MapFS{}
	testkit.Put(dir, "agency.yaml", "name: Wisła\nlanguages: [pl, en]\nphone: +48 22 123 45 67\n"+
		"mail: {bookings: b@wisla.example}\nblog: {language: pl, types: {aktualnosci: {pl: Aktualności}}}\n"+
		"home: [kobiety, mezczyzni]\nbrand: {logo: brand/logo.svg, icon: brand/icon.svg}\n")
	testkit.Put(dir, "boards.yaml", "- {id: kobiety, names: {pl: Kobiety}, gender: woman}\n"+
		"- {id: mezczyzni, names: {pl: Mężczyźni}, gender: man}\n")
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h9v9z"/></svg>`
	testkit.Put(dir, "brand/logo.svg", svg)
	testkit.Put(dir, "brand/icon.svg", svg)
	testkit.Put(dir, "texts/pl.yaml", "about.team: Zespół\nnav.about: O nas\nminors.words: dziecko|dzieci\n")
	testkit.Put(dir, "talents/010-1/talent.yaml", "id: 1\nname: Łucja\ngender: woman\nboards: [kobiety]\n")
	for _, page := range []string{"about", "privacy", "future-face"} {
		testkit.Put(dir, "pages/"+page+".md", "---\ntitle: O nas\n---\nSłowa.\n")
	}
	testkit.Put(dir, "posts/aktualnosci/a.md", "---\ntitle: A\ndate: 2026-11-01\n---\nSłowa.\n")
	return dir
}

func TestAMistakeInHomeLeavesTheHomePage(t *testing.T) {
	dir := own()
	s := testkit.Open(t, dir)
	before := s.Site().Home
	testkit.Edit(t, dir, "agency.yaml", "home: [kobiety, mezczyzni]", "home: [kobiety, panowie]")
	s.Later()
	assert.Equal(t, before, s.Site().Home)
	assert.Contains(t, s.Faults()[0].String(), `home: "panowie" is no board`)
}

// What is wrong is one line that says what to write, without what only follows from it.
func TestOneMistakeIsOneLine(t *testing.T) {
	lines := func(dir fstest.MapFS) (all []string) {
		found, _ := folder.Check(dir, false)
		for _, fault := range found {
			all = append(all, fault.String())
		}
		return all
	}
	before := lines(own())
	const png = "\x89PNG\r\n\x1a\n\x00\x00"
	become := func(file, old, next string) func(fstest.MapFS) {
		return func(dir fstest.MapFS) {
			testkit.Put(dir, file, strings.Replace(string(dir[file].Data), old, next, 1))
		}
	}
	rename := func(from, to string) func(fstest.MapFS) {
		return func(dir fstest.MapFS) { dir[to] = dir[from]; delete(dir, from) }
	}
	for _, row := range []struct {
		want    string
		mistake func(fstest.MapFS)
	}{
		{
			"brand/logo.svg: logo: brand/logo.svg is no SVG but PNG",
			func(f fstest.MapFS) { testkit.Put(f, "brand/logo.svg", png) },
		},
		{"agency.yaml:7: logo: brand/logo.png is no SVG but PNG", func(f fstest.MapFS) {
			rename("brand/logo.svg", "brand/logo.png")(f)
			testkit.Put(f, "brand/logo.png", png+strings.Repeat("x", 2<<20))
			become("agency.yaml", "logo.svg", "logo.png")(f)
		}},
		{"agency.yaml:7: logo: brand/logo.ai is no SVG but AI", func(f fstest.MapFS) {
			testkit.Put(f, "brand/logo.ai", "%!PS-Adobe")
			become("agency.yaml", "logo.svg", "logo.ai")(f)
		}},
		{"agency.yaml:7: logo: there is no logo.svg; did you mean brand/logo.svg?", become(
			"agency.yaml", "brand/logo.svg", "logo.svg")},
		{"agency.yaml:7: brand/icon.svg is not square", become("brand/icon.svg", "0 0 10 10", "0 0 60 10")},
		{"boards.yaml: is gone; boards.yml is there: rename it", rename("boards.yaml", "boards.yml")},
		{"boards.yaml: the file is missing, and home", func(f fstest.MapFS) { delete(f, "boards.yaml") }},
		{"agency.yaml: is gone; agency.yaml.txt is there: rename it", rename("agency.yaml", "agency.yaml.txt")},
		{"agency.yaml: the file is missing", func(f fstest.MapFS) { delete(f, "agency.yaml") }},
		{
			"agency.yaml:2: pl needs texts/pl.yaml; texts/pl.yaml.txt is there",
			rename("texts/pl.yaml", "texts/pl.yaml.txt"),
		},
		{"agency.yaml:2: \"polski\" is no tag", become("agency.yaml", "[pl, en]", "[polski]")},
		{"agency.yaml:4: mail must be a group of fields: mail: {bookings: b@wisla.example}", become(
			"agency.yaml", "{bookings: b@wisla.example}", "b@wisla.example")},
		{"agency.yaml:5: aktualnosci has no name in pl", become("agency.yaml", "{pl: Aktu", "{en: Aktu")},
		{"boards.yaml:2: there is a second board kobiety", become("boards.yaml", "id: mezczyzni", "id: kobiety")},
		{"boards.yaml:2: the id of a board may hold a to z", become("boards.yaml", "id: mezczyzni", "id: Mężczyźni")},
		{"boards.yaml:2: begin the line with a hyphen", become("boards.yaml", "- {id: mez", "{id: mez")},
		{
			"texts/pl.yaml:1: a quotation mark within about.team",
			become("texts/pl.yaml", "Zespół", `"Każda „twarz" ma"`),
		},
		{"texts/pl.yaml:1: write a colon and a blank", become("texts/pl.yaml", "team:", "team,")},
		{
			"texts/pl.yaml:2: nav.abuot is no text of the site; did you mean nav.about?",
			become("texts/pl.yaml", "about: O", "abuot: O"),
		},
		{
			"texts/pl.yaml:2: nav.about has {agency}, which the English text lacks",
			become("texts/pl.yaml", "O nas", "O {agency}"),
		},
		{
			"talents/010-1/talent.yaml: the file is missing; found talent.yml",
			rename("talents/010-1/talent.yaml", "talents/010-1/talent.yml"),
		},
		{"talents/010-1/nowe/book-1.jpg: is not shown: pictures lie beside talent.yaml", func(f fstest.MapFS) {
			testkit.Put(f, "talents/010-1/nowe/book-1.jpg", "x")
		}},
		{"pages/O nas.md: the name of a page", rename("pages/about.md", "pages/O nas.md")},
	} {
		dir := own()
		row.mistake(dir)
		rest := map[string]bool{}
		for _, line := range lines(dir) {
			rest[line] = true
		}
		for _, line := range before {
			delete(rest, line)
		}
		delete(rest, "pages/about.md: the file is missing; the site has a page for it: write it")
		var found []string
		for line := range maps.Keys(rest) {
			found = append(found, line)
		}
		if assert.Len(t, found, 1, "%s\n%s", row.want, strings.Join(found, "\n")) {
			assert.Contains(t, found[0], row.want)
		}
	}
}
