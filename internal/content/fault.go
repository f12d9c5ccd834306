// Package content reads what editors write: text files in any encoding that they meet, YAML into structs with all
// faults by line, and names of files in any Unicode form.
package content

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"zedcard/i18n"
)

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
func (f Fault) Text(lang i18n.Lang) string {
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
	return f.Place() + ": " + f.Text(i18n.EN)
}

// Place is "file:line", or the file alone.
func (f Fault) Place() string {
	if f.Line == 0 {
		return f.File
	}
	return f.File + ":" + strconv.Itoa(f.Line)
}

// Sort orders by file and line, and drops repeats.
func Sort(faults []Fault) []Fault {
	slices.SortFunc(faults, func(a, b Fault) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Key, b.Key),
			slices.Compare(a.Args, b.Args))
	})
	return slices.CompactFunc(faults, func(a, b Fault) bool {
		return a.File == b.File && a.Line == b.Line && a.Key == b.Key && slices.Equal(a.Args, b.Args)
	})
}
