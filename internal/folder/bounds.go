package folder

import (
	"bytes"
	"errors"
	"io/fs"
	"strconv"
)

// Limits of what is parsed: a parser's time and memory grow faster than the text, and somebody may wait for a page.
const (
	maxBytes   = 2 << 20 // of a file
	maxLine    = 20_000  // bytes
	maxYAML    = 256 << 10
	maxEntries = 10_000 // of YAML, line breaks and commas; of Markdown, brackets that may begin a link
	maxDepth   = 50
	maxMarks   = 100 // | in a line of Markdown, each of which begins a column
	maxBody    = 512 << 10
)

// errNoFile is the error of what has the name of a file and is none: a pipe would be waited for.
var errNoFile = errors.New("no plain file")

func readPlain(folder fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(folder, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNoFile
	case info.Size() > maxBytes:
		return nil, fs.ErrInvalid
	}
	return fs.ReadFile(folder, name)
}

func (f *File) tooLarge(most int) { f.Fault(0, "fault.file-large", "most", strconv.Itoa(most>>10)) }

// boundLines finds a line that is too long, or git's.
func (f *File) boundLines() {
	at := 1
	for line := range bytes.Lines(f.Text) {
		if len(line) > maxLine {
			f.Fault(at, "fault.line-long", "most", strconv.Itoa(maxLine))
			return
		}
		if bytes.HasPrefix(line, []byte("<<<<<<< ")) {
			f.Fault(at, "fault.git")
			return
		}
		at++
	}
}

// isBounded reports whether a text is one that the parser of YAML is given.
func (f *File) isBounded(text []byte) bool {
	if len(text) > maxYAML {
		f.tooLarge(maxYAML)
		return false
	}
	line, depth, entries, indent, isStart := 1, 0, 0, 0, true
	for _, b := range text {
		switch b {
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(depth-1, 0)
		case '\n':
			line, indent, isStart = line+1, 0, true
		}
		if b == '\n' || b == ',' {
			entries++
		}
		switch {
		case isStart && (b == '-' || b == '?' || b == ' ' || b == '\t'): // each may begin a level
			indent++
		case b != '\n':
			isStart = false
		}
		switch {
		case depth > maxDepth || indent > 2*maxDepth:
			f.Fault(line, "fault.deep")
			return false
		case entries > maxEntries:
			f.Fault(line, "fault.entries", "most", strconv.Itoa(maxEntries))
			return false
		}
	}
	return true
}

// boundBody finds what the parser of Markdown is not given.
func (f *File) boundBody(body []byte, first int) {
	at := first
	switch {
	case len(body) > maxBody:
		f.tooLarge(maxBody)
		return
	case bytes.Count(body, []byte("[")) > maxEntries:
		f.Fault(at, "fault.deep")
		return
	}
	for line := range bytes.Lines(body) {
		marks := len(line) - len(bytes.TrimLeft(line, " \t>-+*.)0123456789"))
		switch {
		case bytes.Count(line, []byte("|")) > maxMarks:
			f.Fault(at, "fault.columns", "most", strconv.Itoa(maxMarks))
			return
		case marks > 2*maxDepth && len(bytes.Trim(line, " -*_=\n\t")) > 0: // else it is a rule
			f.Fault(at, "fault.deep")
			return
		}
		at++
	}
}
