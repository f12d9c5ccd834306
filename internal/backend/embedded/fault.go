package embedded

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fault is something an editor should put right. File is the path below the content folder;
// Line counts from 1 and is 0 where the whole file is meant (it is missing, or a picture).
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

// Check reads a whole content folder and names every fault, ordered by file and line. It names
// more than what keeps a file from being served: also a page that the site links to and that is
// missing, a picture without a description, a file that nobody reads.
func Check(folder fs.FS) []Fault {
	tree, err := scan(folder)
	if err != nil {
		return []Fault{{File: ".", Text: "the content folder can't be read: " + err.Error()}}
	}
	_, faults := load(folder, tree, nil, time.Now())
	return faults
}

// sortFaults orders by file and line, and drops repeats.
func sortFaults(faults []Fault) []Fault {
	slices.SortFunc(faults, func(a, b Fault) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Text, b.Text))
	})
	return slices.Compact(faults)
}

// sheet is one file of the folder while it is read, and what is wrong with it.
type sheet struct {
	file    string
	faults  []Fault
	invalid bool // the file can't be taken as it is
}

// fault notes what keeps the file from being taken.
func (s *sheet) fault(line int, format string, args ...any) {
	s.invalid = true
	s.remark(line, format, args...)
}

// remark notes what an editor should put right in a file that is taken all the same.
func (s *sheet) remark(line int, format string, args ...any) {
	s.faults = append(s.faults, Fault{File: s.file, Line: line, Text: fmt.Sprintf(format, args...)})
}
