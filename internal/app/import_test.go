package app_test

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/unicode/norm"
)

// One sheet, of which LibreOffice Calc wrote the files of testdata/import: with the settings of Portugal, and with
// American ones. Excel ends lines as Windows does, and names the encoding in its own way.
func TestImportReadsSpreadsheetsAsTheyAre(t *testing.T) {
	for name, is := range map[string]struct {
		file, dates, before, end string
	}{
		"LibreOffice":                {file: "utf-8.csv"},
		"LibreOffice, United States": {file: "american.csv", dates: "mdy"},
		"Excel, CSV UTF-8":           {file: "utf-8.csv", end: "\r\n", before: "\ufeff"},
	} {
		sheet := read(t, "testdata/import/"+is.file)
		t.Run(name, func(t *testing.T) {
			do := newFolder(t)
			write(t, "talents.csv", is.before+strings.ReplaceAll(sheet, "\n", cmp.Or(is.end, "\n")))
			command := []string{"import", "talents.csv", "--dates", cmp.Or(is.dates, "dmy")}
			out := do(0, append(command, "--dry-run")...)
			assert.Contains(t, out, "3 rows: 3 new, 0 already there, 0 with faults; nothing written (--dry-run)")
			assert.NoDirExists(t, "lumen/talents/030-ana-silva")
			out = do(0, command...)
			assert.Contains(t, out, `the column "Notas internas" is unknown and left out`)
			assert.Regexp(t, `height: metres are read as centimetres \(2 rows: `, out)
			assert.Contains(t, out, "new: talents/030-ana-silva, id 3")
			for folder, lines := range map[string][]string{
				"030-ana-silva": {
					"id: 3\n", "name: Ana Silva\n", "gender: woman\n", "birthdate: 1999-03-22\n",
					"boards: [Women, Curve]\n", "height: 178\n", "hair: castanho\n", `instagram: "@anasilva"`,
				},
				"040-joao-praca": {"name: João Praça\n", "birthdate: 1964-11-14\n", "height: 187\n"},
				"050-rita-melo-e-castro": {
					"name: Rita Melo e Castro\n", "birthdate: 2004-01-25\n", "boards: [Women, Curve]\n",
				},
			} {
				talent := read(t, "lumen/talents/"+folder+"/talent.yaml")
				for _, line := range lines {
					assert.Contains(t, talent, line)
				}
			}
			assert.Contains(t, do(0, "check"), "no faults")
			write(t, "lumen/talents/030-ana-silva/talent.yaml", "id: 3\nname: Silva Ana\nheight: 170\n")
			out = do(0, command...)
			assert.Contains(t, out, "already there, left alone: talents/030-ana-silva\n")
			assert.Contains(t, out, "3 rows: 0 new, 3 already there, 0 with faults\n")
			assert.Contains(t, read(t, "lumen/talents/030-ana-silva/talent.yaml"), "height: 170\n")
		})
	}
}

// importCSV imports a spreadsheet into the folder to begin with, and returns what is told.
func importCSV(t *testing.T, code int, text string, args ...string) string {
	t.Helper()
	do := newFolder(t)
	write(t, "talents.csv", text)
	return do(code, append([]string{"import", "talents.csv"}, args...)...)
}

func TestImportAddsAndNamesFaultsOfRows(t *testing.T) {
	out := importCSV(t, 1,
		"id,name,birthdate,height,boards,city,in town until,sex,measured on\n"+
			"1.0,Somebody Else,,179,women,\n"+
			",EXAMPLE Tom,,187,,\n"+
			",Bad Date,31/02/2004,,women,\n"+
			",Bad Board,,,wimen,\n"+
			"9,New One,,170,photographers,Lisboa,2027-05-31,,2026-11\n"+
			"009,Twice,,170,women,\n"+
			",?ukasz,,,men,\n"+
			",Anna,01.02.99,,women,\n"+
			",Low,,73,women\n"+
			",No Value,,#N/A,women\n"+
			",Shifted,,1,women,Lisboa,2027-05-31,f,,more\n"+
			",Comma,,,\"women, curve\"\n"+
			",Same Name,,,women\n,same name,,,women\n"+
			"20,One Name,,,women,,,f\n21,One Name,,,women,,,f\n")
	for _, line := range []string{
		"talents.csv:2: already there, left alone: talents/010-maria-example",
		"talents.csv:3: already there, left alone: talents/020-tom-example",
		"talents.csv:4: birthdate: does the day come first? say it with --dates dmy or mdy; left out (2 rows: 4, 9)",
		`talents.csv:5: "wimen" is no board; did you mean women?; left out`,
		"talents.csv:6: new: talents/030-new-one, id 9, 0 pictures",
		"talents.csv:7: id 9 is that of line 6; left out",
		"talents.csv:8: name ?ukasz: letters were lost when the file was saved; save it as .xlsx; left out",
		"talents.csv:10: height 73 is too small for an adult, in centimetres; did you mean 185?; left out",
		"talents.csv:11: height #N/A is an error of the spreadsheet; correct it there; left out",
		"talents.csv:12: the row has more values than there are headings",
		`talents.csv:13: "women, curve" is no board`,
		"talents.csv:14: 2 rows are called Same Name: give each an id, or remove what is there twice; left out",
		"talents.csv:16: new: talents/040-one-name, id 20", "talents.csv:17: new: talents/050-one-name, id 21",
		"16 rows: 3 new, 2 already there, 11 with faults\n",
	} {
		assert.Contains(t, out, line)
	}
	assert.Contains(t, read(t, "lumen/talents/030-new-one/talent.yaml"),
		"measured: 2026-11\nin_town: Lisboa\nin_town_until: 2027-05-31\n")
	entries, err := os.ReadDir("lumen/talents")
	require.NoError(t, err)
	assert.Len(t, entries, 5, "rows with faults leave nothing")
}

func TestImportTellsTheSameOfManyRowsOnce(t *testing.T) {
	var sheet strings.Builder
	sheet.WriteString("name;gender;boards;hair\n")
	for i := range 180 {
		fmt.Fprintf(&sheet, "Anna %c%c;x;women;Brown\n", 'A'+i/26, 'a'+i%26)
	}
	out := importCSV(t, 1, sheet.String())
	assert.Contains(t, out, `gender "x": write woman or man; left out (180 rows: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …)`)
	assert.Equal(t, 2, strings.Count(out, "\n"))
}

func TestImportReadsUnitsOrRefusesThem(t *testing.T) {
	const head = "Name,Gender,Boards,"
	do := newFolder(t)
	for _, row := range []struct{ headings, values, want string }{
		{"Height (in),Waist (in)", "73,31", "height: 185\nwaist: 79\n"},
		{"Height [inches],Waist ″", `73½,"31"`, "height: 187\nwaist: 79\n"},
		{"Height in,Hips (pol.)", "73,38", "height: 185\nhips: 97\n"},
		{"Height (ft)", "6.1", `the column "Height (ft)" is left out`},
		{"Height", "1m78", "height: 178\n"},
		{"Height", `5'10"`, "height: 178\n"},
		{"Height", "178/5'10", "height: 178\n"},
		{"Height (m)", "1.785", "height: 178.5\n"},
		{"Height (cm)", "178", "height: 178\n"},
		{"Bust", "86-60-89", `bust must be a number, not "86-60-89"; left out`},
		{"Shoes", "39 1/2", `shoes "39 1/2" is not a number; did you mean 39.5?; left out`},
		{"Shoes", "39½", "did you mean 39.5?; left out"},
		{"Dress", "36/38", `suit "36/38" is not a number; did you mean 36?; left out`},
		{"Bust", "86/88", `bust "86/88" is not a number; did you mean 86?; left out`},
		{"Shoes (EU)", "39,5", "shoes: 39,5\n"},
		{"Shoes (US)", "8", `"Shoes (US)" is left out: lengths are in cm, m or inches here, sizes European`},
		{"Height (mm)", "1780", `the column "Height (mm)" is left out`},
		{"Waist", "24", "waist 24 is too small for an adult, in centimetres; did you mean 61?; left out"},
	} {
		code := 0
		if !strings.Contains(row.want, ": ") || !strings.HasSuffix(row.want, "\n") {
			code = 1
		}
		values := row.values
		if strings.Count(row.headings, ",") == 0 && !strings.Contains(values, `""`) {
			values = `"` + strings.ReplaceAll(values, `"`, `""`) + `"`
		}
		require.NoError(t, os.RemoveAll("lumen/talents/030-ada-lee"))
		write(t, "talents.csv", head+row.headings+"\nAda Lee,f,women,"+values+"\n")
		out := do(code, "import", "talents.csv")
		if code == 0 {
			assert.Contains(t, read(t, "lumen/talents/030-ada-lee/talent.yaml"), row.want, row.headings)
		} else {
			assert.Contains(t, out, row.want, row.headings)
		}
	}
}

func TestImportPassesOverWhatIsNoTalentAndTellsIt(t *testing.T) {
	out := importCSV(t, 1,
		"Models 2026 - updated;;;;;\n;;;;;\nName;Gender;Boards;Height;Phone;\n"+
			"Ada Lee;F;Women;176;+351 912 345 678;\n;;;;;\nBea Lum;;women|curve;1,78;;\n"+
			"—;F;Women;176;;\n12;F;Women;176;;\n\u3164;F;Women;176;;\n* heights without shoes;;;;;\n")
	for _, line := range []string{
		`talents.csv:7: name "—": a name has a letter; left out`, `talents.csv:8: name "12": a name has a letter`,
		"talents.csv:9: name ", "talents.csv:10: passed over: * heights without shoes",
		`the column "Phone" is unknown and left out`, "5 rows: 2 new, 0 already there, 3 with faults",
	} {
		assert.Contains(t, out, line)
	}
	assert.Contains(t, read(t, "lumen/talents/040-bea-lum/talent.yaml"), "gender: woman\n", "as of its board")
	assert.Contains(t, importCSV(t, 1, "Wer;Wann\nAnna;heute\n"), "no row of headings is found")
}

func TestImportCopiesThePicturesOfARowsFolder(t *testing.T) {
	do := newFolder(t)
	picture := read(t, "lumen/talents/020-tom-example/cover.jpg")
	for _, file := range []string{
		"ada LIMA/IMG_9.JPG", "ada LIMA/IMG_10.jpg", "ada LIMA/IMG_11.HEIC", "ada LIMA/polaroid (1).jpeg",
		"ada LIMA/Digital_front.jpg", "ada LIMA/Thumbs.db", "ada LIMA/IMG_12.jpg", "ada LIMA/notes.docx",
		norm.NFD.String("José Lobão") + "/cover.jpg", // as a Mac names it
		"2026/lucja/snap.jpg", "maria example/9.jpg",
	} {
		write(t, filepath.Join("photos", file), picture+path.Base(file)) // decoders stop before it
	}
	write(t, "photos/ada LIMA/half.jpg", picture[:len(picture)/2])
	write(t, "talents.csv", "id,name,boards,pictures\n,Ada Lima,photographers,\n"+
		",José Lobão,photographers,\n,Łucja Świątek-Żółć,photographers,2026\\lucja\n,Nemo,photographers,nowhere\n"+
		",Zoe,photographers,\n,Maria Example,women,\n")
	out := do(0, "import", "talents.csv", "--pictures", "photos")
	for _, line := range []string{
		"talents.csv:2: not copied: ada LIMA/IMG_11.HEIC is HEIC (iPhone): save as JPEG",
		"talents.csv:2: not copied: ada LIMA/half.jpg is incomplete; copy it again",
		"talents.csv:2: not copied: ada LIMA/notes.docx is not a picture",
		"talents.csv:2: new: talents/030-ada-lima, id 3, 5 pictures",
		"talents.csv:3: new: talents/040-jose-lobao, id 4, 1 pictures",
		"talents.csv:4: new: talents/050-lucja-swiatek-zolc, id 5, 1 pictures",
		"talents.csv:5: there is no folder of pictures in photos (2 rows: 5, 6)",
	} {
		assert.Contains(t, out, line)
	}
	assert.NotContains(t, out, "Thumbs.db")
	for to, from := range map[string]string{
		"book-1.jpg": "IMG_9.JPG", "book-2.jpg": "IMG_10.jpg", "book-3.jpg": "IMG_12.jpg",
		"snap-1.jpg": "Digital_front.jpg", "snap-2.jpeg": "polaroid (1).jpeg",
	} {
		copied := read(t, "lumen/talents/030-ada-lima/"+to)
		assert.True(t, strings.HasSuffix(copied, from), "%s is a copy of %s", to, from)
	}
	assert.NoFileExists(t, "lumen/talents/010-maria-example/9.jpg", "who is there is left alone")
	assert.Contains(t, do(0, "check"), "no faults")
}

// A workbook as an agency in Warsaw has it: a title, its own language, days as days, and more talents than folders of
// three digits hold.
func TestImportReadsAWorkbookInTheSitesLanguageAndKeepsItsOrder(t *testing.T) {
	do := newFolder(t)
	write(t, "lumen/texts/pl.yaml", "field.name: imię i nazwisko|nazwisko i imię\nfield.gender: płeć\n"+
		"field.woman: kobieta|k\nfield.man: mężczyzna|m\nfield.birthdate: data ur.\nfield.boards: dział\n"+
		"field.height: wzrost\nfield.hair: kolor włosów\n")
	options := read(t, "lumen/options.yaml")
	write(t, "lumen/options.yaml", strings.Replace(options, "value2: Castanho,", "value2: Castanho, pl: brąz,", 1))
	agencyFile := read(t, "lumen/agency.yaml")
	require.Contains(t, agencyFile, "languages: [en, pt, es]")
	write(t, "lumen/agency.yaml", strings.Replace(agencyFile, "languages: [en, pt, es]", "languages: [en, pl]", 1))
	book := excelize.NewFile()
	dotted := "d.mm.yyyy"
	day, err := book.NewStyle(&excelize.Style{CustomNumFmt: &dotted})
	require.NoError(t, err)
	rows := [][]any{
		{"WISŁA MODELS – baza modelek"}, {},
		{"Nazwisko i imię", "Płeć", "Data ur.", "Dział", "Wzrost", "Kolor włosów"},
	}
	born := time.Date(2001, 3, 5, 0, 0, 0, 0, time.UTC)
	for i := range 130 {
		rows = append(rows, []any{
			fmt.Sprintf("ŚWIĄTEK Ł%c%c", 'a'+i/26, 'a'+i%26), "K", born, "women", 1.78, "Brąz",
		})
	}
	for i, row := range rows {
		cell, err := excelize.CoordinatesToCellName(1, i+1)
		require.NoError(t, err)
		require.NoError(t, book.SetSheetRow("Sheet1", cell, &row))
	}
	require.NoError(t, book.SetCellStyle("Sheet1", "C4", "C133", day))
	require.NoError(t, book.SaveAs("baza.xlsx"))

	assert.Contains(t, do(0, "import", "baza.xlsx"), "130 rows: 130 new, 0 already there, 0 with faults\n")
	assert.Contains(t, do(0, "import", "baza.xlsx"), "130 rows: 0 new, 130 already there, 0 with faults\n")
	assert.Equal(t, "id: 3\nname: ŚWIĄTEK Łaa\ngender: woman\nbirthdate: 2001-03-05\nboards: [women]\nheight: 178\n"+
		"hair: Brąz\n", read(t, "lumen/talents/030-swiatek-laa/talent.yaml"))
	p := start(t, map[string]string{"CONTENT_DIR": "lumen"})
	shown := pageAt(t, p.site+"/women?show=200").Attrs("[data-talent]", "data-talent")
	require.Len(t, shown, 131, "and the folder's own")
	for i, found := range shown {
		id, err := strconv.Atoi(found)
		require.NoError(t, err)
		if i > 0 { // blocks of three are turned round
			assert.InDelta(t, i+2, id, 2, "the sheet's order")
		}
	}
}
