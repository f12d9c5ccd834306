package author

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/backend/embedded"
	"zedcard/internal/textfile"
)

// photoFolders are the folders that an import copies pictures from, one for each talent.
type photoFolders struct {
	name   string
	files  fs.FS
	byName map[string][]string // by nameKey of the folder's name
	loose  int                 // pictures beside the folders
	rows   map[string]int      // by nameKey: how many rows are found by their name
	named  map[string]bool     // that some row names, or is found by
}

func openPhotoFolders(name string) (*photoFolders, error) {
	if name == "" {
		return nil, nil
	}
	p := &photoFolders{
		name: name, files: textfile.Folder(os.DirFS(name)), byName: map[string][]string{},
		rows: map[string]int{}, named: map[string]bool{},
	}
	entries, err := os.ReadDir(name)
	for _, entry := range entries {
		switch {
		case entry.IsDir():
			p.byName[nameKey(entry.Name())] = append(p.byName[nameKey(entry.Name())], entry.Name())
		case embedded.PictureType(entry.Name()) != "":
			p.loose++
		}
	}
	return p, err
}

// expect notes that a row has pictures in a folder.
func (p *photoFolders) expect(named, talent string) {
	if named == "" {
		p.rows[nameKey(talent)]++
	}
	for _, folder := range p.find(named, talent) {
		p.named[folder] = true
	}
}

// find is the folder of a row: the one that it names, or else that with the talent's name. It is more than one if the
// name is that of several.
func (p *photoFolders) find(named, talent string) []string {
	if named == "" {
		return p.byName[nameKey(talent)]
	}
	named = path.Clean(strings.Trim(strings.ReplaceAll(named, `\`, "/"), "/"))
	if info, err := fs.Stat(p.files, named); err == nil && info.IsDir() {
		return []string{named}
	}
	return p.byName[nameKey(named)]
}

// sayUnnamed names the folders whose pictures no row has.
func (p *photoFolders) sayUnnamed(out io.Writer) {
	var left []string
	for _, folders := range p.byName {
		for _, folder := range folders {
			if !p.named[folder] {
				left = append(left, folder)
			}
		}
	}
	slices.Sort(left)
	if len(left) > 0 {
		_, _ = fmt.Fprintf(out, "%s: no row names %d folders: %s\n", p.name, len(left), strings.Join(left, ", "))
	}
	if p.loose > 0 {
		_, _ = fmt.Fprintf(out, "%s: %d pictures lie in no folder and are not copied\n", p.name, p.loose)
	}
}

// copyPictures copies the pictures of a row's folder. It returns how many, and the cover.
func (im *importer) copyPictures(t talentRow, folder string) (count int, cover string, err error) {
	p, name, named := im.photos, t.values["name"], t.values["pictures"]
	found := p.find(named, name)
	switch {
	case len(found) == 0 && named != "":
		im.say(t.line, "there is no folder %s in %s", named, p.name)
		return 0, "", nil
	case len(found) == 0:
		im.notes.add(t.line, "no folder", fmt.Sprintf("there is no folder of pictures for %s in %s", name, p.name))
		return 0, "", nil
	case len(found) > 1 || named == "" && p.rows[nameKey(name)] > 1:
		im.say(t.line, "whose pictures are in %s? name each row’s folder in a column pictures",
			strings.Join(found, ", "))
		return 0, "", nil
	}
	from := found[0]
	entries, err := fs.ReadDir(p.files, from)
	if err != nil {
		return 0, "", err
	}
	var names []string
	for _, entry := range entries {
		file := path.Join(from, entry.Name())
		info, err := fs.Stat(p.files, file)
		if embedded.IsClutter(entry.Name()) || err != nil || !info.Mode().IsRegular() {
			continue
		}
		if fault, ok := embedded.PictureFault(p.files, file, info); !ok {
			im.say(t.line, "not copied: %s", fault.Text(i18n.Of(i18n.EN)))
			continue
		}
		names = append(names, entry.Name())
	}
	slices.SortFunc(names, embedded.ByNumber)
	to, cover := pictureNames(names)
	for i, name := range names {
		data, err := fs.ReadFile(p.files, path.Join(from, name))
		if err == nil && !im.DryRun {
			err = writeFile(im.root, path.Join(folder, to[i]), data)
		}
		if err != nil {
			return count, "", err
		}
		count++
	}
	return count, cover, nil
}

// snapWords stand in the names of plain pictures.
var snapWords = []string{"snap", "polaroid", "digital"}

// pictureNames are the names that pictures have beside a talent.yaml: cover.jpg, or else the first that is no snap, is
// the cover; the others are the book and the snaps, in their order.
func pictureNames(names []string) (to []string, cover string) {
	is := func(word, name string) bool { return strings.Contains(agency.Fold(name), word) }
	isSnap := func(name string) bool {
		return slices.ContainsFunc(snapWords, func(word string) bool { return is(word, name) })
	}
	first := slices.IndexFunc(names, func(name string) bool { return is("cover", name) && !isSnap(name) })
	if first < 0 {
		first = slices.IndexFunc(names, func(name string) bool { return !isSnap(name) })
	}
	count := map[string]int{}
	for i, name := range names {
		base := "cover"
		if i != first {
			base = "book-"
			if isSnap(name) {
				base = "snap-"
			}
			count[base]++
			base += strconv.Itoa(count[base])
		}
		to = append(to, base+strings.ToLower(path.Ext(name)))
	}
	if len(to) > 0 {
		cover = to[max(first, 0)]
	}
	return to, cover
}
