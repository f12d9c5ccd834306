package embedded

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// Fault is something that an editor should correct. File is the path below the content folder; Line counts from 1 and
// is 0 for the whole file (it is missing, or a picture).
type Fault struct {
	File string
	Line int
	Text string
}

// String is "file:line: text", the form that editors' tools jump to.
func (f Fault) String() string {
	if f.Line == 0 {
		return f.File + ": " + f.Text
	}
	return f.File + ":" + strconv.Itoa(f.Line) + ": " + f.Text
}

// Check reads a whole content folder and names every fault, ordered by file and line. It also names faults that don't
// keep a file from being served: a missing page that the site links to, a picture without a description, a file that is
// not read.
func Check(folder fs.FS) []Fault {
	tree, err := scan(folder)
	if err != nil {
		return []Fault{{File: ".", Text: "the content folder can't be read: " + err.Error()}}
	}
	_, faults := load(folder, tree, nil, Config{}.withDefaults())
	return faults
}

// sortFaults orders by file and line, and drops repeats.
func sortFaults(faults []Fault) []Fault {
	slices.SortFunc(faults, func(a, b Fault) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Text, b.Text))
	})
	return slices.Compact(faults)
}

// contentFile is one file of the folder while it is read, with its faults.
type contentFile struct {
	file    string
	lines   int // of the text
	faults  []Fault
	invalid bool // the file can't be used
}

// fault notes a fault that keeps the file from being used.
func (s *contentFile) fault(line int, format string, args ...any) {
	s.invalid = true
	s.warn(line, format, args...)
}

// warn notes a fault of a file that is used nevertheless.
func (s *contentFile) warn(line int, format string, args ...any) {
	line = min(line, max(s.lines, 1)) // YAML also counts line breaks that editors don't, as U+2028
	s.faults = append(s.faults, Fault{File: s.file, Line: line, Text: fmt.Sprintf(format, args...)})
}
