package author_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"

	"zedcard/internal/author"
)

func read(t *testing.T, data string) (author.Table, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "sheet")
	require.NoError(t, os.WriteFile(file, []byte(data), 0o600))
	return author.ReadSheet(file, isHead)
}

func isHead(cells []string) bool { return slices.Contains(cells, "name") }

func TestCSVIsReadAsSpreadsheetsWriteIt(t *testing.T) {
	for name, text := range map[string]string{
		"semicolons":      "name;boards\nŁucja;a,b\n",
		"commas":          "name,boards\nŁucja,\"a,b\"\n",
		"byte order mark": "\ufeffname;boards\r\nŁucja;a,b\r\n",
		"blank rows":      "\nname;boards\n;\nŁucja;a,b\n;\n;\n",
	} {
		table, err := read(t, text)
		require.NoError(t, err, name)
		require.Len(t, table.Rows, 1, name)
		assert.Equal(t, []string{"Łucja", "a,b"}, table.Rows[0].Cells, name)
	}
}

func TestWhatIsNoSheetInUnicodeIsRefusedWithWhatToSave(t *testing.T) {
	encode := func(c *charmap.Charmap, text string) string {
		encoded, err := c.NewEncoder().String(text)
		require.NoError(t, err)
		return encoded
	}
	const names = "name;hair\nŻółć;a\n"
	for name, file := range map[string]struct{ data, want string }{
		"Windows-1250":     {encode(charmap.Windows1250, names), "CSV UTF-8"},
		"ISO 8859-2":       {encode(charmap.ISO8859_2, names), "CSV UTF-8"},
		"Windows-1252":     {encode(charmap.Windows1252, "name;hair\nJoão;a\n"), "CSV UTF-8"},
		"Macintosh":        {encode(charmap.Macintosh, "name;hair\nJoão;a\n"), "CSV UTF-8"},
		"IBM 852":          {encode(charmap.CodePage852, names), "CSV UTF-8"},
		"encoded twice":    {"name;hair\nJoÃ£o;a\n", "CSV UTF-8"},
		"without its mark": {"n\x00a\x00m\x00e\x00", "CSV UTF-8"},
		"web page":         {"<html><table><tr><td>name</td></tr></table></html>", "no row of headings"},
		"old workbook":     {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Save it as .xlsx"},
		"another zip":      {"PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "save it as .xlsx"},
		"open quote":       {"name;note\nA;\"x\n" + strings.Repeat("B;y\n", 60), "quotation mark"},
	} {
		_, err := read(t, file.data)
		if assert.Error(t, err, name) {
			assert.Contains(t, err.Error(), file.want, name)
			assert.NotContains(t, err.Error(), "\n", name)
		}
	}
}

// aWorkbook is a sheet with notes, then one as agencies have it, from its third row on.
func aWorkbook(t *testing.T) *excelize.File {
	t.Helper()
	book := excelize.NewFile()
	_, err := book.NewSheet("Women")
	require.NoError(t, err)
	for cell, row := range map[string][]any{
		"A1": {"Baza"},
		"A3": {"name", "Born", "Height", "Year", "Code"},
		"A4": {"Łucja", time.Date(2001, 3, 5, 0, 0, 0, 0, time.UTC), 1.78, 1999, "007"},
		"A5": {"Ewa", time.Date(2004, 12, 24, 0, 0, 0, 0, time.UTC), 178, 1999, "Nan"},
	} {
		require.NoError(t, book.SetSheetRow("Women", cell, &row))
	}
	require.NoError(t, book.SetSheetRow("Sheet1", "A1", &[]any{"The list is on the next sheet"}))
	return book
}

func readBook(t *testing.T, book *excelize.File) (author.Table, error) {
	t.Helper()
	data, err := book.WriteToBuffer()
	require.NoError(t, err)
	return read(t, data.String())
}

func TestAWorkbookHasItsDaysAndNumbersUnrounded(t *testing.T) {
	book := aWorkbook(t)
	for cell, format := range map[string]string{
		"B4": "d.mm.yyyy", "B5": "d mmmm yy", "C4": "0", "C5": "0.00\" cm\"", "D4": "#,##0",
	} {
		style, err := book.NewStyle(&excelize.Style{CustomNumFmt: &format})
		require.NoError(t, err)
		require.NoError(t, book.SetCellStyle("Women", cell, cell, style))
	}
	table, err := readBook(t, book)
	require.NoError(t, err)
	assert.Equal(t, []author.Row{
		{Line: 4, Cells: []string{"Łucja", "2001-03-05", "1.78", "1999", "007"}},
		{Line: 5, Cells: []string{"Ewa", "2004-12-24", "178", "1999", "Nan"}},
	}, table.Rows)
	assert.Equal(t, []string{`the sheet "Sheet1" is not read`}, table.Left)
}

// What a person does not see is most likely somebody who has left.
func TestWhatIsHiddenIsLeftOutAndTold(t *testing.T) {
	book := aWorkbook(t)
	_, err := book.NewSheet("Former")
	require.NoError(t, err)
	require.NoError(t, book.SetSheetRow("Former", "A1", &[]any{"name"}))
	require.NoError(t, book.MoveSheet("Former", "Sheet1"))
	require.NoError(t, book.SetSheetVisible("Former", false))
	require.NoError(t, book.SetRowVisible("Women", 4, false))
	require.NoError(t, book.SetColVisible("Women", "C:D", false))
	table, err := readBook(t, book)
	require.NoError(t, err)
	require.Len(t, table.Rows, 1)
	assert.Equal(t, "Ewa", table.Rows[0].Cells[0])
	assert.Empty(t, table.Head.Cells[2]+table.Head.Cells[3]+table.Rows[0].Cells[2])
	assert.Equal(t, []string{
		"1 hidden rows are left out; show them to import them",
		"2 hidden columns are left out; show them to import them",
		`the sheet "Former" is hidden and not read`, `the sheet "Sheet1" is not read`,
	}, table.Left)
}

// 19,000 rows of one cell in the last column once took 2.4 GB.
func TestAWideSheetIsRefusedByItsFirstRow(t *testing.T) {
	book := excelize.NewFile()
	writer, err := book.NewStreamWriter("Sheet1")
	require.NoError(t, err)
	for row := range 200 {
		require.NoError(t, writer.SetRow(fmt.Sprintf("XFD%d", row+1), []any{"x"}))
	}
	require.NoError(t, writer.Flush())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = readBook(t, book)
	runtime.ReadMemStats(&after)
	require.ErrorContains(t, err, "500 columns at most")
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(20<<20))
}
