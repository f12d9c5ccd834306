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
	"zedcard/internal/author/sheet"
	"zedcard/internal/backend/embedded"
	"zedcard/internal/textfile"
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
var importFields = []string{
	"id", "name", "gender", "birthdate", "boards", "categories", "height", "bust", "chest", "waist", "hips", "suit",
	"shoes", "jeans", "hair", "eyes", "in_town", "in_town_from", "in_town_until", "instagram", "draft", "pictures",
}

// nameParts are the columns that a sheet may have in the place of the name.
var nameParts = []string{"first_name", "last_name"}

type importer struct {
	Import
	reading embedded.Reading
	now     time.Time
	root    string
	out     io.Writer
	columns []column
	there   map[string]string // by id and by nameKey: the talent.yaml that has it
	rowsOf  map[string][]int  // by nameKey: the lines of the file
	hasIDs  map[string]bool   // by nameKey: whether each of these rows has an id
	takenBy map[string]int    // by id: the line
	mixed   bool              // the file has an H for men: its M may be mujer
	number  int               // of the last folder
	lastID  int
	notes   notes
	photos  *photoFolders // nil: none are copied

	rows, added, known, faulty int
}

// Run adds the talents of a spreadsheet to a content folder, and tells of each row. What is there already is left
// alone. It reports whether all rows were taken.
func (i Import) Run(root string, out io.Writer) (ok bool, err error) {
	table, err := sheet.Read(i.File)
	if err != nil {
		return false, fmt.Errorf("%s: %w", i.File, err)
	}
	reading, err := embedded.Read(os.DirFS(root), embedded.Config{MinorCategories: i.MinorCategories})
	if err != nil {
		return false, err
	}
	im := &importer{
		Import: i, reading: reading, now: time.Now(), root: root, out: out,
		there: map[string]string{}, rowsOf: map[string][]int{}, hasIDs: map[string]bool{}, takenBy: map[string]int{},
	}
	im.readTalentsThere()
	if im.photos, err = openPhotoFolders(i.Pictures); err != nil {
		return false, err
	}
	head := im.readHeadings(table.Rows)
	if head < 0 {
		return false, fmt.Errorf("%s: no row of headings is found: one of them must be “name”, or what the site calls "+
			"it", i.File)
	}
	for _, row := range table.Rows[:head] {
		im.pass(row)
	}
	var talents []talentRow
	for _, row := range table.Rows[head+1:] {
		if talent := im.valuesOf(row); talent.isTalent() {
			im.index(talent)
			talents = append(talents, talent)
		} else {
			im.pass(row)
		}
	}
	for _, talent := range talents {
		if err := im.add(talent); err != nil {
			return false, err
		}
	}
	im.sayPassedOver(table)
	im.notes.write(out, i.File)
	ending := ""
	if i.DryRun {
		ending = "; nothing written (--dry-run)"
	}
	_, err = fmt.Fprintf(out, "%d rows: %d new, %d already there, %d with faults%s\n",
		im.rows, im.added, im.known, im.faulty, ending)
	return im.faulty == 0 && !im.notes.faulty, err
}

// pass tells of a row that is no talent's.
func (im *importer) pass(row sheet.Row) {
	text := []rune(strings.Join(strings.Fields(strings.Join(row.Cells, " ")), " "))
	if len(text) > 60 {
		text = append(text[:60], '…')
	}
	im.say(row.Line, "passed over: %s", string(text))
}

func (im *importer) sayPassedOver(table sheet.Table) {
	if table.Blank > 0 {
		_, _ = fmt.Fprintf(im.out, "%s: %d blank rows are passed over\n", im.File, table.Blank) // no other place
	}
	for _, name := range table.Others {
		_, _ = fmt.Fprintf(im.out, "%s: the sheet %q is not read: save it as a file of its own\n", im.File, name)
	}
	if im.photos != nil {
		im.photos.sayUnnamed(im.out)
	}
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

// add notes a text about a line. Texts of the same kind are told once, by the first.
func (n *notes) add(line int, kind, text string) {
	if n.lines == nil {
		n.lines = map[string][]int{}
	}
	if len(n.lines[kind]) == 0 {
		n.texts = append(n.texts, kind, text)
	}
	if !slices.Contains(n.lines[kind], line) {
		n.lines[kind] = append(n.lines[kind], line)
	}
}

func (n *notes) write(out io.Writer, file string) {
	for i := 0; i < len(n.texts); i += 2 {
		lines, more := n.lines[n.texts[i]], ""
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
		_, _ = fmt.Fprintf(out, "%s:%d: %s%s\n", file, lines[0], n.texts[i+1], more)
	}
}

var (
	idLine      = regexp.MustCompile(`(?m)^id: *0*([0-9]+)`)
	thereName   = regexp.MustCompile(`(?m)^name: *["']?([^"'\n#]*)`)
	letterWords = func(r rune) bool { return !unicode.IsLetter(r) }
)

// readTalentsThere notes the ids and names of the folder's talents, those in files with faults, too.
func (im *importer) readTalentsThere() {
	for _, folder := range im.reading.TalentFolders() {
		im.number = max(im.number, embedded.LeadingNumber(folder))
		file := path.Join("talents", folder, "talent.yaml")
		id, name, text := im.reading.Talent(folder)
		if found := idLine.FindSubmatch(text); id == 0 && found != nil {
			id, _ = strconv.Atoi(string(found[1])) // 0: too large for an id
		}
		if found := thereName.FindSubmatch(text); name == "" && found != nil {
			name = string(found[1])
		}
		im.lastID = max(im.lastID, id)
		im.there[strconv.Itoa(id)] = file
		im.there[nameKey(name)] = file
	}
	delete(im.there, "0")
	delete(im.there, "")
}

// nameKey is the same for two ways of writing a name: in any case, with or without accents, surname first or last.
func nameKey(name string) string {
	words := strings.FieldsFunc(agency.Fold(name), letterWords)
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

// totals are words that begin the name's cell of a row that counts or explains.
var totals = strings.Fields("total totals totale totali totaux totales razem suma summe gesamt somma sum count " +
	"average mean media moyenne srednia durchschnitt celkem soma promedio nota notas note notes uwaga uwagi")

// isTalent reports whether a row is somebody's, and no total or note below the list.
func (t talentRow) isTalent() bool {
	has := func(fields ...string) bool {
		return slices.ContainsFunc(fields, func(field string) bool { return t.values[field] != "" })
	}
	name := t.values["name"]
	words := strings.FieldsFunc(agency.Fold(name), letterWords)
	switch {
	case has("birthdate", "boards", "categories"):
		return true
	case len(words) == 0 || slices.Contains(totals, words[0]):
		return false
	}
	return has("id", "gender", "pictures") || t.filled > 1 && !strings.ContainsAny(name, ":0123456789")
}

// valuesOf are the values of a row as the sheet has them.
func (im *importer) valuesOf(row sheet.Row) talentRow {
	t := talentRow{line: row.Line, values: map[string]string{}}
	for at, cell := range row.Cells {
		if value := strings.Join(strings.Fields(cell), " "); value == "" {
			continue
		} else if t.filled++; at >= len(im.columns) {
			t.faults = append(t.faults, "the row has more values than there are headings: a comma or semicolon in a "+
				"value needs the value in quotes")
			break
		} else if cellError.MatchString(value) && len(im.columns[at].fields) > 0 {
			t.faults = append(t.faults, fmt.Sprintf("%s %s is an error of the spreadsheet; correct it there",
				im.columns[at].fields[0], value))
		} else if faults := im.columns[at].put(t.values, cell); faults != "" {
			t.faults = append(t.faults, faults)
		}
	}
	if t.values["name"] == "" {
		t.values["name"] = strings.TrimSpace(t.values[nameParts[0]] + " " + t.values[nameParts[1]])
	}
	return t
}

// cellError is what a spreadsheet shows where it can't work out a value.
var cellError = regexp.MustCompile(`^#(N/?A|VALUE!|WERT!|ARG!|REF!|DIV/0!|NAME\?|NUM!|NULL!|ERROR!|BRAK|N/D)`)

// wholeNumber is an id as spreadsheets write it: 2.0 is 2.
var wholeNumber = regexp.MustCompile(`^0*([0-9]+)(?:[.,]0+)?$`)

// index notes the names and ids of a row, which must be known before the first talent is added.
func (im *importer) index(t talentRow) {
	if found := wholeNumber.FindStringSubmatch(t.values["id"]); found != nil {
		t.values["id"] = found[1]
		id, _ := strconv.Atoi(found[1]) // too large for an id is a fault
		im.lastID = max(im.lastID, id)
	}
	key := nameKey(t.values["name"])
	im.hasIDs[key] = t.values["id"] != "" && (len(im.rowsOf[key]) == 0 || im.hasIDs[key])
	im.rowsOf[key] = append(im.rowsOf[key], t.line)
	im.mixed = im.mixed || textfile.Fold(t.values["gender"]) == "h"
	if im.photos != nil {
		im.photos.expect(t.values["pictures"], t.values["name"])
	}
}

// add makes a row's talent, unless they are there or the row has a fault.
func (im *importer) add(t talentRow) error {
	im.rows++
	name, id := t.values["name"], t.values["id"]
	key := nameKey(name)
	if file := cmp.Or(im.there[id], im.there[key]); file != "" {
		im.known++
		im.say(t.line, "already there, left alone: %s", path.Dir(file))
		return nil
	}
	faults := t.faults
	if rows := im.rowsOf[key]; key != "" && len(rows) > 1 && !im.hasIDs[key] {
		faults = append(faults, fmt.Sprintf("%d rows are called %s: give each an id, or remove what is there twice",
			len(rows), name))
	}
	if strings.ContainsAny(name, "?\ufffd") {
		faults = append(faults, "name "+name+": letters were lost when the file was saved; save it as .xlsx")
	}
	if other := im.takenBy[id]; id != "" && other != 0 {
		faults = append(faults, fmt.Sprintf("id %s is that of line %d", id, other))
	}
	if id == "" {
		id = strconv.Itoa(im.lastID + 1)
	}
	text := []byte("id: " + id + "\n")
	for _, field := range importFields[1:] {
		if value := t.values[field]; value != "" && field != "pictures" {
			written, fault := im.written(t.line, field, value)
			if fault != "" {
				faults = append(faults, fault)
			} else {
				text = append(text, field+": "+written+"\n"...)
			}
		}
	}
	folder := talentFolder(im.number, name)
	found, invalid := im.reading.TalentFaults(path.Join(folder, "talent.yaml"), text)
	for _, fault := range found {
		if !fault.Remark && len(faults) == 0 || invalid && len(t.faults) == 0 && !fault.Remark {
			faults = append(faults, fault.Text(i18n.Of(i18n.EN)))
		}
	}
	if len(faults) > 0 {
		im.faulty++
		for _, fault := range faults {
			im.notes.add(t.line, fault, fault+"; left out")
		}
		return nil
	}
	im.takenBy[id], im.number = t.line, embedded.LeadingNumber(path.Base(folder))
	im.lastID = max(im.lastID, embedded.LeadingNumber(id))
	im.added++
	pictures, err := im.write(t, folder, text)
	if err != nil { // half a talent would be in the way of the next run
		return cmp.Or(os.RemoveAll(filepath.Join(im.root, filepath.FromSlash(folder))), err)
	}
	im.say(t.line, "new: %s, id %s, %d pictures", folder, id, pictures)
	return nil
}

// write writes a talent's folder, pictures first: a running site reads it at any moment.
func (im *importer) write(t talentRow, folder string, text []byte) (pictures int, err error) {
	if im.photos != nil {
		var cover string
		pictures, cover, err = im.copyPictures(t, folder)
		if cover != "" {
			text = append(text, "cover: "+cover+"\n"...)
		}
	}
	if err != nil || im.DryRun {
		return pictures, err
	}
	return pictures, writeFile(im.root, path.Join(folder, "talent.yaml"), text)
}
