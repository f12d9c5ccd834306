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

// copyPictures copies the pictures of the folder that a row names, or that has the talent's name, and returns how many.
func (im *importer) copyPictures(t talentRow, dir string) (count int, err error) {
	if im.Pictures == "" {
		return 0, nil
	}
	files := folder.AnyForm{FS: os.DirFS(im.Pictures)}
	from, err := pictureFolder(files, t.values["pictures"], t.values["name"])
	if err != nil || from == "" {
		if err == nil {
			im.notes.add(t.line, "there is no folder of pictures in "+im.Pictures)
		}
		return 0, err
	}
	entries, err := fs.ReadDir(files, from)
	if err != nil {
		return 0, err
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
	for i, to := range pictureNames(names) {
		name := names[i]
		data, err := fs.ReadFile(files, path.Join(from, name))
		if err == nil && !im.DryRun {
			err = writeFile(im.root, path.Join(dir, to), data)
		}
		if err != nil {
			return i, err
		}
	}
	return len(names), nil
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

// pictureNames are the names that pictures have beside a talent.yaml: of the cover, the book and the snaps, in their
// order. Without a cover the site shows the first of the book.
func pictureNames(names []string) (to []string) {
	count := map[string]int{}
	for _, name := range names {
		is := func(word string) bool { return strings.Contains(agency.Fold(name), word) }
		base := "book-"
		switch {
		case slices.ContainsFunc([]string{"snap", "polaroid", "digital"}, is):
			base = "snap-"
		case is("cover") && count["cover"] == 0:
			base = "cover"
		}
		if count[base]++; base != "cover" {
			base += strconv.Itoa(count[base])
		}
		to = append(to, base+strings.ToLower(path.Ext(name)))
	}
	return to
}
