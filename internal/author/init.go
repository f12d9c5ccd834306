// Package author writes into a content folder: a folder to begin with, a talent, the texts of a language, the talents
// of a spreadsheet. What is there already it never changes.
package author

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/folder"
	"zedcard/internal/routes"
)

// starter is a folder to begin with, to which borrowed adds what the demo has.
//
//go:embed all:starter
var starter embed.FS

var (
	borrowed = []string{
		"options.yaml", "staff/1.jpg", "slides/1-[13]-*.jpg", "pages/privacy*.md", "pages/safety*.md",
		"talents/005-*/cover.jpg", "talents/005-*/book-*.jpg", "talents/005-*/snap-1.jpg",
		"talents/012-*/cover.jpg", "talents/012-*/book-*.jpg", "talents/012-*/snap-1.jpg",
	}
	// neutral takes the demo agency's names from what is borrowed.
	neutral = strings.NewReplacer("005-elodie-carpentier", "010-maria-example", "012-ezequiel-batista",
		"020-tom-example", "best.example", "youragency.example", "Best Management", "Your Agency")
)

// ErrExists is the error of Init where something is in the way.
var ErrExists = errors.New("is there and not empty; zedcard init never overwrites: name a new folder")

// Init writes a folder to begin with, or the demo's, and returns the number of its files. It never overwrites.
func Init(dir string, withDemo bool) (files int, err error) {
	switch entries, err := os.ReadDir(dir); {
	case err == nil && len(entries) > 0:
		return 0, fmt.Errorf("%s %w", dir, ErrExists)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return 0, err
	}
	own, err := fs.Sub(starter, "starter")
	if err != nil {
		return 0, err
	}
	copyFile := func(from fs.FS, name string, edit *strings.Replacer) error {
		data, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		if path.Ext(name) == ".md" {
			data = []byte(edit.Replace(string(data)))
			if !withDemo {
				data = folder.WithoutOwnWords(data)
			}
		}
		files++
		return writeFile(dir, edit.Replace(name), data)
	}
	from, asItIs := own, strings.NewReplacer()
	if withDemo {
		from = folder.Demo()
	} else {
		for _, pattern := range borrowed {
			names, _ := fs.Glob(folder.Demo(), pattern) // well formed
			for _, name := range names {
				if err := copyFile(folder.Demo(), name, neutral); err != nil {
					return files, err
				}
			}
		}
	}
	err = fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == "README.md" {
			return err
		}
		return copyFile(from, name, asItIs)
	})
	if err != nil {
		return files, err
	}
	return files, copyFile(own, "README.md", asItIs)
}

func writeFile(root, name string, data []byte) error {
	file := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// newTalent is a talent.yaml to begin with.
const newTalent = `# README.md has all fields. Put the pictures beside this file: cover.jpg, book-1.jpg, snap-1.jpg
id: %d
name: %s
draft: true # remove the line to show the talent to everybody
gender: # woman or man
birthdate: # yyyy-mm-dd, never shown
boards: []
height: # centimetres
shoes:
hair:
eyes:
cover:
`

// NewTalent makes the folder of a talent, a draft with the next free id. It returns the path of its talent.yaml below
// the content folder.
func NewTalent(root, name string) (file string, id int, err error) {
	reading, err := folder.Read(os.DirFS(root), folder.Config{})
	if err != nil {
		return "", 0, err
	}
	last := 0
	for _, dir := range reading.TalentFolders() {
		last = max(last, folder.LeadingNumber(dir))
	}
	id, file = reading.FreeID(), path.Join(talentFolder(last, name), "talent.yaml")
	return file, id, writeFile(root, file, fmt.Appendf(nil, newTalent, id, quoted(name)))
}

// talentFolder is a new folder behind the others, the greatest of whose numbers is last. Numbers have gaps, so that
// talents can be moved.
func talentFolder(last int, name string) string {
	return fmt.Sprintf("talents/%03d-%s", last/10*10+10, routes.Slug(name))
}

// quoted is a text as YAML, in quotes where it needs them.
func quoted(text string) string {
	var read struct {
		Text string `yaml:"text"`
	}
	f := folder.Parse("", []byte("text: "+text))
	if f.Decode(&read); !f.Invalid && read.Text == text {
		return text
	}
	return strconv.Quote(text)
}

// minorsHint stands where a language of a site's own must have its words for children.
const minorsHint = "the words for children in names of boards, as in child|children|girl|boy|teen|baby"

// WriteTexts adds every sentence that a language lacks to its file, in English or in the language that it falls back
// to, and returns how many. Sentences that it has by falling back stand there as comments.
func WriteTexts(root string, lang i18n.Lang) (file string, added int, err error) {
	file = path.Join("texts", string(lang)+".yaml")
	had := map[string]string{}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text = fmt.Appendf(nil, "# The site's sentences in %s. Names in {braces} stay as they are.\n", lang)
	case err != nil:
		return file, 0, err
	default:
		f := folder.Parse(file, text)
		f.Decode(&had)
		if f.Invalid {
			return file, 0, errors.New(f.Faults[0].String())
		}
	}
	fallback, comment := i18n.EN, ""
	if slices.Contains(i18n.Provided(), lang.Base()) {
		fallback, comment = lang.Base(), "# "
	}
	var mayStay []byte
	for _, key := range lang.Wanted() {
		if _, ok := had[key]; ok || bytes.Contains(text, []byte("\n# "+key+": ")) {
			continue
		}
		added++
		sentence := key
		if counted, form := i18n.Counted(key); form != "" && !i18n.Of(fallback).Has(key) {
			sentence = counted + ".other"
		}
		line := key + ": " + quoted(i18n.Of(fallback).T(sentence)) + "\n"
		switch {
		case fallback == i18n.EN && i18n.MayLack(key):
			mayStay = append(mayStay, "# "+line...)
		case fallback == i18n.EN && key == folder.MinorsKey:
			text = append(text, folder.MinorsKey+": # "+minorsHint+"\n"...)
		default:
			text = append(text, comment+line...)
		}
	}
	if len(mayStay) > 0 {
		text = append(text, "\n# Visitors don't see these, or the program knows them: one without its # is yours.\n"...)
		text = append(text, mayStay...)
	}
	return file, added, writeFile(root, file, text)
}
