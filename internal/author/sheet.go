package author

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// Limits of a file that is read, in bytes, and of what is in it.
const (
	maxFile     = 32 << 20
	maxUnzipped = 64 << 20
	maxRows     = 20_000
	maxColumns  = 500
	maxCells    = 300_000
	maxAbove    = 30 // rows above the headings
)

// Row is a row with a text in one of its cells at least. Line is its number in the sheet, or its line in a CSV.
type Row struct {
	Line  int
	Cells []string
}

// Table is the list in a file. Days are yyyy-mm-dd where a workbook shows them as days.
type Table struct {
	Head Row
	Rows []Row
	Left []string // what is in the file and was left out
}

// Reasons for which a file is refused as a whole, with what to save instead.
var (
	errEncoding = errors.New("its letters can’t be told apart: it is not in UTF-8. Save it as .xlsx, or as " +
		"“CSV UTF-8”")
	errWorkbook = errors.New("this is no workbook that can be read: open it in Excel, LibreOffice or Google Sheets " +
		"and save it as .xlsx, without a password")
	errLarge = fmt.Errorf("a spreadsheet may have %d MB, %d rows and %d columns at most: save the list of talents "+
		"alone", maxFile>>20, maxRows, maxColumns)
	errHead = errors.New("no row of headings is found: one of them must be “name”, or what the site calls it")
)

// ReadSheet reads a workbook (.xlsx) or a CSV, whatever its name ends in: the first row that isHead says has the
// headings, and those below it.
func ReadSheet(name string, isHead func(cells []string) bool) (Table, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return Table{}, err
	case !info.Mode().IsRegular():
		return Table{}, errWorkbook
	case info.Size() > maxFile:
		return Table{}, errLarge
	}
	data, err := os.ReadFile(name)
	switch {
	case err != nil:
		return Table{}, err
	case bytes.HasPrefix(data, []byte("PK\x03\x04")): // a zip
		return readWorkbook(data, isHead)
	}
	return readCSV(data, isHead)
}

// add takes a row: the headings, or one below them.
func (t *Table) add(row Row, isHead func([]string) bool) error {
	switch {
	case strings.TrimSpace(strings.Join(row.Cells, "")) == "":
	case len(row.Cells) > maxColumns, len(t.Rows) == maxRows:
		return errLarge
	case t.Head.Line > 0:
		t.Rows = append(t.Rows, row)
	case row.Line <= maxAbove && isHead(row.Cells):
		t.Head = row
	}
	return nil
}

// spoiled is what letters become that were read in another encoding than they were written in: "JoÃ£o", "Å‚".
var spoiled = regexp.MustCompile("[ÂÃÄÅ][\u0080-\u00bf\u0192\u201a\u201e\u2026\u2020\u2021]|[\u0080-\u009f]")

// readCSV reads with the delimiter that finds the most headings. Encodings are not guessed: a name that is read wrongly
// is published wrongly.
func readCSV(data []byte, isHead func([]string) bool) (best Table, err error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 || spoiled.Match(data) {
		return best, errEncoding
	}
	for _, delimiter := range ",;" {
		table, err := parseCSV(data, delimiter, isHead)
		if err != nil {
			return best, err
		}
		if len(table.Head.Cells) > len(best.Head.Cells) {
			best = table
		}
	}
	if best.Head.Line == 0 {
		return best, errHead
	}
	return best, nil
}

// maxCellLines is the most lines that a row may stretch over: where a quotation mark is missing it is the whole rest.
const maxCellLines = 50

func parseCSV(data []byte, delimiter rune, isHead func([]string) bool) (t Table, err error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord, r.LazyQuotes, r.Comma = -1, true, delimiter
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return t, err
		}
		line, _ := r.FieldPos(0)
		if strings.Count(strings.Join(cells, ""), "\n") > maxCellLines {
			return t, fmt.Errorf("line %d: a quotation mark begins a text here that does not end: close it or "+
				"remove it", line)
		}
		if err := t.add(Row{line, cells}, isHead); err != nil {
			return t, err
		}
	}
}

// readWorkbook reads the first sheet that people see and that has headings.
func readWorkbook(data []byte, isHead func([]string) bool) (t Table, err error) {
	defer func() {
		if reason := recover(); reason != nil { // excelize 2.11.1's, on a damaged file
			err = errWorkbook
		}
	}()
	book, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{UnzipSizeLimit: maxUnzipped})
	if err != nil {
		return t, errWorkbook
	}
	defer func() { _ = book.Close() }() // of temporary files
	var left []string
	for _, name := range book.GetSheetList() {
		visible, _ := book.GetSheetVisible(name)
		var found Table
		if visible && t.Head.Line == 0 {
			if found, err = readSheet(book, name, isHead); err != nil {
				return t, err
			}
		}
		switch {
		case found.Head.Line > 0:
			t = found
			t.hideColumns(book, name)
		case visible:
			left = append(left, fmt.Sprintf("the sheet %q is not read", name))
		default:
			left = append(left, fmt.Sprintf("the sheet %q is hidden and not read", name))
		}
	}
	if t.Head.Line == 0 {
		return t, errHead
	}
	t.Left = append(t.Left, left...)
	return t, nil
}

// readSheet reads a sheet twice at once: what its cells hold, and as what they are shown, which only says whether a
// number is a day.
func readSheet(book *excelize.File, name string, isHead func([]string) bool) (t Table, err error) {
	var from1904 bool
	if props, err := book.GetWorkbookProps(); err == nil && props.Date1904 != nil {
		from1904 = *props.Date1904
	}
	held, err := book.Rows(name)
	if err != nil {
		return t, nil // a sheet of charts has no rows
	}
	defer held.Close()
	shown, err := book.Rows(name)
	if err != nil {
		return t, err
	}
	defer shown.Close()
	hidden, cells := 0, 0
	for line := 1; held.Next() && shown.Next(); line++ {
		row := Row{Line: line}
		if row.Cells, err = held.Columns(excelize.Options{RawCellValue: true}); err != nil {
			return t, errWorkbook
		}
		texts, err := shown.Columns()
		if err != nil {
			return t, errWorkbook
		}
		if cells += len(row.Cells); cells > maxCells {
			return t, errLarge
		}
		if held.GetRowOpts().Hidden {
			if t.Head.Line > 0 && len(row.Cells) > 0 {
				hidden++
			}
			continue
		}
		for i, value := range row.Cells {
			if number.MatchString(value) && i < len(texts) {
				row.Cells[i] = written(value, texts[i], from1904)
			}
		}
		if err := t.add(row, isHead); err != nil {
			return t, err
		}
	}
	if hidden > 0 {
		t.Left = append(t.Left, fmt.Sprintf("%d hidden rows are left out; show them to import them", hidden))
	}
	return t, nil
}

var (
	number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?(E[+-]?[0-9]+)?$`) // 007 is a text
	digits = regexp.MustCompile(`[0-9]+`)
)

// written is a number as a person would write it, whatever it is rounded to, and a day if it is shown as one: with its
// year and its day of the month.
func written(held, shown string, from1904 bool) string {
	value, err := strconv.ParseFloat(held, 64)
	if err != nil {
		return held
	}
	if day, err := excelize.ExcelDateToTime(value, from1904); err == nil && shown != held {
		var parts []int
		for _, part := range digits.FindAllString(shown, -1) {
			n, _ := strconv.Atoi(part)
			parts = append(parts, n)
		}
		hasYear := slices.Contains(parts, day.Year()) || slices.Contains(parts, day.Year()%100)
		if len(parts) > 1 && hasYear && slices.Contains(parts, day.Day()) {
			return day.Format(time.DateOnly)
		}
	}
	return strconv.FormatFloat(math.Round(value*1e6)/1e6, 'f', -1, 64) // 1.7800000000000002 is 1.78
}

// hideColumns empties the columns that a sheet hides.
func (t *Table) hideColumns(book *excelize.File, sheet string) {
	all, widest, hidden := append(t.Rows, t.Head), 0, 0
	for _, row := range all {
		widest = max(widest, len(row.Cells))
	}
	for at := range widest {
		letters, _ := excelize.ColumnNumberToName(at + 1) // at most maxColumns
		if visible, err := book.GetColVisible(sheet, letters); err != nil || visible {
			continue
		}
		if at < len(t.Head.Cells) && t.Head.Cells[at] != "" {
			hidden++
		}
		for _, row := range all {
			if at < len(row.Cells) {
				row.Cells[at] = ""
			}
		}
	}
	if hidden > 0 {
		t.Left = append(t.Left, fmt.Sprintf("%d hidden columns are left out; show them to import them", hidden))
	}
}
