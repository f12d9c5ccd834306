package folder

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	encoding "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/unicode/norm"

	"zedcard/i18n"
)

// File is one file of the folder while it is read, with its faults.
type File struct {
	Name    string
	Text    []byte // UTF-8 in NFC, with line feeds
	Faults  []Fault
	Invalid bool // the file can't be used

	// Meant is the field that a word stands for, which is suggested where a field is unknown; nil: none is known.
	Meant func(word string) string

	lines int // of the text

	lineOf  map[string]int // by path, as video[0].file
	keysOf  map[string][]string
	refused map[string]bool
}

// ReadFile reads a file that an editor wrote.
func ReadFile(folder fs.FS, name string) *File {
	f := &File{Name: name}
	text, err := readPlain(folder, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Fault(0, "fault.file-missing")
	case errors.Is(err, errNoFile):
		f.Fault(0, "fault.file-plain")
	case errors.Is(err, fs.ErrInvalid):
		f.tooLarge(maxBytes)
	case err != nil:
		f.Fault(0, "fault.file-unreadable")
	default:
		f.use(text)
		f.boundLines()
	}
	return f
}

// Parse is a file with this text.
func Parse(name string, text []byte) *File {
	f := &File{Name: name}
	f.use(text)
	return f
}

func (f *File) use(text []byte) {
	if decoded, err := utf16.NewDecoder().Bytes(text); err == nil {
		text = decoded
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	f.lines = bytes.Count(text, []byte("\n"))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 || r == 0 {
			f.Fault(1+bytes.Count(text[:i], []byte("\n")), "fault.encoding")
			return
		}
		i += size
	}
	f.Text = norm.NFC.Bytes(bytes.Map(blankControl, text))
}

// blankControl makes a blank of what layout programs put between lines of one paragraph, as U+2028 and the vertical
// tab: YAML refuses them or begins a line.
func blankControl(r rune) rune {
	if unicode.IsControl(r) && r != '\n' && r != '\t' || r == '\u2028' || r == '\u2029' {
		return ' '
	}
	return r
}

// utf16 reads texts with a byte order mark, in either order; any other text is an error.
var utf16 = encoding.UTF16(encoding.LittleEndian, encoding.ExpectBOM)

// Fault notes what keeps the file from being used.
func (f *File) Fault(line int, key string, args ...string) {
	f.Invalid = true
	f.Warn(line, key, args...)
}

// Warn notes a fault of a file that is used nevertheless.
func (f *File) Warn(line int, key string, args ...string) {
	line = min(line, max(f.lines, 1)) // the parser also names the line behind the last
	f.Faults = append(f.Faults, Fault{File: f.Name, Line: line, Key: key, Args: args})
}

// Remark notes what may be meant.
func (f *File) Remark(line int, key string, args ...string) {
	f.Warn(line, key, args...)
	f.Faults[len(f.Faults)-1].Remark = true
}

// Line is that of a value by its path, as video[0].file; 0 if it is absent.
func (f *File) Line(path string) int { return f.lineOf[path] }

// Keys are the names in a group, in their order.
func (f *File) Keys(path string) []string { return f.keysOf[path] }

// FrontMatter reads the fields at the head of a Markdown file and returns the text below, with the line that it begins
// on.
func (f *File) FrontMatter(into any) (body []byte, line int) {
	if f.Invalid {
		return nil, 0
	}
	fence := []byte("---\n")
	if !bytes.HasPrefix(f.Text, fence) {
		f.Fault(1, "fault.front-matter-missing")
		return nil, 0
	}
	// Begins at the line break of the first fence, so that empty front matter ends, too.
	head, body, ok := bytes.Cut(f.Text[len(fence)-1:], append([]byte("\n"), fence...))
	if !ok {
		f.Fault(1, "fault.front-matter-open")
		return nil, 0
	}
	if len(bytes.TrimSpace(head)) == 0 {
		f.Fault(1, "fault.front-matter-empty")
		return nil, 0
	}
	f.decode(head, into)
	f.boundBody(body, bytes.Count(head, []byte("\n"))+3)
	return body, bytes.Count(head, []byte("\n")) + 3
}

// Fold makes words comparable that editors take for the same: in any case and any Unicode form.
func Fold(word string) string { return strings.ToLower(norm.NFC.String(strings.TrimSpace(word))) }

// AnyForm finds files by names in NFC, however the system stores them: Macs keep accents apart from their letters.
type AnyForm struct{ fs.FS }

func (folder AnyForm) Open(name string) (fs.File, error) { return inAnyForm(name, folder.FS.Open) }

// Stat does not open the file, as fs.Stat would: a pipe is opened only once somebody writes to it.
func (folder AnyForm) Stat(name string) (fs.FileInfo, error) {
	return inAnyForm(name, func(name string) (fs.FileInfo, error) { return fs.Stat(folder.FS, name) })
}

func inAnyForm[V any](name string, open func(name string) (V, error)) (V, error) {
	found, err := open(name)
	if err == nil || norm.NFD.IsNormalString(name) {
		return found, err
	}
	dir, base := path.Split(name)
	for _, form := range []string{norm.NFD.String(name), dir + norm.NFD.String(base), norm.NFD.String(dir) + base} {
		if found, err := open(form); err == nil {
			return found, nil
		}
	}
	return found, err
}

// Fault is something that an editor should correct. File is the path below the content folder; Line counts from 1 and
// is 0 for the whole file (it is missing, or a picture).
type Fault struct {
	File   string
	Line   int
	Key    string   // of its text
	Args   []string // the names and values of the text's placeholders
	Remark bool     // the site does what the editor wanted
}

// Text is what is wrong and what to write instead. A value that is a key stands for its text.
func (f Fault) Text(lang *i18n.Language) string {
	args := slices.Clone(f.Args)
	for i, value := range args {
		if strings.HasPrefix(value, "fault.") {
			args[i] = lang.T(value)
		}
	}
	return lang.T(f.Key, args...)
}

// String is "file:line: text" in English, the form that editors' tools jump to.
func (f Fault) String() string {
	return f.Place() + ": " + f.Text(i18n.Of(i18n.EN))
}

// Place is "file:line", or the file alone.
func (f Fault) Place() string {
	if f.Line == 0 {
		return f.File
	}
	return f.File + ":" + strconv.Itoa(f.Line)
}

// SortFaults orders by file and line, and drops repeats.
func SortFaults(faults []Fault) []Fault {
	compare := func(a, b Fault) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Key, b.Key),
			slices.Compare(a.Args, b.Args))
	}
	slices.SortFunc(faults, compare)
	return slices.CompactFunc(faults, func(a, b Fault) bool { return compare(a, b) == 0 })
}
