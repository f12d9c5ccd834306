package folder

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
)

// pictureTypes are the MIME types of the files that count as pictures and are served under /storage/, by extension.
var pictureTypes = map[string]string{
	".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".gif": "image/gif", ".webp": "image/webp",
}

// PictureType is the MIME type of a picture's name, empty for any other file.
func PictureType(name string) string { return pictureTypes[strings.ToLower(path.Ext(name))] }

// IsHEIC reports whether a file is what iPhones save.
func IsHEIC(name string) bool {
	return slices.Contains([]string{".heic", ".heif", ".hif", ".heics", ".heifs", ".avci"},
		strings.ToLower(path.Ext(name)))
}

// size is the version, width and height in pixels of an upright picture, or the key of the fault for which it is
// not shown.
type size struct {
	stamp         stamp
	version       string // see picture.Original.Version
	width, height int
	inks          bool // CMYK
	fault         string
	args          []string
}

// size reads the header of a picture, unless the last state has it as it is now: after an edit of one file only that
// file is read.
func (l *loader) size(name string) size {
	l.at = name
	read, ok := l.next.sizes[name]
	if !ok {
		now := l.tree.files[name]
		if read, ok = l.last.sizes[name]; !ok || read.stamp != now {
			read = readSize(l.folder, name, now.size, l.config.decodes)
			read.stamp = now
		}
		l.next.sizes[name] = read
	}
	return read
}

func readSize(folder fs.FS, name string, length int64, decodes bool) size {
	unreadable := func(why string) size {
		return size{fault: "fault.picture-unreadable", args: []string{"error", why}}
	}
	file, err := folder.Open(name)
	if err != nil {
		return unreadable(err.Error())
	}
	defer file.Close()
	seekable := file.(io.ReadSeeker) // as every plain file is
	if length > agency.MaxOriginal {
		return size{fault: "fault.picture-large", args: []string{
			"size", strconv.FormatInt(length>>20, 10), "most", strconv.Itoa(agency.MaxOriginal >> 20),
		}}
	}
	original, err := picture.Probe(seekable)
	switch {
	case errors.Is(err, picture.ErrPixels):
		return size{fault: "fault.picture-pixels"}
	case errors.Is(err, picture.ErrMemory):
		return size{fault: "fault.picture-memory"}
	case errors.Is(err, picture.ErrHEIC):
		return size{fault: "fault.picture-heic"}
	case errors.Is(err, picture.ErrKind):
		return size{fault: "fault.picture-kind"}
	case err != nil:
		return unreadable(err.Error())
	case "image/"+string(original.Format) != PictureType(name):
		return size{fault: "fault.picture-format", args: []string{"format", string(original.Format)}}
	}
	if decodes || original.Format == picture.JPEG && !hasEnd(seekable) && original.Memory(0, 0) <= maxDecoded {
		switch _, err := original.Decode(original.Bounds(), 1, 1); {
		case errors.Is(err, picture.ErrKind):
			return size{fault: "fault.picture-kind"}
		case err != nil:
			return size{fault: "fault.picture-incomplete"}
		}
	}
	version, err := original.Version()
	if err != nil {
		return unreadable(err.Error())
	}
	return size{version: version, width: original.Width, height: original.Height, inks: original.CMYK()}
}

// maxDecoded is how many bytes a picture may take that this process decodes.
const maxDecoded = 64 << 20

// hasEnd reports whether a JPEG has its end: a copy may have stopped on the way, or a program does not write it. Most
// files end with it; some cameras write more behind it, and those are searched from the scan on, whose end no preview
// can be mistaken for.
func hasEnd(file io.ReadSeeker) bool {
	end := []byte{0xff, 0xd9}
	var last [2]byte
	if _, err := file.Seek(-2, io.SeekEnd); err != nil {
		return false
	}
	if _, err := io.ReadFull(file, last[:]); err != nil || bytes.Equal(last[:], end) {
		return err == nil
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return false
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return false
	}
	for at := 2; at+4 <= len(data) && data[at] == 0xff; {
		marker, length := data[at+1], int(data[at+2])<<8|int(data[at+3])
		at += 2 + length
		if marker == 0xda && at < len(data) {
			return bytes.Contains(data[at:], end)
		}
	}
	return false
}

// picture finds the picture that a field of a file names. If there is none, or none that can be shown, it notes a
// fault and returns false.
func (l *loader) picture(f *File, file string, line int) (agency.Picture, bool) {
	found, fault, args := l.lookUp(file)
	if fault != "" {
		f.Fault(line, fault, args...)
	} else if l.next.sizes[file].inks {
		f.Remark(line, "fault.picture-inks", args...)
	}
	return found, fault == ""
}

// lookUp finds a picture, or says what is wrong with it.
func (l *loader) lookUp(file string) (found agency.Picture, fault string, args []string) {
	args = []string{"picture", file}
	switch {
	case !fs.ValidPath(file) || strings.Contains(file, `\`):
		return found, "fault.picture-path", args
	case IsHEIC(file):
		return found, "fault.picture-heic", args
	case PictureType(file) == "":
		return found, "fault.picture-type", args
	case l.tree.has(file):
		size := l.size(file)
		found = agency.Picture{File: file, Width: size.width, Height: size.height}
		return found, size.fault, append(args, size.args...)
	}
	for _, name := range l.tree.folders[path.Dir(file)] {
		if Fold(name) == Fold(path.Base(file)) {
			return found, "fault.picture-case", append(args, "other", name)
		}
	}
	return found, "fault.picture-missing", args
}

// optionalPicture is the path of a picture if one is named, else empty; at is the path of the field.
func (l *loader) optionalPicture(f *File, folder, name, at string) string {
	if name == "" {
		return ""
	}
	if picture, ok := l.picture(f, path.Join(folder, name), f.Line(at)); ok {
		return picture.File
	}
	return ""
}

// withPrefix lists the files of a folder whose names begin with prefix in any case, book-2 before book-10.
func (t tree) withPrefix(folder, prefix string) []string {
	names := slices.DeleteFunc(slices.Clone(t.folders[folder]), func(name string) bool {
		return !strings.HasPrefix(strings.ToLower(name), prefix)
	})
	slices.SortFunc(names, ByNumber)
	return names
}

var digits = regexp.MustCompile(`[0-9]+`)

// ByNumber sorts names in any case, and 2 before 10.
func ByNumber(a, b string) int {
	padded := func(name string) string {
		return digits.ReplaceAllStringFunc(strings.ToLower(name), func(number string) string {
			return strings.Repeat("0", max(0, 9-len(number))) + number
		})
	}
	return cmp.Or(strings.Compare(padded(a), padded(b)), strings.Compare(a, b))
}

// LeadingNumber is the number that a text begins with, 0 without one.
func LeadingNumber(text string) int {
	end := strings.IndexFunc(text+".", func(r rune) bool { return r < '0' || r > '9' })
	number, _ := strconv.Atoi(text[:end])
	return number
}
