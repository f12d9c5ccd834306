package app_test

import (
	"fmt"
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
