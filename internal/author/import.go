package author

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/folder"
)

// Import is a spreadsheet that becomes talents.
type Import struct {
	File     string // a workbook or a CSV
	Pictures string // the folder with a folder of pictures for each row; empty: none
	Dates    string // the order of dates other than 1999-03-02: dmy, mdy; empty: there are none
	DryRun   bool   // nothing is written

	MinorCategories agency.MinorCategories // which categories are of minors
}

// importFields are the fields that a column may have, in the order in which a talent.yaml has them.
var importFields = slices.Concat(
	[]string{"id", "name", "gender", "birthdate", "boards", "categories"}, agency.MeasureNames(),
	[]string{"measured", "in_town", "in_town_from", "in_town_until", "instagram", "draft", "pictures"},
)

type importer struct {
	Import
	reading folder.Reading
	now     time.Time
	root    string
	out     io.Writer
	columns []column
	there   map[string]string // by id and by nameKey: the talent.yaml that has it
	rowsOf  map[string]int    // by nameKey: how many rows without an id have it
	takenBy map[string]int    // by id: the line
	mixed   bool              // the file has an H for men: its M may be mujer
	number  int               // of the last folder
	lastID  int
	notes   notes

	rows, added, known, faulty int
}

// Run adds the talents of a spreadsheet to a content folder, and tells of each row. What is there already is left
// alone. It reports whether all rows were taken.
func (i Import) Run(root string, out io.Writer) (ok bool, err error) {
	reading, err := folder.Read(os.DirFS(root), folder.Config{MinorCategories: i.MinorCategories})
	if err != nil {
		return false, err
	}
	im := &importer{
		Import: i, reading: reading, now: time.Now(), root: root, out: out,
		there: map[string]string{}, rowsOf: map[string]int{}, takenBy: map[string]int{},
	}
	table, err := ReadSheet(i.File, im.isHead)
	if err != nil {
		return false, fmt.Errorf("%s: %w", i.File, err)
	}
	im.readTalentsThere()
	im.readHeadings(table.Head)
	var talents []talentRow
	for _, row := range table.Rows {
		if t := im.valuesOf(row); t.filled > 1 || len(t.faults) > 0 {
			im.index(t)
			talents = append(talents, t)
		} else {
			im.say(row.Line, "passed over: %s", strings.TrimSpace(strings.Join(row.Cells, " ")))
		}
	}
	for _, t := range talents {
		if err := im.add(t); err != nil {
			return false, err
		}
	}
	for _, left := range table.Left {
		_, _ = fmt.Fprintf(out, "%s: %s\n", i.File, left) // no other place for it
	}
	im.notes.write(out, i.File)
	ending := ""
	if i.DryRun {
		ending = "; nothing written (--dry-run)"
	}
	_, err = fmt.Fprintf(out, "%d rows: %d new, %d already there, %d with faults%s\n",
		im.rows, im.added, im.known, im.faulty, ending)
	return im.faulty == 0 && !im.notes.faulty, err
}

func (im *importer) say(line int, format string, args ...any) {
	_, _ = fmt.Fprintf(im.out, "%s:%d: %s\n", im.File, line, fmt.Sprintf(format, args...)) // no other place for it
}

// notes are what is told of rows, the same of many rows once.
type notes struct {
	texts  []string
	lines  map[string][]int
	faulty bool // a column has a fault
}

func (n *notes) add(line int, text string) {
	if n.lines == nil {
		n.lines = map[string][]int{}
	}
	if len(n.lines[text]) == 0 {
		n.texts = append(n.texts, text)
	}
	n.lines[text] = append(n.lines[text], line)
}

func (n *notes) write(out io.Writer, file string) {
	for _, text := range n.texts {
		lines, more := n.lines[text], ""
		if len(lines) > 1 {
			var named []string
			for _, line := range lines[:min(len(lines), 10)] {
				named = append(named, strconv.Itoa(line))
			}
			if len(lines) > 10 {
				named = append(named, "…")
			}
			more = fmt.Sprintf(" (%d rows: %s)", len(lines), strings.Join(named, ", "))
		}
		_, _ = fmt.Fprintf(out, "%s:%d: %s%s\n", file, lines[0], text, more)
	}
}

// readTalentsThere notes the ids and names of the folder's talents.
func (im *importer) readTalentsThere() {
	for _, dir := range im.reading.TalentFolders() {
		im.number = max(im.number, folder.LeadingNumber(dir))
		file := path.Join("talents", dir, "talent.yaml")
		id, name := im.reading.Talent(dir)
		im.lastID = max(im.lastID, id)
		im.there[strconv.Itoa(id)] = file
		im.there[nameKey(name)] = file
	}
	delete(im.there, "0")
	delete(im.there, "")
}

// nameKey is the same for two ways of writing a name: in any case, with or without accents, surname first or last.
func nameKey(name string) string {
	words := strings.FieldsFunc(agency.Fold(name), func(r rune) bool { return !unicode.IsLetter(r) })
	slices.Sort(words)
	return strings.Join(words, " ")
}

// talentRow is a row with the text of each field.
type talentRow struct {
	line   int
	values map[string]string
	filled int      // cells with a text, also those of columns that are left out
	faults []string // of its cells
}

// valuesOf are the values of a row as the sheet has them.
func (im *importer) valuesOf(row Row) talentRow {
	t := talentRow{line: row.Line, values: map[string]string{}}
	for at, cell := range row.Cells {
		if cell = strings.TrimSpace(cell); cell == "" {
			continue
		}
		t.filled++
		if at >= len(im.columns) {
			t.faults = append(t.faults, "the row has more values than there are headings: a comma or semicolon in a "+
				"value needs the value in quotes")
			break
		}
		if fault := im.columns[at].put(t.values, cell); fault != "" {
			t.faults = append(t.faults, fault)
		}
	}
	return t
}

// wholeNumber is an id as spreadsheets write it: 2.0 is 2.
var wholeNumber = regexp.MustCompile(`^0*([0-9]+)(?:[.,]0+)?$`)

// index notes the names and ids of a row, which must be known before the first talent is added.
func (im *importer) index(t talentRow) {
	if found := wholeNumber.FindStringSubmatch(t.values["id"]); found != nil {
		t.values["id"] = found[1]
		id, _ := strconv.Atoi(found[1]) // too large for an id is a fault
		im.lastID = max(im.lastID, id)
	}
	if t.values["id"] == "" {
		im.rowsOf[nameKey(t.values["name"])]++
	}
	im.mixed = im.mixed || folder.Fold(t.values["gender"]) == "h"
}

// add makes a row's talent, unless they are there or the row has a fault.
func (im *importer) add(t talentRow) error {
	im.rows++
	id, key := t.values["id"], nameKey(t.values["name"])
	if file := cmp.Or(im.there[id], im.there[key]); file != "" {
		im.known++
		im.say(t.line, "already there, left alone: %s", path.Dir(file))
		return nil
	}
	if id == "" {
		id = strconv.Itoa(im.lastID + 1)
	}
	dir := talentFolder(im.number, t.values["name"])
	text, faults := im.talent(t, id, path.Join(dir, "talent.yaml"))
	if len(faults) > 0 {
		im.faulty++
		for _, fault := range faults {
			im.notes.add(t.line, fault+"; left out")
		}
		return nil
	}
	im.takenBy[id], im.number = t.line, folder.LeadingNumber(path.Base(dir))
	im.lastID = max(im.lastID, folder.LeadingNumber(id))
	im.added++
	pictures, err := im.copyPictures(t, dir) // first: a running site reads the folder at any moment
	if err == nil && !im.DryRun {
		err = writeFile(im.root, path.Join(dir, "talent.yaml"), text)
	}
	if err != nil { // half a talent would be in the way of the next run
		return cmp.Or(os.RemoveAll(filepath.Join(im.root, filepath.FromSlash(dir))), err)
	}
	im.say(t.line, "new: %s, id %s, %d pictures", dir, id, pictures)
	return nil
}

// talent is a row's talent.yaml, or what is wrong with it.
func (im *importer) talent(t talentRow, id, file string) (text []byte, faults []string) {
	name, key := t.values["name"], nameKey(t.values["name"])
	faults = t.faults
	switch other := im.takenBy[id]; {
	case !agency.HasLetter(name):
		faults = append(faults, fmt.Sprintf("name %q: a name has a letter", name))
	case strings.ContainsAny(name, "?\ufffd"):
		faults = append(faults, "name "+name+": letters were lost when the file was saved; save it as .xlsx")
	case t.values["id"] == "" && im.rowsOf[key] > 1:
		faults = append(faults, fmt.Sprintf("%d rows are called %s: give each an id, or remove what is there twice",
			im.rowsOf[key], name))
	case other != 0:
		faults = append(faults, fmt.Sprintf("id %s is that of line %d", id, other))
	}
	if t.values["gender"] == "" {
		t.values["gender"] = string(im.genderOf(t.values["boards"]))
	}
	text = []byte("id: " + id + "\n")
	for _, field := range importFields[1 : len(importFields)-1] {
		if value := t.values[field]; value != "" {
			written, fault := im.written(t.line, field, value)
			if fault != "" {
				faults = append(faults, fault)
				continue
			}
			text = append(text, field+": "+written+"\n"...)
		}
	}
	if len(faults) == 0 {
		found, _ := im.reading.TalentFaults(file, text)
		for _, fault := range found {
			if !fault.Remark {
				faults = append(faults, fault.Text(i18n.Of(i18n.EN)))
			}
		}
	}
	return text, faults
}

// genderOf is the gender of the boards, for a row that says none: they are of one, or it stays open.
func (im *importer) genderOf(boards string) (gender agency.Gender) {
	all := im.reading.Site().Boards.Groups()
	for name := range strings.SplitSeq(boards, "|") {
		board := agency.BoardNamed(all, strings.TrimSpace(name))
		if board == nil {
			continue
		}
		of := cmp.Or(board.Only, board.Filter.Gender)
		if of != "" && gender != "" && of != gender {
			return ""
		}
		gender = cmp.Or(gender, of)
	}
	return gender
}
