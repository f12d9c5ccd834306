// Package sheet reads spreadsheets as people save them, workbooks and CSV in Unicode, into rows of text. It is the only
// importer of excelize.
package sheet

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/unicode"
)

// Limits of a file that is read, in bytes, and of what is in it.
const (
	maxFile     = 32 << 20
	maxUnzipped = 256 << 20
	maxRows     = 20_000
	maxColumns  = 500
)

// Row is a row with a text in one of its cells at least. Line is its number in the sheet, or its line in a CSV.
type Row struct {
	Line  int
	Cells []string
}

// Table is what a file holds. Days are yyyy-mm-dd where the file knows that they are days.
type Table struct {
	Rows   []Row
	Blank  int      // how many rows without a text stand above the last with one
	Others []string // sheets of a workbook that hold something, too
}

// What a file is, by its first bytes.
var (
	zipped  = []byte("PK\x03\x04")
	oldXLS  = []byte{0xd0, 0xcf, 0x11, 0xe0}
	bomLE   = []byte{0xff, 0xfe}
	bomBE   = []byte{0xfe, 0xff}
	bomUTF8 = []byte("\ufeff")
)

// Reasons for which a file is refused as a whole, with what to save instead.
var (
	errEncoding = errors.New("its letters can’t be told apart: it is not in UTF-8. Save it as .xlsx, or as " +
		"“CSV UTF-8”")
	errWorkbook = errors.New("this is no workbook that can be read: open it in Excel, LibreOffice or Google Sheets " +
		"and save it as .xlsx")
	errOld = errors.New("this is a workbook of old (.xls), or one with a password: save it as .xlsx, without " +
		"a password")
	errMarkup = errors.New("this is a web page or XML under the name of a spreadsheet: open it in Excel or " +
		"LibreOffice and save it as .xlsx")
	errLarge = fmt.Errorf("a spreadsheet may have %d MB, %d rows and %d columns at most: save the list of talents "+
		"alone", maxFile>>20, maxRows, maxColumns)
)

// Read reads a workbook (.xlsx) or a CSV in UTF-8 or UTF-16, whatever its name ends in. Everything else is refused.
func Read(name string) (Table, error) {
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
	if err != nil {
		return Table{}, err
	}
	var rows []Row
	var others []string
	switch {
	case bytes.HasPrefix(data, zipped):
		rows, others, err = readWorkbook(data)
	case bytes.HasPrefix(data, oldXLS):
		err = errOld
	default:
		rows, err = readCSV(data)
	}
	if err != nil {
		return Table{}, err
	}
	return tableOf(rows, others), nil
}

// tableOf leaves out rows without a text.
func tableOf(rows []Row, others []string) Table {
	t := Table{Others: others}
	blank := 0
	for _, row := range rows {
		if strings.TrimSpace(strings.Join(row.Cells, "")) == "" {
			blank++
			continue
		}
		t.Blank, blank = t.Blank+blank, 0
		t.Rows = append(t.Rows, row)
	}
	return t
}

// spoiled is what letters become that were read in another encoding than they were written in: "JoÃ£o", "Å‚".
var spoiled = regexp.MustCompile("[ÂÃÄÅ][\u0080-\u00bf\u0192\u201a\u201e\u2026\u2020\u2021]|[\u0080-\u009f]")

// text is a CSV as text. Encodings are not guessed: a name that is read wrongly is published wrongly.
func text(data []byte) (string, error) {
	if bytes.HasPrefix(data, bomLE) || bytes.HasPrefix(data, bomBE) {
		decoded, err := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Bytes(data)
		if err != nil || len(data)%2 != 0 {
			return "", errEncoding
		}
		data = decoded
	}
	data = bytes.TrimPrefix(data, bomUTF8)
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 || spoiled.Match(data) {
		return "", errEncoding
	}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("<")) {
		return "", errMarkup
	}
	return strings.ReplaceAll(strings.ReplaceAll(string(data), "\r\n", "\n"), "\r", "\n"), nil
}

var separatorHint = regexp.MustCompile(`^(?i)"?sep=(.)"?[;,\t]*\n`)

// readCSV reads with the delimiter that the file names in its first line, as Excel takes it, or else with the one that
// finds the most values.
func readCSV(data []byte) ([]Row, error) {
	text, err := text(data)
	if err != nil {
		return nil, err
	}
	delimiters, skipped := ",;\t", 0
	if hint := separatorHint.FindStringSubmatch(text); hint != nil && strings.Contains(delimiters, hint[1]) {
		delimiters, skipped = hint[1], 1
		text = text[len(hint[0]):]
	}
	var best []Row
	most := -1
	for _, delimiter := range delimiters {
		rows, err := parseCSV(text, delimiter, skipped)
		if err != nil {
			return nil, err
		}
		values := 0
		for _, row := range rows[:min(len(rows), 50)] {
			for _, cell := range row.Cells {
				if strings.Trim(cell, delimiters+" ") != "" {
					values++
				}
			}
		}
		if values > most {
			best, most = rows, values
		}
	}
	return best, nil
}

// maxCellLines is the most lines that a row may stretch over: where a quotation mark is missing it is the whole rest.
const maxCellLines = 50

func parseCSV(text string, delimiter rune, skipped int) (rows []Row, err error) {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord, r.LazyQuotes, r.Comma = -1, true, delimiter
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		if strings.Count(strings.Join(cells, ""), "\n") > maxCellLines {
			return nil, fmt.Errorf("line %d: a quotation mark begins a text here that does not end: close it or "+
				"remove it", line+skipped)
		}
		rows = append(rows, Row{line + skipped, cells})
		if len(rows) > maxRows || len(cells) > maxColumns {
			return nil, errLarge
		}
	}
}

// readWorkbook reads the first sheet that holds something.
func readWorkbook(data []byte) (rows []Row, others []string, err error) {
	defer func() {
		if reason := recover(); reason != nil { // the library's, on a damaged file
			err = errWorkbook
		}
	}()
	book, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{UnzipSizeLimit: maxUnzipped})
	if err != nil {
		return nil, nil, errWorkbook
	}
	defer func() { _ = book.Close() }() // of temporary files
	sheet := ""
	for _, name := range book.GetSheetList() {
		read, err := book.GetRows(name, excelize.Options{RawCellValue: true})
		switch {
		case err != nil || len(read) == 0: // a sheet of charts has no rows
		case sheet != "":
			others = append(others, name)
		case len(read) > maxRows:
			return nil, nil, errLarge
		default:
			sheet = name
			for i, cells := range read {
				if len(cells) > maxColumns {
					return nil, nil, errLarge
				}
				rows = append(rows, Row{i + 1, cells})
			}
		}
	}
	days := newDays(book)
	for _, row := range rows {
		for column, value := range row.Cells {
			row.Cells[column] = days.written(sheet, column+1, row.Line, value)
		}
	}
	return rows, others, nil
}

// days tells days from numbers: a workbook has both as numbers, and only a cell's format says which it is.
type days struct {
	book     *excelize.File
	from1904 bool
	isDay    map[int]bool // by style
}

func newDays(book *excelize.File) *days {
	d := &days{book: book, isDay: map[int]bool{}}
	if props, err := book.GetWorkbookProps(); err == nil && props.Date1904 != nil {
		d.from1904 = *props.Date1904
	}
	return d
}

// written is a cell's value as a person would write it, without regard to how it is formatted, which may round it.
func (d *days) written(sheet string, column, line int, value string) string {
	number, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return value
	}
	cell, err := excelize.CoordinatesToCellName(column, line)
	if err != nil {
		return value
	}
	kind, err := d.book.GetCellType(sheet, cell)
	isNumber := kind == excelize.CellTypeUnset || kind == excelize.CellTypeNumber || kind == excelize.CellTypeDate
	if err != nil || !isNumber {
		return value
	}
	if style, err := d.book.GetCellStyle(sheet, cell); err == nil && d.formatsDay(style) {
		if day, err := excelize.ExcelDateToTime(number, d.from1904); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	return strconv.FormatFloat(math.Round(number*1e6)/1e6, 'f', -1, 64) // 1.7800000000000002 is 1.78
}

var dayFormat = regexp.MustCompile(`[dDyY]`)

// literal is what a format shows as it is, or says about colour and language.
var literal = regexp.MustCompile(`"[^"]*"|\\.|\[[^\]]*\]`)

// formatsDay reports whether a style shows numbers as days.
func (d *days) formatsDay(style int) bool {
	isDay, known := d.isDay[style]
	if !known {
		if s, err := d.book.GetStyle(style); err == nil {
			isDay = s.NumFmt >= 14 && s.NumFmt <= 17 || s.NumFmt == 22 || s.NumFmt >= 27 && s.NumFmt <= 36 ||
				s.NumFmt >= 50 && s.NumFmt <= 58
			if s.CustomNumFmt != nil {
				isDay = dayFormat.MatchString(literal.ReplaceAllString(*s.CustomNumFmt, ""))
			}
		}
		d.isDay[style] = isDay
	}
	return isDay
}
