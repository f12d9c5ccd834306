package embedded

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
)

// pictureTypes are the MIME types of the files that count as pictures and are served under /storage/, by extension.
var pictureTypes = map[string]string{
	".jpg":  "image/jpeg",
	".jpeg": "image/jpeg",
	".png":  "image/png",
	".gif":  "image/gif",
	".webp": "image/webp",
}

// pictureType is the MIME type of a picture's name, empty for any other file.
func pictureType(name string) string {
	return pictureTypes[strings.ToLower(path.Ext(name))]
}

// size is the width and height in pixels of an upright picture, or the fault for which they are unknown.
type size struct {
	stamp         stamp
	width, height int
	fault         string
}

// readSizes reads the headers of all pictures of the folder, except of those that known has as they are now: after an
// edit of one file only that file is read.
func readSizes(folder fs.FS, tree tree, known map[string]size) map[string]size {
	sizes := make(map[string]size, len(tree.files))
	for name, now := range tree.files {
		if pictureType(name) == "" {
			continue
		}
		read, ok := known[name]
		if !ok || read.stamp != now {
			read = readSize(folder, name)
			read.stamp = now
		}
		sizes[name] = read
	}
	return sizes
}

func readSize(folder fs.FS, name string) size {
	file, err := folder.Open(name)
	if err != nil {
		return size{fault: "can't be opened"}
	}
	defer file.Close()
	seekable, ok := file.(io.ReadSeeker)
	if !ok { // of a folder, or of a file system that can only be read from the beginning
		return size{fault: "can't be read"}
	}
	original, err := picture.Probe(seekable)
	switch {
	case errors.Is(err, picture.ErrPixels):
		return size{fault: "has more than 50 million pixels"}
	case err != nil:
		return size{fault: "is not a picture that can be read: " + err.Error()}
	case "image/"+string(original.Format) != pictureType(name):
		return size{fault: fmt.Sprintf("holds a %s picture; its name should end in .%[1]s", original.Format)}
	}
	return size{width: original.Width, height: original.Height}
}

// picture finds the picture that a field of a file names. If there is none, or none that can be shown, it notes a
// fault and returns false.
func (l *loader) picture(s *contentFile, file string, line int) (agency.Picture, bool) {
	if !fs.ValidPath(file) || strings.Contains(file, `\`) {
		s.fault(line, "%q is no file name; write it with / and without ..", file)
		return agency.Picture{}, false
	}
	if pictureType(file) == "" {
		s.fault(line, "%s is not a picture: jpg, png, gif and webp are", file)
		return agency.Picture{}, false
	}
	size, ok := l.sizes()[file]
	if !ok {
		s.fault(line, "the picture %s does not exist", file)
		return agency.Picture{}, false
	}
	if size.fault != "" {
		s.fault(line, "the picture %s %s", file, size.fault)
		return agency.Picture{}, false
	}
	return agency.Picture{File: file, Width: size.width, Height: size.height}, true
}

// optionalPicture is the path of a picture if one is named, else empty.
func (l *loader) optionalPicture(s *contentFile, folder string, name located[string]) string {
	if !name.isSet() {
		return ""
	}
	picture, _ := l.picture(s, path.Join(folder, name.value), name.line)
	return picture.File
}

// picturesWithPrefix lists the pictures of a folder whose names begin with prefix, book-2 before book-10.
func (t tree) picturesWithPrefix(folder, prefix string) []string {
	var names []string
	for _, name := range t.folders[folder] {
		if strings.HasPrefix(name, prefix) && pictureType(name) != "" {
			names = append(names, name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		byNumber := cmp.Compare(leadingNumber(a[len(prefix):]), leadingNumber(b[len(prefix):]))
		return cmp.Or(byNumber, strings.Compare(a, b))
	})
	return names
}

// leadingNumber is the number that a text begins with, 0 without one.
func leadingNumber(text string) int {
	number := 0
	for i := 0; i < len(text) && i < 9 && '0' <= text[i] && text[i] <= '9'; i++ {
		number = number*10 + int(text[i]-'0')
	}
	return number
}
