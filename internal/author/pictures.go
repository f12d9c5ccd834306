package author

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/folder"
)

// copyPictures copies the pictures of the folder that a row names, or that has the talent's name. It returns how many,
// and the cover.
func (im *importer) copyPictures(t talentRow, dir string) (count int, cover string, err error) {
	if im.Pictures == "" {
		return 0, "", nil
	}
	files := folder.AnyForm{FS: os.DirFS(im.Pictures)}
	from, err := pictureFolder(files, t.values["pictures"], t.values["name"])
	if err != nil || from == "" {
		if err == nil {
			im.notes.add(t.line, "there is no folder of pictures in "+im.Pictures)
		}
		return 0, "", err
	}
	entries, err := fs.ReadDir(files, from)
	if err != nil {
		return 0, "", err
	}
	var names []string
	for _, entry := range entries {
		file := path.Join(from, entry.Name())
		info, err := fs.Stat(files, file)
		if folder.IsClutter(entry.Name()) || err != nil || !info.Mode().IsRegular() {
			continue
		}
		if fault, ok := folder.PictureFault(files, file, info); !ok {
			im.say(t.line, "not copied: %s", fault.Text(i18n.Of(i18n.EN)))
			continue
		}
		names = append(names, entry.Name())
	}
	slices.SortFunc(names, folder.ByNumber)
	to, cover := pictureNames(names)
	for i, name := range names {
		data, err := fs.ReadFile(files, path.Join(from, name))
		if err == nil && !im.DryRun {
			err = writeFile(im.root, path.Join(dir, to[i]), data)
		}
		if err != nil {
			return i, "", err
		}
	}
	return len(names), cover, nil
}

// pictureFolder is the folder that a row names, or that has the talent's name, in any case; empty: there is none.
func pictureFolder(files fs.FS, named, name string) (string, error) {
	if named = path.Clean(strings.Trim(strings.ReplaceAll(named, `\`, "/"), "/")); named != "." {
		if info, err := fs.Stat(files, named); err == nil && info.IsDir() {
			return named, nil
		}
		return "", nil
	}
	entries, err := fs.ReadDir(files, ".")
	for _, entry := range entries {
		if entry.IsDir() && folder.Fold(entry.Name()) == folder.Fold(name) {
			return entry.Name(), nil
		}
	}
	return "", err
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
