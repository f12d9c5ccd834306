package sheet_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"zedcard/internal/author/sheet"
)

func read(t *testing.T, data string) (sheet.Table, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "sheet")
	require.NoError(t, os.WriteFile(file, []byte(data), 0o600))
	return sheet.Read(file)
}

func TestCSVIsReadAsSpreadsheetsWriteIt(t *testing.T) {
	utf16, err := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().String("name;boards\nŁucja;a,b\n")
	require.NoError(t, err)
	for name, text := range map[string]string{
		"semicolons":      "name;boards\nŁucja;a,b\n",
		"commas":          "name,boards\nŁucja,\"a,b\"\n",
		"byte order mark": "\ufeffname;boards\r\nŁucja;a,b\r\n",
		"UTF-16":          utf16,
		"Excel's hint":    "sep=;\nname;boards\nŁucja;a,b\n",
		"old Macs":        "name;boards\rŁucja;a,b\r",
		"blank rows":      "\nname;boards\n;\nŁucja;a,b\n;\n;\n",
	} {
		table, err := read(t, text)
		require.NoError(t, err, name)
		require.Len(t, table.Rows, 2, name)
		assert.Equal(t, []string{"Łucja", "a,b"}, table.Rows[1].Cells, name)
		if name == "Excel's hint" {
			assert.Equal(t, 3, table.Rows[1].Line)
		}
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
		"web page":         {"<html><table><tr><td>name</td></tr></table></html>", "save it as .xlsx"},
		"XML":              {"\ufeff<?xml version=\"1.0\"?><Workbook/>", "save it as .xlsx"},
		"old workbook":     {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "without a password"},
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

func TestAWorkbookHasItsDaysAndNumbersUnrounded(t *testing.T) {
	book := excelize.NewFile()
	custom := "d.mm.yyyy"
	day, err := book.NewStyle(&excelize.Style{CustomNumFmt: &custom})
	require.NoError(t, err)
	rounded, err := book.NewStyle(&excelize.Style{NumFmt: 1})
	require.NoError(t, err)
	require.NoError(t, book.SetSheetRow("Sheet1", "A1", &[]any{"Baza"}))
	require.NoError(t, book.SetSheetRow("Sheet1", "A3", &[]any{"Name", "Born", "Height", "Year", "Code"}))
	require.NoError(t, book.SetSheetRow("Sheet1", "A4", &[]any{
		"Łucja", time.Date(2001, 3, 5, 0, 0, 0, 0, time.UTC), 1.78, 1999, "007",
	}))
	require.NoError(t, book.SetCellStyle("Sheet1", "B4", "B4", day))
	require.NoError(t, book.SetCellStyle("Sheet1", "C4", "C4", rounded))
	_, err = book.NewSheet("Men")
	require.NoError(t, err)
	require.NoError(t, book.SetSheetRow("Men", "A1", &[]any{"Name"}))
	file := filepath.Join(t.TempDir(), "renamed.csv")
	out, err := os.Create(file)
	require.NoError(t, err)
	require.NoError(t, book.Write(out))
	require.NoError(t, out.Close())

	table, err := sheet.Read(file)
	require.NoError(t, err)
	assert.Equal(t, sheet.Row{Line: 4, Cells: []string{"Łucja", "2001-03-05", "1.78", "1999", "007"}}, table.Rows[2])
	assert.Equal(t, 1, table.Blank)
	assert.Equal(t, []string{"Men"}, table.Others)
}
